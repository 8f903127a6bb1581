#!/bin/bash
# fencepost necessity and --weaken as their users see them, on the components of parts/.
# usage: end_to_end_necessity.sh PROGRAM
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1
cache=$scratch/cache

# says_not PATTERN: the output of the last expect does not match it.
says_not() {
  if grep -Eq -- "$1" "$scratch/out"; then fail "it says /$1/: $(cat "$scratch/out")"; fi
}
# necessity HEADER...: prints the arguments for a run on these headers.
necessity() { echo necessity --headers tests/parts --cache "$cache" "$@"; }

# Wrong usage.
expect 2 "no header of tests/parts matches 'mialbox'" $(necessity mialbox)
says '^  mailbox.hpp$'
expect 2 "no scenario executes .* in a header of 'no/such/folder'" necessity --headers no/such/folder --cache ''
expect 2 "cannot write '$scratch/none/x'" necessity --headers tests/parts --cache "$scratch/none/x"
echo 'dear diary' >"$scratch/diary"
expect 2 "is not a file of results" necessity --headers tests/parts --cache "$scratch/diary"
expect 2 'cannot write' $(necessity tidy) --json "$scratch/none/x"
expect 0 '--cache' necessity --help

# Every verdict, with its exit status.
expect 0 ' 2 needed, 0 kept with a reason, 0 stronger' $(necessity tidy)
says '^ +13  ready_.store  release  relaxed  needed: data race in tidy/message_arrives$'
says '^ +16  ready_.load   acquire  relaxed  needed: data race in tidy/message_arrives$'
says_not 'mailbox'
expect 1 '' $(necessity mailbox)
says '^ +14  fence +seq_cst +acq_rel +STRONGER than any scenario needs \(2 hold\)$'
says '^ +removed +STRONGER'
says '^ +13  ready_.store +release +relaxed +needed: data race in mailbox/message_arrives$'
says '^ +17  ready_.load +acquire +relaxed +needed: data race in mailbox/message_arrives$'
says '^ +22  ready_.load +acquire +relaxed +kept: a reason that stands above$'
says '^ +25  ready_.compare_exchange_strong +relaxed +weak +needed: assertion in mailbox/is_taken$'
says '^  relaxed, nothing to weaken: line 28$'
says '^ +29  ready_.store +release +not exercised$'
says '^ +32  ready_.store +release +not exercised, kept: nobody calls it, and that is known$'
expect 1 '^ +11  flag_.store +release +not exercised$' $(necessity untested)
expect 1 'needed: data race in .*; but the source says that' $(necessity stale.hpp)
expect 1 "" $(necessity) --timeout 1  # slow does not end by itself
says '^tidy.hpp$'

# What a limit leaves unknown does not pass.
rm -f "$cache"
expect 3 'UNKNOWN: wide/meeting: incomplete' $(necessity wide) --max-executions 3 --jobs 1
says 'flags_.i..store +seq_cst +release +kept: in case somebody asks; and unknown: wide/meeting'
# The orders that a scenario needs or exercises are unknown if it was left out.
expect 3 '[1-9] unknown; 0 not exercised$' \
  necessity --headers tests/parts --cache '' mailbox --max-executions 1 --jobs 1
says '^ +14  fence +seq_cst +acq_rel +UNKNOWN: a scenario that was left out may need it$'
says '^ +29  ready_.store +release +UNKNOWN: a scenario that was left out may execute it$'
says_not 'STRONGER'
expect 1 'STRONGER' $(necessity wide)
says 'kept: in case somebody asks$'
# An order against load buffering is kept with a reason, or needed under xc20. An order that is
# needed under rc20 is needed under xc20 as well.
expect 0 ' 0 needed, 1 kept with a reason, 0 stronger' $(necessity handed)
expect 0 ' 1 needed, 0 kept with a reason, 0 stronger' $(necessity handed) --model xc20 --json "$scratch/json"
says '^ +14  free_.store +release +relaxed +needed under xc20: assertion in handed/over$'
says 'explain handed/over --weaken handed.hpp:14=relaxed --model xc20$'
# The violation that it names can be saved and replayed.
weakened=(explain handed/over --weaken handed.hpp:14=relaxed)
expect 1 '(load buffering)' "${weakened[@]}" --model xc20 --save "$scratch/saved"
grep -q '"model": "xc20"' "$scratch/saved" || fail "the model is not saved"
expect 1 '(load buffering)' "${weakened[@]}" --replay "$scratch/saved"
expect 1 'weakened +handed.hpp:14=relaxed' explain handed/over --replay "$scratch/saved"
sed 's/"path": "xc20:[^:]*/"path": "xc20:0-999/' "$scratch/saved" >"$scratch/other"
expect 2 'does not match this program' "${weakened[@]}" --replay "$scratch/other"
grep -q '"model": "xc20"' "$scratch/json" || fail "the JSON does not say under which model: $(cat "$scratch/json")"
expect 0 ' 2 needed, 0 kept with a reason, 0 stronger' $(necessity tidy) --model xc20
says '^ +13  ready_.store  release  relaxed  needed: data race in tidy/message_arrives$'
expect 1 '' $(necessity mailbox) --model xc20
says '^ +14  fence +seq_cst +acq_rel +STRONGER than any scenario needs \(2 hold\)$'
# A scenario that is violated with no order weakened says nothing about orders.
FIXTURE_BROKEN=1 expect 1 'is not verified without a change: tidy/broken: violated: assertion' $(necessity tidy)

# --weaken reproduces the violation; without it the order is unchanged.
expect 1 'data race' explain tidy/message_arrives --weaken tidy.hpp:13=relaxed
says 'store relaxed '
says 'weakened +tidy.hpp:13=relaxed'
expect 1 'violated: data race' verify tidy --weaken parts/tidy.hpp:13=relaxed
says "explain tidy/message_arrives --weaken parts/tidy.hpp:13=relaxed"
expect 0 'verified' verify tidy/message_arrives
expect 0 'verified' verify mailbox --weaken mailbox.hpp:14=removed
expect 1 'was not taken' explain mailbox/is_taken --weaken mailbox.hpp:25=weak
expect 2 'no atomic access or fence there; in this file they execute some in lines 13 16$' \
  verify tidy --weaken tidy.hpp:14=relaxed
expect 2 'no atomic access or fence in a file of that name' verify tidy --weaken mailbox.hpp:15=relaxed
expect 2 'a load, which has no such order' verify tidy --weaken tidy.hpp:16=release
expect 2 'a load, which has no such order' verify tidy --weaken tidy.hpp:16=weak
expect 0 'verified' verify tidy/message_arrives --weaken '*=seq_cst'
expect 1 'violated: data race' verify tidy/message_arrives --weaken '*=relaxed'
# --models tells a weak order from a wrong algorithm: under sc no order is weak, whatever the code
# or --weaken says.
expect 1 '^The cause is an order that is too weak' \
  explain tidy/message_arrives --models --weaken tidy.hpp:13=relaxed
says '^  sc +verified'
says '^  rc20 +violated'
says '^  xc20 +violated +as above'
expect 0 '^It holds under each of these models' explain tidy/message_arrives --models
says '^  xc20 +verified'
expect 1 '^The cause is the algorithm' explain mailbox/is_taken --models --weaken mailbox.hpp:25=weak
says '^  sc +violated'
for change in tidy.hpp tidy.hpp:13 tidy.hpp:13= tidy.hpp:x=relaxed tidy.hpp:13=stronger :14=relaxed ''; do
  expect 2 '^fencepost: --weaken' verify tidy --weaken "$change"
done

# Results are reused until the code changes.
rm -f "$cache"
expect 0 '2 checks with an order weakened \(0 known from earlier\)' $(necessity tidy)
expect 0 '2 checks with an order weakened \(2 known from earlier\)' $(necessity tidy)
says 'needed: data race in tidy/message_arrives'
FIXTURE_DIGEST=second expect 0 '\(0 known from earlier\)' $(necessity tidy)
expect 0 '\(0 known from earlier\)' necessity --headers tests/parts --cache '' tidy

# JSON: one document, alone on standard output.
"$program" $(necessity mailbox tidy) --json - >"$scratch/json" 2>/dev/null
for text in '"command": "necessity"' '"exit_status": 1' '"verdict": "stronger than any scenario needs"' \
  '"change": "tidy.hpp:13=relaxed"' '"violation": "data race"' '"not_exercised": 1'; do
  grep -qF -- "$text" "$scratch/json" || fail "JSON without $text"
done
if command -v python3 >/dev/null; then
  python3 -m json.tool "$scratch/json" >/dev/null || fail "it is not JSON"
fi

# Labels: beside the line in the table, in the JSON, and as the place that is weakened.
expect 1 '' $(necessity named)
says '^  line  label +operation +order +weaker +verdict$'
says '^ +15  send.first +first_.store +release +relaxed +STRONGER'
says '^ +15  send.ready +ready_.store +release +relaxed +needed: data race in named/message_arrives$'
says '^ +19  receive.ready +ready_.load +acquire +relaxed +needed: data race in named/message_arrives$'
says '^  relaxed, nothing to weaken: peek$'
says '^Why named.hpp:send.ready is needed'
says 'explain named/message_arrives --weaken named.hpp:send.ready=relaxed$'
"$program" $(necessity named) --json - >"$scratch/json" 2>/dev/null
for text in '"label": "send.ready"' '"change": "named.hpp:send.ready=relaxed"' '"label": "peek"'; do
  grep -qF -- "$text" "$scratch/json" || fail "JSON without $text"
done
expect 1 'violated: data race' verify named --weaken named.hpp:receive.ready=relaxed
says "explain named/message_arrives --weaken named.hpp:receive.ready=relaxed"
expect 1 'weakened +parts/named.hpp:send.ready=relaxed' \
  explain named/message_arrives --weaken parts/named.hpp:send.ready=relaxed
# Of two operations on a line only the named one is weakened.
expect 0 'verified' verify named --weaken named.hpp:send.first=relaxed
expect 2 "several files have the label 'send.ready'; name one of them:" verify named --weaken named.hpp:send.ready=relaxed
says '^  verify/cli/tests/parts/named.hpp$'
expect 2 "no label 'gone' in 'parts/named.hpp'" verify named --weaken parts/named.hpp:gone=relaxed
says 'has the labels send.first, send.ready, receive.ready, peek$'
expect 2 "no label 'send' in 'tidy.hpp', which has none" verify tidy --weaken tidy.hpp:send=relaxed
expect 2 "there is no file 'nobody.hpp'" verify tidy --weaken nobody.hpp:send=relaxed
expect 2 'has that label twice' verify named --weaken used_twice.hpp:put=relaxed
expect 2 'the label belongs to no operation' verify named --weaken no_operation.hpp:get=relaxed
expect 2 'execute no atomic access or fence in a file of that name' verify named --weaken named.hpp:reply=acquire
expect 2 'a load, which has no such order' verify named --weaken named.hpp:receive.ready=release
expect 2 'no atomic access or fence there; in this file they execute some at peek$' \
  verify named/peek --weaken parts/named.hpp:send.ready=relaxed
for change in named.hpp:peek named.hpp:peek= named.hpp:peek=stronger :peek=relaxed named.hpp:peek:3=relaxed \
  named.hpp:15:peek=relaxed named.hpp:Peek=relaxed named.hpp:.peek=relaxed; do
  expect 2 '^fencepost: --weaken' verify named --weaken "$change"
done
# A label that belongs to no place in the table.
expect 1 '^tests/parts/loose.hpp:6: \[gone\]: this label belongs to none of these places$' $(necessity loose)

# Compiled code is listed without a verdict on its orders.
expect 0 '; 2 more in compiled code, outside the scenarios$' $(necessity tidy box) --sources tests/compiled
says '^tests/compiled/box.cpp: compiled code, which no scenario explores$'
says '^ +9  fill +full.store +release +outside the scenarios, kept: it is not a header$'
says '^ +12  is_full +full.load +acquire +outside the scenarios$'
expect 2 "no folder '.*/tests/nowhere'" $(necessity tidy) --sources tests/nowhere
expect 2 "matches 'box'" $(necessity box)

# An interrupt: status 3, results so far are shown, and the next run continues from there.
rm -f "$cache"
for signal in INT TERM; do
  "$program" $(necessity tidy slow) --jobs 2 >"$scratch/out" 2>&1 &
  process=$!
  for _ in $(seq 600); do
    [ "$(grep -c 'tidy.hpp:1[36]=' "$cache" 2>/dev/null)" = 2 ] && break
    sleep 0.1
  done
  sleep 0.3
  kill -$signal $process
  wait $process
  status=$?
  [ $status -eq 3 ] || fail "after SIG$signal the status is $status"
  says '^interrupted: to continue, run the same command again'
  says 'needed: data race in tidy/message_arrives'
  says 'flag_.store +release +relaxed +not run'
done
expect 0 '\(2 known from earlier\)' $(necessity tidy)

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
