#!/bin/bash
# Real threads show planted faults, each within a minute: a short run first, then a minute if that
# showed nothing.
# usage: planted_faults.sh PROGRAM
set -u
program=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0

# sees SCENARIO KIND
sees() {
  local seconds
  for seconds in 5 60; do
    "$program" stress "$1" --seconds "$seconds" >"$scratch/out" 2>&1 </dev/null &&
      grep -Eq "^ok +$1 .*expected violation \($2\): seen" "$scratch/out" && return
  done
  echo "FAIL: $1 is not seen violated ($2) within a minute. It printed:"
  sed 's/^/    /' "$scratch/out"
  failures=$((failures + 1))
}

# A pop whose store and load are reordered: an item is handed out twice. x86 reorders them too, if
# there are two processors.
if [ "$(nproc)" -gt 1 ]; then
  sees chase_lev/relaxed_pop_against_one_thief assertion
  grep -q 'no item is obtained twice' "$scratch/out" || {
    echo 'FAIL: no double hand-out'
    failures=$((failures + 1))
  }
fi
# A result that no queue would have: an item is lost.
sees slab_queue/torn_publish_is_not_linearizable assertion

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
