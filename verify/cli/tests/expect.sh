# Shared by the end-to-end tests of the command line, which source it with the program as argument.
# shellcheck shell=bash
set -u
unset GITHUB_ACTIONS # its lines are in the way
program=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0

# expect STATUS PATTERN ARGUMENT...: runs the program, and fails unless it exits with STATUS and a
# line of its output, on either stream, matches the extended regular expression ("" for any).
expect() {
  local status=$1 pattern=$2 got
  shift 2
  "$program" "$@" >"$scratch/out" 2>&1 </dev/null
  got=$?
  if [ $got -ne "$status" ] || { [ -n "$pattern" ] && ! grep -Eq -- "$pattern" "$scratch/out"; }; then
    echo "FAIL: $* ended with $got, expected $status and /$pattern/. It printed:"
    sed 's/^/    /' "$scratch/out"
    failures=$((failures + 1))
  fi
}

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# says PATTERN: fails unless the output of the last expect matches it.
says() {
  grep -Eq -- "$1" "$scratch/out" || fail "it does not say /$1/: $(cat "$scratch/out")"
}
