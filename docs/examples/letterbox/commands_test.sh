#!/usr/bin/env bash
# The commands of the letterbox's program: their exit statuses, and lines that they print.
#
# usage: commands_test.sh PROGRAM
set -uo pipefail
program=$1
here=$(cd "$(dirname "$0")" && pwd -P)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
unset GITHUB_ACTIONS
cd "$scratch" || exit 1
failures=0

fail() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# expect STATUS PATTERN ARGUMENT...: the last output is in the file out.
expect() {
  local status=$1 pattern=$2 got
  shift 2
  "$program" "$@" >out 2>&1 </dev/null
  got=$?
  ((got == status)) || fail "$* ended with $got, not $status: $(cat out)"
  says "$pattern"
}
says() { grep -Eq -- "$1" out || fail "no line like /$1/ in: $(cat out)"; }

expect 0 '^letterbox/letter_arrives +2 +holds' list
says '^letterbox/hasty_letter +2 +data race'
says '^3 scenarios$'

expect 0 '^3 of 3 as expected, 0 unexpected, 0 incomplete$' verify --sarif sarif --html page.html --junit junit --json json
says '^1 scenario must be violated, and is\.$'
grep -q '"results": \[\]' sarif || fail "SARIF has results"
grep -q 'testsuite name="letterbox" tests="3"' junit || fail "JUnit: $(cat junit)"
grep -q '"exit_status": 0' json || fail "JSON: $(cat json)"
grep -q 'letter_arrives' page.html || fail "the page has no scenario"

# A label of the project's header.
expect 1 'data race' verify letterbox/letter_arrives --weaken letterbox.hpp:put.full=relaxed --sarif sarif
says "explain letterbox/letter_arrives --weaken letterbox.hpp:put.full=relaxed"
grep -Eq '"uri": "([^/:][^:]*/)?letterbox\.hpp"' sarif || fail "SARIF has no place: $(cat sarif)"
expect 1 'letterbox\.hpp:put\.full' explain letterbox/letter_arrives --weaken letterbox.hpp:put.full=relaxed --labels
expect 0 '^data race: plain data is read by thread 2' explain letterbox/hasty_letter --svg graph.svg
grep -q '<svg' graph.svg || fail "no picture"
expect 2 "there is no label 'full' in 'letterbox.hpp'" verify --weaken letterbox.hpp:full=relaxed
says 'put.empty, put.full, take.full, take.empty'
expect 2 "no file 'parcel.hpp' among the headers that letterbox_model was built with: letterbox.hpp" \
  verify --weaken parcel.hpp:put=relaxed

# Annotations in a workflow of GitHub, for what is not as expected.
export GITHUB_ACTIONS=true GITHUB_WORKSPACE=$here
expect 1 '^::error file=letterbox\.hpp,line=[0-9]+::letterbox/letter_arrives: violated: data race: plain data is read' \
  verify letterbox/letter_arrives --weaken letterbox.hpp:put.full=relaxed
expect 0 '^3 of 3 as expected' verify
grep -q '^::' out && fail "an annotation of what is as expected: $(cat out)"
unset GITHUB_ACTIONS GITHUB_WORKSPACE

# Every order of the header is needed.
expect 0 'put\.full +is_full_\.store +release +relaxed +needed: data race in letterbox/letter_arrives' necessity --cache results
says '^letterbox\.hpp$'
says '^4 places, 0 of them relaxed; of the orders of the others 4 needed, 0 kept'
expect 0 '\([1-9][0-9]* known from earlier\)' necessity --cache results --json json
grep -q '"change": "letterbox.hpp:put.full=relaxed"' json || fail "JSON: $(cat json)"
expect 2 "no header of the project matches 'parcel'" necessity --cache results parcel

expect 0 '^letterbox +2 +[0-9]+ +1 +4 +0 +0 ' certificate --cache results --markdown page.md --html certificate.html
grep -q '^What was shown of each component in letterbox_model, ' page.md || fail "$(cat page.md)"
grep -q '| `put.full` | `is_full_.store` | release | `take.full` | relaxed | needed: data race in `letterbox/letter_arrives` |' page.md ||
  fail "the page has no order: $(cat page.md)"
grep -q 'guide/' page.md && fail "the page has links to nowhere"
expect 0 'page.md matches this run' certificate --cache results --check page.md
expect 0 '^letterbox\.hpp' labels
says '^4 operations in 1 file, 4 with a label; 0 findings$'
expect 0 '' stress --seconds 1 --stuck 120
says '^2 scenarios on real threads'

# Wrong usage.
expect 2 "^letterbox_model: no scenario matches 'parcel'" verify parcel
says "'letterbox_model list' shows all 3"
expect 2 "^letterbox_model: there is no command 'check'" check
expect 0 '^fencepost [0-9]' --version

((failures == 0)) && echo "all as expected"
exit $((failures != 0))
