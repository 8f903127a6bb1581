#!/bin/bash
# The command line as its users see it, on the made-up scenarios of fixture.cpp.
# usage: end_to_end.sh PROGRAM
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1

# False for a zombie: a process that has ended, but has not been waited for.
is_running() {
  local state
  state=$(ps -o stat= -p "$1") && [ "${state:0:1}" != Z ]
}

# Wrong usage: 2, and a message that names what is wrong.
expect 2 'a command is missing; the commands are list, verify'
expect 2 'nonsense' nonsense
expect 2 '--nonsense' verify --nonsense
expect 2 "no scenario matches 'sample/mesage_arrives'" verify sample/mesage_arrives
expect 2 '^  sample/message_arrives$' verify sample/mesage_arrives
expect 2 "no scenario matches 'x\*'" list sample 'x*'
expect 2 'no scenario matches' explain ''
expect 2 'no scenario is given' explain
for number in 0 -1 1.5 ten 99999999999999999999 ''; do
  expect 2 "^fencepost: --jobs" verify --jobs "$number"
  expect 2 "^fencepost: --max-executions" verify --max-executions "$number"
done
for number in 0 -1 ten inf nan ''; do
  expect 2 "^fencepost: --timeout" verify --timeout "$number"
done
expect 2 'rc20\|rc11\|c\+\+20' verify --model rc12
# Load buffering is explored only under its model, and only as a whole.
for option in '--random 10' '--bound 1' "--checkpoint $scratch/x" "--resume $scratch/x"; do
  expect 2 "^fencepost: verify: ${option%% *} cannot be used with --model xc20" verify --model xc20 $option
done
expect 2 'litmus: --reexecutions needs --model xc20' litmus x --reexecutions 1
expect 2 'verify: --reexecutions needs --model xc20' verify --reexecutions 1
expect 2 '--models cannot be combined with --save' explain slow/endless --models --save "$scratch/x"
expect 2 '--models explores sc, rc20 and xc20' explain slow/endless --models --model rc11
expect 2 'auto\|always\|never' list --color blue
expect 2 'verify --help' verify --json
expect 2 "cannot write '$scratch/none/x'" verify --json "$scratch/none/x" slow/endless
expect 2 'cannot write' list --json /dev/full

for option in --junit --sarif --html; do
  expect 2 "$option: cannot write '$scratch/none/x'" verify "$option" "$scratch/none/x" slow/endless
  expect 2 "$option: cannot write '$scratch'" verify "$option" "$scratch" slow/endless
done
expect 2 'only one file can go to standard output' verify --junit - --sarif - slow/endless
expect 2 'only one file can go to standard output' verify --json - --sarif - slow/endless

for option in --dot --svg; do
  expect 2 "$option: cannot write '$scratch/none/x'" explain slow/endless "$option" "$scratch/none/x"
  expect 2 '--dot and --svg draw one scenario; 3 match' explain sample "$option" "$scratch/picture"
done
expect 2 'only one file can go to standard output' explain slow/endless --dot - --svg -

expect 2 "--save: cannot write '$scratch/none/x'" explain slow/endless --save "$scratch/none/x"
expect 2 '3 match' explain sample --save "$scratch/saved"
expect 2 'no counterexample of sample/message_arrives to save' \
  explain sample/message_arrives --save "$scratch/saved"
expect 2 "--replay: cannot read '$scratch/none/x'" explain slow/endless --replay "$scratch/none/x"
for text in '' '{}' '[1]' '{"format": 1, "command": "verify", "scenarios": []}'; do
  printf '%s' "$text" >"$scratch/saved"
  expect 2 "saved' is not a counterexample that" explain bad/unexpected --replay "$scratch/saved"
done
printf '%s' '{"format": 1, "command": "explain --save", "scenario": "other/one", "violation": {"path": "3"}}' \
  >"$scratch/saved"
expect 2 'is a counterexample of other/one, not of bad/unexpected' \
  explain bad/unexpected --replay "$scratch/saved"
printf '%s' '{"format": 1, "command": "explain --save", "scenario": "bad/unexpected", "violation": {}}' \
  >"$scratch/saved"
expect 2 'cannot be parsed' explain bad/unexpected --replay "$scratch/saved"
printf '%s' '{"format": 1, "command": "explain --save", "scenario": "bad/unexpected", "violation": {"path": "3"}}' \
  >"$scratch/saved"
expect 2 'cannot be parsed' explain bad/unexpected --replay "$scratch/saved"

expect 3 'No counterexample has been found so far, so --save writes nothing' \
  explain slow/endless --max-executions 5 --save "$scratch/unsaved" --json "$scratch/json"
[ -e "$scratch/unsaved" ] && fail 'a counterexample is saved that there is not'
grep -q '"exit_status": 3' "$scratch/json" || fail 'what was found beside no counterexample is lost'

# In a GitHub workflow each scenario that is not as expected has a line, wherever the text goes.
annotated() { # status, lines, argument...
  local status=$1 lines=$2 got
  shift 2
  GITHUB_ACTIONS=true GITHUB_WORKSPACE=$(cd "$(dirname "$0")" && pwd) expect "$status" '' verify "$@"
  got=$(grep -c '^::error' "$scratch/out")
  [ "$got" -eq "$lines" ] || fail "$* has $got annotations, not $lines: $(cat "$scratch/out")"
}
annotated 1 1 bad/unexpected
grep -Eq '^::error file=fixture.cpp,line=[0-9]+::bad/unexpected: violated' "$scratch/out" ||
  fail "no place: $(cat "$scratch/out")"
annotated 1 1 bad/unexpected --json -
annotated 0 0 sample
GITHUB_ACTIONS=false expect 1 '' verify bad/unexpected
grep -q '^::' "$scratch/out" && fail 'an annotation where there is no workflow'

# Help and version.
expect 0 'Usage' --help
expect 0 '^fencepost [0-9]' --version
expect 0 '^fencepost [0-9]' version
expect 0 '^  verify ' help
expect 0 '^Usage: fencepost verify ' help verify
for command in '' verify stress litmus; do
  # shellcheck disable=SC2086
  [ "$("$program" help $command)" = "$("$program" $command --help)" ] || fail "help $command differs"
done
for command in list verify explain litmus necessity certificate labels stress help version; do
  expect 0 '^Exit status: 0' $command --help
  if grep -q '{false}' "$scratch/out"; then fail "help of $command shows what is inside"; fi
done
if "$program" litmus --help | grep -q '1 something'; then fail 'litmus has no exit status 1'; fi
for command in list verify explain litmus necessity labels; do
  for option in --json --jobs --model --help; do
    expect 0 "$option" $command --help
  done
done

for command in '' list verify shard merge explain litmus necessity certificate labels stress; do
  # shellcheck disable=SC2086
  long=$("$program" help $command | awk 'length > 100')
  [ -z "$long" ] || fail "help $command has long lines: $long"
done

# Larger scenarios run only on request.
expect 2 'add --nightly' verify large
expect 0 'large/takes_minutes .*verified$' verify large --nightly
expect 0 'large/takes_minutes .*verified$' verify large/takes_minutes
expect 0 '^1 larger scenario is left out' verify sample large

# Shards are disjoint, and together they have all scenarios.
all=$("$program" verify sample --json - 2>/dev/null | grep -c '^ *"name": ')
parts=0
for number in 1 2 3; do
  "$program" verify sample --shard $number/3 --json - 2>/dev/null | grep '^ *"name": ' >"$scratch/shard$number"
  parts=$((parts + $(wc -l <"$scratch/shard$number")))
done
twice=$(sort "$scratch"/shard? | uniq -d)
if [ "$parts" -ne "$all" ] || [ -n "$twice" ]; then
  echo "FAIL: three shards have $parts of $all scenarios, twice: $twice"
  failures=$((failures + 1))
fi
expect 2 "'0/3' is not K/N" verify --shard 0/3
expect 2 "'4/3' is not K/N" verify --shard 4/3
expect 2 "'2' is not K/N" verify --shard 2
expect 2 'only [0-9]* scenarios to share' verify sample --shard 999/999
expect 0 'shard 2 of 2' verify sample --shard 2/2

# The exit status tells the results apart.
expect 0 'verified$' verify sample
expect 0 'violated, as expected \(data race\)' verify 'sample/relaxed*'
expect 1 'violated: assertion$' verify bad/unexpected
expect 1 'explain bad/unexpected$' verify bad/unexpected
expect 1 '#5 .*load acquire ready = 1, from #3' verify bad/unexpected
expect 1 'no violation found, expected: leak' verify bad/not_found
expect 1 'violated: assertion, expected: leak' verify bad/of_another_kind
expect 1 'violated: crash' verify bad/crashes
expect 1 'what it said last' verify bad/crashes
expect 1 '^ok .*message_arrives' verify bad sample --jobs 2
expect 3 '^LIMIT .*limit of 100 executions' verify slow/endless --max-executions 100
expect 3 '^LIMIT .*time limit' verify slow/endless --timeout 0.2
expect 1 '1 unexpected, 1 incomplete' verify slow/endless bad/not_found --timeout 0.2
if "$program" verify slow/endless --max-executions 5 | grep -qi exhaustive; then
  fail 'says exhaustive of what was not'
fi

# A second implementation judges each graph; one that it rejects is a fault of the checker.
expect 0 '^1,234,621 of 1,234,621 graphs confirmed by a second implementation\.$' verify sample --recheck
expect 0 '' verify sample --recheck --json "$scratch/json"
grep -q '"confirmed": 1234621' "$scratch/json" || fail "the summary does not say what is confirmed"
if "$program" verify sample 2>&1 | grep -q 'second implementation'; then
  fail 'says recheck without being asked'
fi
expect 1 'large/takes_minutes .*a fault of the checker: the axioms reject a graph$' \
  verify large/takes_minutes --recheck
expect 1 '^         #1 of thread 1: load relaxed location 0$' verify large/takes_minutes --recheck
expect 1 'it was explored before' verify large/takes_minutes --recheck --accept-incomplete
expect 1 '^123,456,779 of 123,456,789 graphs confirmed by a second implementation, 3 rejected, 7 not judged' \
  verify large/takes_minutes --recheck

# A space explored in part is never verified; the status is 3 unless that is accepted.
for number in 0 -1 1.5 ten ''; do
  expect 2 "^fencepost: --random" verify part --random "$number"
done
for number in -1 1.5 ten 1001 ''; do
  expect 2 "^fencepost: --bound" verify part --bound "$number"
  expect 2 "^fencepost: --bound" explain part --bound "$number"
done
for number in -1 ten ''; do
  expect 2 "^fencepost: --seed" verify part --random 10 --seed "$number"
done
for command in verify explain; do
  expect 2 '--random and --bound cannot be combined' $command part --random 10 --bound 2
  expect 2 '--seed needs --random' $command part --seed 3
  expect 2 '--seed needs --random' $command part --bound 2 --seed 3
done
expect 3 '^LIMIT .*1,000 random executions with seed 1, 800 different of an estimated 1,244 or more; the next one is new with a probability of about 30 %' \
  verify part --random 1000
expect 3 'under rc20; each with 1,000 random executions, seed 0$' verify part --random 1000 --seed 0
expect 3 '^LIMIT .*bound of 2 preemptions, beyond which 17 runs went' verify part --bound 2
expect 3 '^Of 1 scenario only a part was explored \(at most 1 preemption\)' verify part --bound 1
expect 3 'Nothing is known of the' explain part --bound 0
expect 0 'verified$' verify part --bound 3
expect 3 'incomplete: .*; about [0-9,]+ to [0-9,]+ executions or more in all$' verify part
expect 3 'incomplete: about [0-9,]+ to [0-9,]+ executions or more, by estimate; none was explored' verify part --estimate
for other in '--random 10' '--checkpoint x' '--resume x'; do
  expect 2 '--estimate explores nothing' verify part --estimate $other
done
expect 0 '^LIMIT .*bound of 2' verify part --bound 2 --accept-incomplete
expect 0 '^LIMIT .*time limit' verify slow/endless --timeout 0.2 --accept-incomplete
expect 0 'incomplete' explain part --random 5 --accept-incomplete
expect 1 '1 unexpected, 1 incomplete' verify part bad/not_found --bound 2 --accept-incomplete
expect 1 'explain bad/unexpected --random 5 --seed 4$' verify bad/unexpected --random 5 --seed 4
expect 1 'explain bad/unexpected --bound 2$' verify bad/unexpected --bound 2
for part in '--random 1000 --seed 7' '--bound 2'; do
  # shellcheck disable=SC2086
  if "$program" verify part $part 2>&1 | grep -qi exhaustive; then fail "$part is exhaustive"; fi
done
"$program" verify part --random 1000 --seed 7 --json "$scratch/json" --junit "$scratch/junit" >/dev/null
for text in '"random": 1000' '"seed": 7' '"at_least": 1244' '"unseen": 0.3' '"verdict": "incomplete"'; do
  grep -q "$text" "$scratch/json" || fail "no $text in the JSON of --random"
done
grep -q '<testsuites .* errors="1" skipped="0"' "$scratch/junit" || fail 'JUnit of --random'
"$program" verify part --bound 2 --accept-incomplete --json "$scratch/json" --junit "$scratch/junit" >/dev/null
for text in '"bound": 2' '"cut": 17' '"accept_incomplete": true' '"exit_status": 0' '"complete": false'; do
  grep -q "$text" "$scratch/json" || fail "no $text in the JSON of --bound"
done
grep -q '<testsuites .* errors="0" skipped="1"' "$scratch/junit" || fail 'JUnit of --accept-incomplete'
grep -q '<skipped message=".*bound of 2 preemptions' "$scratch/junit" || fail 'JUnit says no bound'

# explain
expect 0 'data race: the slot' explain 'sample/relaxed*'
expect 0 'fixture.cpp:[0-9]+ send' explain 'sample/relaxed*'
expect 0 'fixture.cpp send' explain 'sample/relaxed*' --labels
"$program" explain 'sample/relaxed*' --labels | grep -q 'cpp:[0-9]' && fail '--labels cites lines'
expect 0 'explored exhaustively under c\+\+20' explain sample/message_arrives --model c++20
expect 0 '1,234,567 executions' explain sample/message_arrives
expect 1 'Not as expected' explain bad/unexpected
expect 1 'Not as expected' explain bad/not_found
expect 3 'Nothing is known of the rest' explain slow/endless --max-executions 5

# For a scenario that holds: its outcomes, and an execution of each, in text and as a picture.
expect 0 '^  0, 0 +1  interesting  neither sees the other$' explain outcomes
expect 0 '^  1, 1 +0  interesting  never seen$' explain outcomes
expect 0 '^An execution with the outcome 0, 1$' explain outcomes --svg "$scratch/svg" --dot "$scratch/dot"
[ "$(grep -c 'data-step="2"' "$scratch/svg")" = 2 ] || fail 'not a picture of each outcome'
[ "$(grep -c '^digraph "outcomes/both_look: 0, [01]"' "$scratch/dot")" = 2 ] || fail 'not two graphs'
"$program" verify outcomes | grep -q 'An execution' && fail 'verify shows executions'

# JSON: one document, alone on standard output.
"$program" verify sample bad/crashes --json - >"$scratch/json" 2>/dev/null
"$program" verify sample bad/crashes --json "$scratch/file.json" >/dev/null
for file in "$scratch/json" "$scratch/file.json"; do
  grep -q '"format": 1' "$file" && grep -q '"exit_status": 1' "$file" &&
    grep -q '"kind": "crash"' "$file" || fail "JSON in $file"
  [ "$(head -c 1 "$file")" = '{' ] || fail "$file does not begin with {"
  if command -v python3 >/dev/null; then
    python3 -m json.tool "$file" >/dev/null || fail "$file is not JSON"
  fi
done

# Pictures.
"$program" explain bad/unexpected --svg "$scratch/svg" --dot - >"$scratch/dot" 2>/dev/null
[ "$(head -c 7 "$scratch/dot")" = digraph ] || fail '--dot - is not alone on standard output'
[ "$(grep -c 'data-step=' "$scratch/svg")" = 7 ] || fail 'the picture has not seven steps'
if command -v dot >/dev/null; then dot -Tsvg "$scratch/dot" >/dev/null || fail 'not for dot'; fi

# Reports for other programs: also one document, alone on standard output.
"$program" verify sample bad --junit - --sarif "$scratch/sarif" >"$scratch/junit" 2>/dev/null
[ $? -eq 1 ] || fail 'the status of verify --junit'
[ "$(head -c 5 "$scratch/junit")" = '<?xml' ] || fail '--junit - is not alone on standard output'
grep -q '<testsuites .* tests="9" failures="6" errors="0"' "$scratch/junit" || fail 'JUnit counts'
grep -q '"version": "2.1.0"' "$scratch/sarif" || fail 'SARIF has no version'
[ "$(grep -c '"ruleIndex"' "$scratch/sarif")" = 6 ] || fail 'SARIF has not six results'

"$program" verify sample bad --html "$scratch/page" >/dev/null
[ "$(head -c 15 "$scratch/page")" = '<!doctype html>' ] || fail 'the page is not one'

# The counterexample that is shown is the shortest, as explain shows it.
grep -q 'one step more' "$scratch/junit" "$scratch/sarif" && fail 'not the shortest in JUnit or SARIF'
grep -q 'data-step=\\"8' "$scratch/page" && fail 'not the shortest in the page'
for file in junit sarif page; do
  grep -q 'shortest of 3' "$scratch/$file" || fail "$file does not say that it is the shortest"
done
"$program" verify bad/unexpected | grep -q 'one step more' && fail 'verify shows the first one'

# Colours only when asked for; no live line in a file.
"$program" verify sample >"$scratch/out" 2>&1
if grep -q $'[\033\r]' "$scratch/out"; then fail 'escapes in a file'; fi
"$program" verify sample --color always | grep -q $'\033' || fail 'no colours with --color always'

# An interrupt: what was found so far, status 3, and nothing left running. A deaf scenario is killed.
for signal in INT TERM; do
  "$program" verify sample slow/endless slow/deaf --jobs 4 --json "$scratch/int.json" \
    >"$scratch/out" 2>&1 &
  process=$!
  for _ in $(seq 600); do
    [ "$(grep -c '^ok' "$scratch/out")" = 3 ] && break
    sleep 0.1
  done
  sleep 0.3
  workers=$(ps -o pid= --ppid $process 2>/dev/null)
  kill -$signal $process
  wait $process
  status=$?
  [ $status -eq 3 ] || fail "after SIG$signal the status is $status"
  grep -q '^interrupted' "$scratch/out" || fail "after SIG$signal it does not say so"
  grep -q '^ok .*message_arrives' "$scratch/out" || fail "after SIG$signal results are gone"
  grep -q '"interrupted": true' "$scratch/int.json" || fail "after SIG$signal no JSON"
  for worker in $workers; do
    if is_running "$worker"; then fail "worker $worker is left running"; fi
  done
done

# A worker does not outlive a parent that was killed.
"$program" verify slow/endless >/dev/null 2>&1 &
process=$!
sleep 0.5
workers=$(ps -o pid= --ppid $process 2>/dev/null)
kill -KILL $process
wait $process 2>/dev/null
for worker in $workers; do
  for _ in $(seq 100); do
    is_running "$worker" || break
    sleep 0.1
  done
  if is_running "$worker"; then
    fail "worker $worker outlives its parent"
    kill -KILL "$worker"
  fi
done

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
