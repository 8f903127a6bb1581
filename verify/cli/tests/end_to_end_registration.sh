#!/bin/bash
# The command line of another project: faulty registrations of scenarios, and commands that lack
# headers of the project. docs/examples/letterbox is a project without faults.
# usage: end_to_end_registration.sh PROGRAM
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1
wrong() { # registers, pattern
  FIXTURE_REGISTERS=$1 expect 2 "^sample: $2" list
}
wrong none 'there are no scenarios: no file of SCENARIOS has a fencepost::cli::scenarios at namespace scope$'
wrong twice "the scenario 'letterbox/arrives' in registration_fixture.cpp has the same name as another: rename one of them$"
wrong nameless "the scenario '' in registration_fixture.cpp needs a name without spaces"
wrong spaced "the scenario 'letter box' in registration_fixture.cpp needs a name without spaces"
wrong threadless "the scenario 'letterbox/none' in registration_fixture.cpp has no threads$"

expect 0 '^1 of 1 as expected' verify
cache=$scratch/cache
for command in necessity certificate labels; do
  expect 2 "^sample: $command: no headers are known; pass them to fencepost_add_model_cli\(sample" "$command"
done
for command in necessity certificate; do
  FIXTURE_HEADERS=1 expect 0 '' "$command" --json "$scratch/json"
  expect 0 '' "$command" --headers certified
done
expect 1 '; 2 findings$' labels --headers certified
expect 2 "^sample: labels: there is no folder 'nowhere'" labels --headers nowhere
expect 2 "necessity: no scenario executes an atomic access in a header of 'nowhere'" necessity --headers nowhere
FIXTURE_HEADERS=1 expect 0 '\([1-9][0-9]* known from earlier\)' necessity
FIXTURE_HEADERS=1 expect 0 '\(0 known from earlier\)' necessity --cache "$cache"
FIXTURE_HEADERS=1 expect 1 '^  +[0-9]+  put +full_.store +release +take$' labels letterbox
FIXTURE_HEADERS=1 expect 1 'data race' verify --weaken letterbox.hpp:put=relaxed
expect 0 'page without its tables' certificate --help
if grep -q 'docs/certificate.md' "$scratch/out"; then fail "help of another project's certificate"; fi
for command in c++ cc check; do
  expect 2 "^sample: there is no command '${command//+/.}'" "$command" x
done

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
