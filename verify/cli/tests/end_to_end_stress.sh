#!/bin/bash
# fencepost stress as its users see it, on the made-up scenarios of stress_fixture.cpp.
# usage: end_to_end_stress.sh PROGRAM
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1

brief=(--seconds 0.2 --seed 7)

# Wrong usage: 2, and a message that names what is wrong.
expect 2 "no scenario matches 'sample/hold'" stress sample/hold
for number in 0 -1 ten inf ''; do
  expect 2 '^fencepost: --seconds' stress --seconds "$number"
  expect 2 '^fencepost: --stuck' stress --stuck "$number"
done
for number in 0 -1 1.5 ten ''; do
  expect 2 '^fencepost: --threads' stress --threads "$number"
done
expect 2 '^fencepost: --seed' stress --seed -1
expect 2 'none\|same-core\|smt\|other-core\|all' stress --affinity everywhere
expect 2 "cannot write '$scratch/none/x'" stress sample --json "$scratch/none/x"
expect 2 "cannot write '$scratch/none/x'" stress sample --junit "$scratch/none/x"
expect 2 'only one file can go to standard output' stress sample --json - --junit -
expect 2 'add --faults' stress fault
expect 2 "^fencepost: --merge: cannot read '$scratch/none'" stress --merge "$scratch/none"
for text in '' '[1]' '{"format": 1, "command": "verify", "scenarios": []}' \
  '{"format": 1, "command": "stress", "machines": 1, "scenarios": []}'; do
  printf '%s' "$text" >"$scratch/other"
  expect 2 "other' is not what 'fencepost stress --json FILE' wrote" stress --merge "$scratch/other"
done
expect 2 'merge runs nothing' stress --merge "$scratch/other" --seconds 5
for option in --seconds --threads --affinity --seed --json --junit --merge --faults --emulated; do
  expect 0 "$option" stress --help
done

# The output begins with what the machine shows, and states what this is no evidence for.
expect 0 '^1 scenario on real threads, 0.20 s in all, seed 7$' stress sample "${brief[@]}"
expect 0 '^  litmus/sb +0, 0 +([0-9,]+|never) +[0-9,]+  SB: ' stress sample "${brief[@]}"
case $(uname -m) in
  x86_64) expect 0 '^Neither MP nor LB was seen' stress sample "${brief[@]}" ;;
esac
expect 0 'MP\) or load buffering \(LB\) was not run' stress sample "${brief[@]}" --no-calibration
expect 0 'This program runs under an emulator, tcg' stress sample "${brief[@]}" --emulated tcg
FENCEPOST_EMULATED=tcg expect 0 'emulated' stress sample "${brief[@]}"

# The exit status tells the results apart.
expect 0 '^ok +sample/holds +[0-9,]+ +[0-9.]+ s  not seen broken$' stress sample "${brief[@]}"
expect 1 '^FAIL +bad/breaks .* broken [0-9,]+ times$' stress bad/breaks "${brief[@]}"
expect 1 'assertion: something <happens>$' stress bad/breaks "${brief[@]}"
expect 1 'stress_fixture.cpp:[0-9]+ after, [0-9,]+ times, first after [0-9.]+ s, seed 7$' \
  stress bad/breaks "${brief[@]}"
expect 1 '^         1 +[0-9,]+ +100.00 %  forbidden +must not be$' stress bad/forbidden "${brief[@]}"
expect 1 '^         2 +0 +0 %  interesting +never seen$' stress bad/forbidden "${brief[@]}"
expect 1 'forbidden +the scenario does not list it$' stress bad/unknown_outcome "${brief[@]}"
expect 1 'liveness: no thread has returned for 0.5 seconds: thread 0 in thread' \
  stress bad/hangs --stuck 0.5 "${brief[@]}"
# AddressSanitizer handles the signal itself, and may abort if two threads raise it at once.
expect 1 'crash: (signal (11|6)|the process ended with status)' stress bad/crashes "${brief[@]}"
expect 1 '^ok +sample/holds' stress bad sample --stuck 0.5 "${brief[@]}"
expect 1 '^1 of 6 scenarios not seen broken, 5 broken$' stress bad sample --stuck 0.5 "${brief[@]}"
# Planted faults run only on request; one that is not seen proves nothing.
expect 0 '^ok +fault/seen .*expected violation \(assertion\): seen' stress fault/seen "${brief[@]}"
expect 0 '^- +fault/not_seen .*data race\): not seen, which is no evidence' \
  stress fault --faults "${brief[@]}"
expect 0 '1 of 2 expected violations seen' stress fault --faults "${brief[@]}"
"$program" stress sample 'fault/*' "${brief[@]}" | grep -q 'fault/' && fail 'runs faults unasked'
expect 1 'broken' stress --stuck 0.5 "${brief[@]}"

for affinity in none same-core smt other-core all; do
  expect 0 'not seen broken' stress sample --affinity $affinity "${brief[@]}"
done
expect 0 'not seen broken' stress sample --threads 8 "${brief[@]}"

# JSON and JUnit, and results that are merged and shown again without running.
"$program" stress bad/forbidden sample fault/not_seen "${brief[@]}" --json "$scratch/a.json" \
  --junit "$scratch/junit" >/dev/null
"$program" stress sample bad/breaks --seconds 0.2 --seed 8 --json - >"$scratch/b.json" 2>/dev/null
for text in '"command": "stress"' '"exit_status": 1' '"calibration"' '"status": "held"' \
  '"status": "broken"' '"status": "not seen"' '"expectation": "forbidden"'; do
  grep -q "$text" "$scratch/a.json" || fail "no $text in the JSON"
done
grep -q '<testsuites .* tests="7" failures="1" errors="0" skipped="1"' "$scratch/junit" ||
  fail 'JUnit counts'
if command -v python3 >/dev/null; then
  python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$scratch/junit" ||
    fail 'JUnit is not XML'
fi
expect 1 '^FAIL +bad/forbidden' stress --merge "$scratch/a.json" "$scratch/b.json" \
  --json "$scratch/c.json"
expect 1 '^FAIL +bad/breaks' stress --merge "$scratch/a.json" "$scratch/b.json"
expect 1 'seed 7, 8$' stress --merge "$scratch/a.json" "$scratch/b.json"
[ "$(grep -c '^What this machine shows' "$scratch/out")" = 1 ] || fail 'one machine is two'
samples() { # FILE SCENARIO
  sed -n "/\"name\": \"${2//\//\\/}\"/,/\"samples\"/s/.*\"samples\": \([0-9]*\).*/\1/p" "$1"
}
sum=$(($(samples "$scratch/a.json" sample/holds) + $(samples "$scratch/b.json" sample/holds)))
[ "$(samples "$scratch/c.json" sample/holds)" = $sum ] || fail 'samples are not added up'
sed 's/"architecture": "[^"]*"/"architecture": "another"/' "$scratch/b.json" >"$scratch/d.json"
expect 1 '^another, ' stress --merge "$scratch/a.json" "$scratch/d.json"
[ "$(grep -c '^What this machine shows' "$scratch/out")" = 2 ] || fail 'two machines are one'
# On a machine that does what C++ forbids, the other results cannot be trusted.
"$program" stress sample "${brief[@]}" --json "$scratch/e.json" >/dev/null
sed '/"name": "litmus\/sb_accesses"/,/"forbidden"/s/"count": 0/"count": 3/' "$scratch/e.json" \
  >"$scratch/f.json"
expect 0 '^  litmus/sb_accesses +0, 0 +never' stress --merge "$scratch/e.json"
expect 1 '^  litmus/sb_accesses +0, 0 +3 ' stress --merge "$scratch/f.json"
expect 1 '^litmus/sb_accesses had an outcome that C\+\+ forbids\. The compiler' stress \
  --merge "$scratch/f.json"

# Colours only when asked for; no live line in a file.
"$program" stress sample "${brief[@]}" >"$scratch/out" 2>&1
if grep -q $'[\033\r]' "$scratch/out"; then fail 'escapes in a file'; fi
"$program" stress sample "${brief[@]}" --color always | grep -q $'\033' || fail 'no colours'

# An interrupt: what was measured so far, status 3, and nothing left running.
for signal in INT TERM; do
  "$program" stress sample --seconds 600 --no-calibration --json "$scratch/int.json" \
    >"$scratch/out" 2>&1 &
  process=$!
  sleep 3
  worker=$(ps -o pid= --ppid $process 2>/dev/null)
  kill -$signal $process
  wait $process
  status=$?
  [ $status -eq 3 ] || fail "after SIG$signal the status is $status"
  grep -q '^interrupted' "$scratch/out" || fail "after SIG$signal it does not say so"
  grep -Eq '^ok +sample/holds +[1-9]' "$scratch/out" || fail "after SIG$signal results are gone"
  grep -q '"interrupted": true' "$scratch/int.json" || fail "after SIG$signal no JSON"
  for w in $worker; do
    if kill -0 "$w" 2>/dev/null; then fail "worker $w is left running"; fi
  done
done

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
