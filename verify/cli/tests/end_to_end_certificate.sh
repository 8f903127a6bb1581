#!/bin/bash
# fencepost certificate as its users see it, on the components of certified/ and parts/.
# usage: end_to_end_certificate.sh PROGRAM
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1
cache=$scratch/cache
page=$scratch/page.md
certificate() { echo certificate --headers tests/certified --cache "$cache" "$@"; }
export FIXTURE_CERTIFIED=1

has() { # file, line
  grep -qxF -- "$2" "$1" || fail "$(basename "$1") has no line \"$2\": $(cat "$1")"
}

# The terminal's table, and the page.
expect 0 '^letterbox +1 +[0-9]+ +1 +2 +1 +0 +[0-9.]+ m?s$' $(certificate) --markdown "$page" --html "$scratch/page.html"
has "$page" '# Certificate'
has "$page" '### letterbox'
has "$page" '| `letterbox/letter_lies_open` | with no flag, a letter \| two are written at once | violated, as expected (data race) |'
has "$page" '| `put` | `full_.store` | release | `take` | relaxed | needed: data race in `letterbox/letter_arrives` |'
has "$page" '| `looks_full` | `full_.load` | acquire |  | relaxed | kept: to have one of these |'
grep -q '^- \*\*Larger scenarios\*\*.*`letterbox/many_letters`' "$page" || fail "the larger scenario is not said to be left out"
grep -q '1 of 1 claims hold' "$page" || fail "no sum: $(cat "$page")"
grep -q '<h3 id="letterbox">letterbox</h3>' "$scratch/page.html" || fail "the HTML has no component"
if grep -Eq '(src|href)="(https?:)?//' "$scratch/page.html"; then fail "the HTML fetches something"; fi

# Each graph is judged by a second implementation: the terminal, the page and the JSON say so.
expect 0 '^[1-9][0-9,]* of [0-9,]+ graphs confirmed by a second implementation\.$' \
  $(certificate) --markdown "$scratch/again.md" --json "$scratch/json"
grep -q '^[1-9][0-9,]* of [0-9,]* graphs confirmed by a second implementation\. ' "$scratch/again.md" ||
  fail "the page does not say what is confirmed"
grep -q '"confirmed": [1-9]' "$scratch/json" || fail "the JSON does not say what is confirmed"

# The summary leaves out the tables.
expect 0 '^letterbox ' $(certificate) --summary "$scratch/summary.md"
has "$scratch/summary.md" '### letterbox'
has "$scratch/summary.md" '| [letterbox](#letterbox) | 1 | 1 | 2 | 1 | 2 | 1 |'
grep -q '1 of 1 claims hold' "$scratch/summary.md" || fail "no sum: $(cat "$scratch/summary.md")"
grep -q '^- \*\*Larger scenarios\*\*' "$scratch/summary.md" || fail "the summary does not say what it lacks"
grep -q 'letterbox/letter_arrives' "$scratch/summary.md" && fail "the summary has tables"
expect 0 'summary.md matches this run' $(certificate) --check "$scratch/summary.md"
sed 's/1 of 1 claims/2 of 2 claims/' "$scratch/summary.md" >"$scratch/other.md"
mv "$scratch/other.md" "$scratch/the other.md"
expect 1 "certificate --summary '$scratch/the other.md'\$" $(certificate) --check "$scratch/the other.md"

# Claims with a load-buffering race are explored under xc20; the page names those left unresolved.
export FIXTURE_BUFFERED=1
buffered=$scratch/buffered.md
under_xc20() { certificate --load-buffering 10000 "$@"; }
expect 0 '^letterbox +4 ' $(under_xc20) --markdown "$buffered" --summary "$scratch/summary.md" --json "$scratch/json"
grep -q '1 of them has no load-buffering race and holds under `xc20` as well. Of the other 3, explored there, 1 hold in full and 1 within 2 re-executions; for 1 it is not known, and none is violated (' "$buffered" ||
  fail "the sum does not say what holds under xc20: $(cat "$buffered")"
grep -q ' 1 hold within 2 re-executions .*; of 1 some race is not resolved; 0 need more runs: \[Under xc20\](#under-xc20) names them\. That' "$buffered" ||
  fail "the page does not say what is not known under xc20"
has "$buffered" '## Under xc20'
has "$buffered" '| letterbox | `letterbox/within` | `letterbox/unresolved` |  |'
grep -q '^| `letterbox/in_full` .*| verified | holds |$' "$buffered" || fail "no verdict under xc20"
grep -q '^| `letterbox/letter_arrives` .*| holds: no load-buffering race |$' "$buffered" || fail "no verdict without a race"
grep -q '^| \[letterbox\](#letterbox) | 4 | 3 |' "$buffered" || fail "the table counts something else"
grep -q '"under_xc20": {' "$scratch/json" || fail "the JSON lacks what was explored under xc20"
expect 0 '^letterbox ' $(certificate) --load-buffering 1 --markdown "$scratch/few.md"
grep -q '^| letterbox |  .*| .*`letterbox/within`.* |$' "$scratch/few.md" || fail "a limit on runs is no limit"
FIXTURE_UNREAD=1 expect 1 '^letterbox/unread: violated: assertion under xc20$' $(under_xc20) --markdown "$scratch/unread.md"
grep -q 'not known, and \*\*one is\*\* violated (' "$scratch/unread.md" || fail "the page hides what is wrong under xc20"
expect 2 'load-buffering' $(certificate) --load-buffering many

# Without --load-buffering nothing is explored under xc20, and of a page that was made with it only
# the rest is compared.
expect 0 '^letterbox +4 ' $(certificate) --markdown "$scratch/without.md"
grep -q 'Of the other 3, none was explored there (' "$scratch/without.md" || fail "the page does not say what is missing"
grep -q '^| `letterbox/in_full` .*| verified | not explored |$' "$scratch/without.md" || fail "a verdict from nowhere"
grep -q '^## Under xc20$' "$scratch/without.md" && fail "the page names what nobody explored"
expect 0 'buffered.md matches this run, except for times; explorations under xc20 are not compared$' $(certificate) --check "$buffered"
expect 0 'summary.md matches this run' $(certificate) --check "$scratch/summary.md"
expect 0 'buffered.md matches this run, except for times$' $(under_xc20) --check "$buffered"
expect 1 'does not match' $(under_xc20) --check "$scratch/without.md"
for change in 's/1 of them has no/2 of them have no/' 's/Of the other 3/Of the other 4/' 's/| verified |/| violated |/' 's/| 4 | 3 | /| 5 | 3 | /'; do
  sed "$change" "$buffered" >"$scratch/other.md"
  cmp -s "$buffered" "$scratch/other.md" && fail "nothing to find in $change"
  expect 1 'does not match this run: line [0-9]+ is' $(certificate) --check "$scratch/other.md"
done
for change in 's/1 hold in full/2 hold in full/' '/^| letterbox | `/s/unresolved/another/' 's/of 1 some race/of 2 some race/' 's/| holds |$/| not explored |/' 's/| 4 | 3 | /| 4 | 4 | /'; do
  sed "$change" "$buffered" >"$scratch/other.md"
  cmp -s "$buffered" "$scratch/other.md" && fail "nothing to find in $change"
  expect 1 'does not match this run: line [0-9]+ is' $(under_xc20) --check "$scratch/other.md"
done
unset FIXTURE_BUFFERED

# Compared with a fresh run: times and compilers aside, nothing may differ.
expect 0 'page.md matches this run' $(certificate) --check "$page"
sed -E 's/[0-9.]+ (s|ms) \|$/3 min 05 s |/; s/^Compiled by .*/Compiled by something else./' "$page" >"$scratch/other.md"
expect 0 'matches this run' $(certificate) --check "$scratch/other.md"
expect 0 'matches this run' certificate --headers tests/certified --cache '' --check "$page"
for change in 's/needed: data race/needed: assertion/' '/^| `put`/d' '$d' 's/1 of 1 claims/2 of 2 claims/'; do
  sed "$change" "$page" >"$scratch/other.md"
  expect 1 'does not match this run: line [0-9]+ is' $(certificate) --check "$scratch/other.md"
done
(cat "$page" && echo 'And more.') >"$scratch/other.md"
expect 1 'line [0-9]+ should not be there' $(certificate) --check "$scratch/other.md"
FIXTURE_BROKEN=1 expect 1 '^letterbox/broken: violated: assertion' $(certificate) --markdown "$scratch/broken.md"
grep -q '\*\*violated: assertion\*\*' "$scratch/broken.md" || fail "the page hides what is wrong"
FIXTURE_BROKEN=1 expect 1 'does not match' $(certificate) --check "$page"
# With --quick only some graphs are judged. Their number is not compared, but the rest is; no page
# is written, and later runs do not reuse the results as complete ones.
graphs() { grep -oE '"graphs": [0-9]+' "$scratch/json" | awk '{ sum += $2 } END { print sum }'; }
quick="certificate --headers tests/certified --cache $scratch/quick"
expect 0 '^One graph in 16 was rechecked' $quick --quick --check "$page" --json "$scratch/json"
few=$(graphs)
expect 0 'page.md matches this run' $quick --check "$page" --json "$scratch/json"
((few < $(graphs))) || fail "quickly as many graphs are judged: $few"
sed 's/^[0-9,]* of [0-9,]* graphs/5 of 5 graphs/' "$page" >"$scratch/other.md"
cmp -s "$page" "$scratch/other.md" && fail 'the page has no number of graphs'
expect 0 'other.md matches this run' $quick --quick --check "$scratch/other.md"
expect 1 'does not match' $quick --check "$scratch/other.md"
for change in 's/needed: data race/needed: assertion/' 's/1 of 1 claims/2 of 2 claims/' 's/implementation\. /implementation, 1 rejected. /'; do
  sed "$change" "$page" >"$scratch/other.md"
  cmp -s "$page" "$scratch/other.md" && fail "nothing to find in $change"
  expect 1 'does not match this run: line [0-9]+ is' $quick --quick --check "$scratch/other.md"
done
expect 2 'cannot write a page' $quick --quick --markdown "$scratch/other.md"
# Orders that no scenario needs, and headers that no scenario uses.
unset FIXTURE_CERTIFIED
expect 1 'orders are stronger than needed' certificate --headers tests/parts --cache "$cache" --timeout 1 --markdown "$scratch/parts.md"
grep -q '\*\*stronger than any scenario needs\*\*' "$scratch/parts.md" || fail "the page hides an order"
export FIXTURE_CERTIFIED=1
expect 3 '^letterbox/letter_arrives: incomplete' \
  certificate --headers tests/certified --cache '' --max-executions 1

# Wrong usage.
expect 2 "cannot read '$scratch/none'" $(certificate) --check "$scratch/none"
expect 2 "cannot write '$scratch/none/x'" $(certificate) --markdown "$scratch/none/x"
expect 2 'tidy' $(certificate) tidy
expect 0 '--markdown' certificate --help

# An interrupt leaves the page as it is. If the run ends before the interrupt, as it may on a busy
# machine, try again.
unset FIXTURE_CERTIFIED
for _ in 1 2 3 4 5 6 7 8 9 10; do
  rm -f "$cache.2"
  cp "$page" "$scratch/kept.md"
  "$program" certificate --headers tests/parts --cache "$cache.2" --markdown "$scratch/kept.md" >"$scratch/out" 2>&1 &
  process=$!
  for _ in $(seq 600); do
    grep -q 'tidy.hpp' "$cache.2" 2>/dev/null && break
    kill -0 $process 2>/dev/null || break
    sleep 0.1
  done
  kill -INT $process 2>/dev/null
  wait $process
  status=$?
  grep -q 'no page is written' "$scratch/out" && break
done
[ $status -eq 3 ] || fail "after SIGINT the status is $status"
grep -q 'no page is written' "$scratch/out" || fail "it does not say so: $(cat "$scratch/out")"
cmp -s "$page" "$scratch/kept.md" || fail "the interrupted run wrote a page"

# JSON.
FIXTURE_CERTIFIED=1 "$program" $(certificate) --json - >"$scratch/json" 2>/dev/null
for text in '"command": "certificate"' '"component": "letterbox"' '"verdict": "needed"'; do
  grep -qF -- "$text" "$scratch/json" || fail "JSON without $text"
done

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
