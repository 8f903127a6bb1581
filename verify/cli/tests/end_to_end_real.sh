#!/bin/bash
# The same program on the kit's own scenarios: whatever does not depend on the scenarios.
# usage: end_to_end_real.sh PROGRAM
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1

expect 0 '^[0-9]+ scenarios?$' list
expect 2 'no scenario matches' verify there/is/no/such/scenario
expect 2 'verify --help' verify --nonsense

# Each scenario can be limited to one execution: it is then incomplete, or complete after the first.
expect 3 ' 0 unexpected' verify --max-executions 1

# An order can be weakened at a place where planted faults of the same suite change it already, and
# a pattern may follow --weaken.
for change in rundown.hpp:leave=relaxed rundown.hpp:close=relaxed; do
  expect 1 '^FAIL +rundown/' verify rundown --weaken $change
  expect 1 'explain rundown/' verify --weaken $change rundown
done
expect 1 '^[0-9]+ of [0-9]+ as expected, [1-9]' verify --weaken rundown.hpp:leave=relaxed --max-executions 100
# The examples in the help are places in the sources.
examples=$(for command in verify explain necessity; do "$program" help $command; done |
  tr '\n' ' ' | tr -s ' ' | grep -oE '[a-z0-9_/]+\.hpp:[a-z0-9._:]+=[a-z]+' | sort -u)
[ -n "$examples" ] || fail 'help has no example of a change'
for change in $examples; do
  component=${change%%.hpp*}
  expect 1 'unexpected' verify "${component##*/}" --weaken "$change"
done

# A violation that needs load buffering: a relaxed store after the last item.
expect 1 '^The cause is load buffering: without it there is no violation. On AArch64' explain \
  chase_lev/result_comes_back --models --weaken chase_lev.hpp:take_last.back=relaxed
says '^  rc20 +verified'
says '^  xc20 +violated'
says ', from #[0-9]+ below'
says 'As a release #[0-9]+ is `stlr`'

# Load buffering is not explored. Litmus tests that may have it say so; others do not.
litmus=$(dirname "$0")/../../../models/litmus/tests
"$program" litmus "$litmus/LB+rlx-rlx+acq-Fsc-rel.litmus" >"$scratch/out" 2>"$scratch/err"
grep -q 'load buffering is not explored: an outcome that is not found may be allowed' "$scratch/err" ||
  fail "nothing is said of load buffering: $(cat "$scratch/err")"
for test in LB+rlx-rel+sc-sc LB+acq-rel+acq-rel SB+rel-acq+rel-acq; do
  "$program" litmus "$litmus/$test.litmus" >"$scratch/out" 2>"$scratch/err"
  [ ! -s "$scratch/err" ] || fail "$test: $(cat "$scratch/err")"
done
# Under xc20 the explorer does explore it; the enumerator does not have this model.
cat >"$scratch/LB.litmus" <<'END'
C LB
{}
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
exists (0:r0=1 /\ 1:r0=1)
END
expect 0 '^Observation LB Sometimes 1 3$' litmus --model xc20 "$scratch/LB.litmus"
expect 0 '^Observation LB Never 0 3$' litmus "$scratch/LB.litmus"
expect 2 '--enumerate does not track dependencies' litmus --model xc20 --enumerate "$scratch/LB.litmus"

# Each counterexample has an explanation, or the sanitizer that ended the process gives one. All of
# them but one are found within this limit on executions.
"$program" verify --max-executions 1500 --json - 2>/dev/null | awk -F'"' '
  $2 == "name" { name = $4 }
  $2 == "violation" && $3 ~ /{/ { ++violated; silent[name] }
  $2 == "explanation" && $4 != "" { delete silent[name] }
  $2 == "message" && $4 ~ /^the process ended with status/ { delete silent[name] }
  END {
    for (name in silent) print "FAIL: nothing says what went wrong in " name
    if (violated < 220) print "FAIL: only " violated + 0 " scenarios are violated"
  }' >"$scratch/out"
if [ -s "$scratch/out" ]; then
  cat "$scratch/out"
  failures=$((failures + 1))
fi

# A saved counterexample can be replayed if the program is the same.
name=$("$program" verify --max-executions 100 2>/dev/null |
  sed -n 's/^ok *\([^ ]*\) .*violated, as expected.*/\1/p' | head -1)
[ -n "$name" ] || { echo "FAIL: no scenario that is violated"; exit 1; }
expect 0 '' explain "$name" --save "$scratch/saved"
expect 0 'violated under' explain "$name" --replay "$scratch/saved"
sed 's/"path": "[^"]*"/"path": "999999999"/' "$scratch/saved" >"$scratch/other"
expect 2 'does not match this program' explain "$name" --replay "$scratch/other"
sed '0,/"line": [0-9]*/s//"line": 999/' "$scratch/saved" >"$scratch/other"
sed -i 's/"kind": "\(store\|load\|plain read\|create\)"/"kind": "fence"/' "$scratch/other"
expect 2 'does not match this program' explain "$name" --replay "$scratch/other"

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
