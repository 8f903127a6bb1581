#!/bin/bash
# fencepost c++, cc and check, as a user sees them.
# usage: command_line.sh PROGRAM SOURCES EXAMPLE
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/../../../cli/tests/expect.sh" "$1" || exit 1
sources=$2 example=$3

# From a wrong queue to a right one.
expect 0 '' c++ -std=c++20 "$example" -o "$scratch/queue"
expect 1 '^data race: plain data is read by main and written by thread 1' check "$scratch/queue"
expect 1 'queue_program.cpp:[0-9]+ push: items_\[tail % size\] = item;' check "$scratch/queue"
sed 's/\(tail_.store(tail + 1, std::memory_order_\)relaxed/\1release/' "$example" >"$scratch/right.cpp"
cmp -s "$example" "$scratch/right.cpp" && fail 'the example has no relaxed store to repair'
expect 0 '' c++ -std=c++20 -c "$scratch/right.cpp" -o "$scratch/right.o"
expect 0 '' c++ "$scratch/right.o" -o "$scratch/right"
for model in rc20 rc11 c++20 xc20; do
  expect 0 "^right: verified: explored exhaustively under ${model//+/.}" check --model $model "$scratch/right"
done
expect 0 '' check --recheck "$scratch/right"
expect 0 '^Violated, as expected' check --expect violation "$scratch/queue"
expect 1 'there is none' check --expect violation "$scratch/right"
expect 3 'incomplete' check --expect violation --max-executions 1 "$scratch/right"
expect 3 'incomplete' check --max-executions 1 "$scratch/right"

# Load buffering.
expect 0 '' c++ -std=c++20 "$sources/read_under_lock.cpp" -o "$scratch/relaxed"
expect 0 '2 load-buffering races: the read at read_under_lock.cpp:' check "$scratch/relaxed"
expect 1 '^assertion: assert\(seen == 0 .* read == 0\) \(load buffering\)$' check --model xc20 "$scratch/relaxed"
expect 1 'release on #' check --model xc20 --reexecutions 1 "$scratch/relaxed"
expect 0 '' c++ -std=c++20 -DUNLOCK=release "$sources/read_under_lock.cpp" -o "$scratch/released"
expect 0 'no load-buffering race: as under rc20' check --model xc20 "$scratch/released"
expect 2 'check: --reexecutions needs --model xc20' check --reexecutions 1 "$scratch/released"

# Without optimization, a read whose value is not used remains.
cat >"$scratch/unused.c" <<'END'
#include <pthread.h>
int n;
void* reads(void* p) {
  int m = n;
  (void)m;
  return p;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  n = 1;
  return pthread_join(t, 0);
}
END
expect 0 '' cc "$scratch/unused.c" -o "$scratch/unused"
expect 1 '^data race' check "$scratch/unused"
grep -q 'optimi' "$scratch/out" && fail 'it is not optimized'

# Structures that gcc passes and returns are hidden without our plugin, which does not work with
# every option.
expect 0 '' cc -fnon-call-exceptions "$scratch/unused.c" -o "$scratch/unused"
expect 1 "'s = f\(\);'" check "$scratch/unused"
expect 0 'verified' check "$scratch/right"
if [[ -e ${program%/*}/../lib/fencepost/gcc_structures.so ]]; then
  grep -q "'s = f();'" "$scratch/out" && fail 'it hides no structures'
  expect 0 '' cc -save-temps=obj "$scratch/unused.c" -o "$scratch/unused"
  expect 1 'Not watched' check "$scratch/unused"
  grep -q "'s = f();'" "$scratch/out" && fail 'it hides no structures after it was preprocessed'
fi

expect 0 '' cc -O2 -c "$scratch/unused.c" -o "$scratch/unused.o"
expect 0 '' cc "$scratch/unused.o" -o "$scratch/unused"
expect 0 '^Compiled with optimization: accesses that the compiler has removed' check "$scratch/unused"
expect 0 '"optimized": true' check --json - "$scratch/unused"
says '^ *"gcc [0-9.]+ -O2"$'
expect 0 '^Compiled by gcc [0-9.]+ -O2.$' check "$scratch/unused"
expect 0 '' c++ -O1 -c "$scratch/right.cpp" -o "$scratch/right.o"
printf 'int unused_too(void) { return 0; }\n' >"$scratch/too.c"
expect 0 '' cc -O -O0 -c "$scratch/too.c" -o "$scratch/too.o"
expect 0 '' c++ "$scratch/right.o" "$scratch/too.o" -o "$scratch/mixed"
expect 0 '^Compiled by g[+][+] [0-9.]+ -O1, gcc [0-9.]+ -O0.$' check "$scratch/mixed"
objcopy --remove-section=.GCC.command.line "$scratch/mixed"
expect 0 '^Compiled by GCC [0-9.]+.$' check "$scratch/mixed"

# A part that was not compiled by fencepost cc: its race is missed, and the verdict says so.
cat >"$scratch/elsewhere.c" <<end
int count;
void counts(void) { ++count; }
end
cat >"$scratch/counts.c" <<end
#include <pthread.h>
void counts(void);
static void* other(void* nothing) {
  counts();
  return nothing;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  counts();
  pthread_join(thread, 0);
}
end
cc -c "$scratch/elsewhere.c" -o "$scratch/elsewhere.o" || exit 1
expect 0 '' cc "$scratch/counts.c" "$scratch/elsewhere.o" -o "$scratch/counts"
expect 0 '^Not compiled by fencepost c[+][+] or cc, so no access there is watched: elsewhere.c.$' check "$scratch/counts"
expect 0 '^ *"unwatched_parts": \[' check --json - "$scratch/counts"
says '^ *"elsewhere.c"$'
says '^ *"Not compiled by fencepost c[+][+] or cc, so no access there is watched: elsewhere.c."'
expect 0 'so no access there is watched: elsewhere.c' check --sarif - "$scratch/counts"
expect 0 '' cc "$scratch/counts.c" "$scratch/elsewhere.c" -o "$scratch/counts"
expect 1 '^data race' check "$scratch/counts"

# Freed addresses that are reused.
expect 0 '' c++ -std=c++20 "$sources/addresses_again.cpp" -o "$scratch/addresses"
expect 0 'of another object \(ABA\): --reuse-addresses.' check "$scratch/addresses" comes_back_to_its_thread
expect 0 '"aba_not_covered": true' check --json - "$scratch/addresses" comes_back_to_its_thread
says '"reuse_addresses": "never"'
says '"unwatched_parts": \[\]'
expect 0 'of another object \(ABA\): --reuse-addresses.' check --sarif - "$scratch/addresses" comes_back_to_its_thread
expect 1 '"aba_not_covered": false' check --reuse-addresses thread --json - "$scratch/addresses" comes_back_to_its_thread
says '"reuse_addresses": "thread"'
expect 1 '^assertion' check --reuse-addresses thread "$scratch/addresses" comes_back_to_its_thread
expect 0 'comes back to the thread' check --reuse-addresses thread "$scratch/addresses" comes_back_to_another_thread
expect 1 '^assertion' check --reuse-addresses all "$scratch/addresses" comes_back_to_another_thread
expect 0 '"optimized": false' check --json - "$scratch/right"

# Programs compiled with checks of sizes and indices.
cat >"$scratch/checks.cpp" <<'END'
#include <cstdio>
#include <cstring>
#include <vector>
int main(int argc, char** argv) {
  char text[20] = "";
  std::strncat(text, argv[0], 5);
  std::printf("%s", text);
  const std::vector<int> all(static_cast<unsigned>(argc));
  return all[static_cast<unsigned>(argc) - (argc > 1 ? 0 : 1)];
}
END
expect 0 '' c++ -O1 -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS "$scratch/checks.cpp" -o "$scratch/checks"
expect 0 'verified' check "$scratch/checks"
expect 1 '^assertion: an assertion of the C[+][+] library: __n < this->size\(\)' check "$scratch/checks" -- more

# Accesses to data of one thread only are not shown, unless all steps are requested.
expect 1 '^Not shown: accesses to plain data that no other thread accesses' check "$scratch/queue"
shown=$(grep -c '^#' "$scratch/out")
expect 1 '^#1 ' check --steps 0 "$scratch/queue"
(($(grep -c '^#' "$scratch/out") > shown)) || fail 'no more steps are shown'
grep -q '^Not shown' "$scratch/out" && fail 'not all steps are shown'
expect 2 'steps' check --steps -1 "$scratch/queue"

# Variables are shown by name: global ones always, others where the source line shows the name.
mailbox=$(dirname "$example")/mailbox.cpp
expect 0 '' c++ -std=c++20 "$mailbox" -o "$scratch/mailbox"
expect 1 'its read of letter \(#[0-9]+\) is not ordered after the write' check "$scratch/mailbox"
sed 's/^\(int letter\|std::atomic<bool> full\)/static &/; s/^static int letter = 0;//; s/^int main() {/& int letter = 0;/; s/\[\]/[\&]/' "$mailbox" >"$scratch/local.cpp"
expect 0 '' c++ -std=c++20 "$scratch/local.cpp" -o "$scratch/local"
expect 1 'main read full = 1 ' check "$scratch/local"
grep -q 'full@' "$scratch/out" && fail "a plain variable has the name of the atomic beside it: $(<"$scratch/out")"

# Output files, for people and for other programs.
expect 0 '' c++ -std=c++20 "$(dirname "$example")/visitor_tests.cpp" -o "$scratch/visitors"
(cd "$(dirname "$mailbox")" && "$program" check --svg "$scratch/svg" --dot "$scratch/dot" --html "$scratch/html" \
  --sarif "$scratch/sarif" --junit "$scratch/junit" --json "$scratch/json" "$scratch/mailbox") >"$scratch/out" 2>&1
(($? == 1)) || fail "files of a violated program: $(<"$scratch/out")"
while read -r file pattern; do
  grep -Eq -- "$pattern" "$scratch/$file" || fail "--$file does not say $pattern"
done <<'END'
svg write letter
dot digraph "mailbox"
html violated
sarif "uri": "mailbox.cpp"
junit <testsuites name="fencepost check --model rc20" tests="1" failures="1"
junit <testcase classname="mailbox" name="mailbox"
junit <property name="compiler" value="g\+\+ [0-9.]+ -O0"/>
html compiled by g\+\+ [0-9.]+ -O0
sarif "g\+\+ [0-9.]+ -O0"
json "text": "store relaxed
json "explanation": "main read full = 1
END
expect 0 '<svg' check --svg - "$scratch/right"
expect 1 'testsuites .*tests="2" failures="1"' check --each-test --junit - "$scratch/visitors"
expect 0 'tests="1" failures="0"' check --expect violation --junit - "$scratch/mailbox"
expect 2 '--svg and --dot draw one program or test; omit --each-test' check --each-test --svg - "$scratch/visitors"
expect 2 'omit --each-test and the options that write files' check --replay --json - "$scratch/mailbox"
expect 2 'cannot (write|create|open)' check --svg "$scratch/none/svg" "$scratch/mailbox"

# Runs the violating execution once more, for a debugger.
expect 1 'its read of letter' check --replay "$scratch/mailbox"
expect 0 'verified' check --replay "$scratch/right"
if command -v gdb >/dev/null && gdb -q -batch -ex run true >/dev/null 2>&1; then
  gdb -q -batch -ex 'set breakpoint pending on' -ex 'catch exec' -ex run \
    -ex 'break fencepost::verify::violation_here' -ex continue -ex bt \
    --args "$program" check --replay "$scratch/mailbox" >"$scratch/out" 2>&1
  says '^#[1-9][0-9]* .*main \(\) at .*mailbox.cpp:18'
fi

# --models tells whether an order, load buffering or the algorithm is at fault.
expect 1 '^The cause is an order that is too weak' check --models "$scratch/mailbox"
says '^  sc +verified +[0-9]+ executions'
says '^  xc20 +violated +as above'
expect 1 '^The cause is load buffering' check --models "$scratch/relaxed"
expect 0 '^It holds under each of these models' check --models "$scratch/right"
expect 1 '^The cause is the algorithm' check --models "$scratch/visitors" --gtest_filter=visitors.are_counted_by_two_steps
expect 1 '"model": "sc"' check --models --json - "$scratch/mailbox"
for model in "sc $scratch/visitors --gtest_filter=visitors.are_counted_by_two_steps" "rc20 $scratch/mailbox" \
             "xc20 $scratch/relaxed"; do
  # shellcheck disable=SC2086
  expect 1 "fencepost check --model ${model%% *}\"" check --models --junit - ${model#* }
done
expect 3 'Whether there is a violation under (xc20|rc20) is not known' check --models --max-executions 1 "$scratch/right"
expect 2 'omit --each-test, --replay and --expect' check --models --each-test "$scratch/visitors"
expect 2 'omit --model' check --models --model xc20 "$scratch/mailbox"

# An unexpected result is printed as an annotation, which a GitHub workflow shows in the source.
GITHUB_WORKSPACE=$(dirname "$example")
export GITHUB_ACTIONS=true GITHUB_WORKSPACE
expect 1 "^::error file=$(basename "$example"),line=[0-9]+::queue: data race: plain data is read by main" check "$scratch/queue"
expect 1 '^::error::right: a violation was expected$' check --expect violation "$scratch/right"
for arguments in "--expect violation $scratch/queue" "$scratch/right"; do
  # shellcheck disable=SC2086
  expect 0 '' check $arguments
  grep -q '^::' "$scratch/out" && fail "an annotation of what is as expected: $arguments"
done
unset GITHUB_ACTIONS GITHUB_WORKSPACE

# Arguments go to the program, including those that look like options.
expect 0 '' cc -std=c11 "$sources/features.c" -o "$scratch/features"
expect 0 'verified' check "$scratch/features" r
expect 1 'joined' check --spurious-wakeups 0 "$scratch/features" j
expect 1 'main\(\) returns 9' check "$scratch/features" -- --option
(cd "$scratch" && "$program" check features r >/dev/null) || fail 'a name is not that of a file here'

# GoogleTest's tests: one chosen by a filter, or each of them. Its libraries are not linked.
expect 0 '' c++ -std=c++20 "$sources/tested_queue.cpp" -lgtest -lgtest_main -o "$scratch/tests"
expect 0 'verified' check "$scratch/tests" --gtest_filter=letters.are_read_as_sent
expect 0 '' c++ -std=c++17 -O2 "$sources/tested_queue.cpp" -o "$scratch/optimised"
expect 0 'verified' check "$scratch/optimised" --gtest_filter=letters.are_read_as_sent
"$program" check "$scratch/tests" --gtest_list_tests >"$scratch/in_order" || fail 'no list of tests'
expect 0 '' check "$scratch/optimised" --gtest_list_tests
cmp "$scratch/in_order" "$scratch/out" || fail 'another order of tests where they are optimised'
expect 1 '^assertion: EXPECT_EQ.n, 5.: n is ' check "$scratch/tests" --gtest_filter=counts.are_lost
expect 1 'tested_queue.cpp:[0-9]+, in TestBody' check "$scratch/tests" --gtest_filter=counts.are_lost
expect 2 'no test matches --gtest_filter=none' check "$scratch/tests" --gtest_filter=none
expect 0 '^  are_read_as_sent$' check "$scratch/tests" --gtest_list_tests
expect 1 '^letters.are_read_as_sent  *verified  *2 executions$' check --each-test --json "$scratch/json" "$scratch/tests"
for line in '^counts.are_lost  *violated  *assertion: EXPECT_EQ\(n, 5\): n is .*tested_queue.cpp:[0-9]+\)$' '^counts.are_lost$' \
  '^skips.itself  *skipped' '^named/squares.are_small/n0  *verified' '^[0-9]+ tests: [0-9]+ verified, [0-9]+ violated, 2 skipped.$'; do
  grep -Eq "$line" "$scratch/out" || fail "--each-test does not say $line"
done
for line in '"command": "check"' '"exit_status": 1' '"name": "counts.are_lost"' '"kind": "assertion"' '"outcome": "skipped: without a reason"' '"skipped": 2'; do
  grep -q "$line" "$scratch/json" || fail "--json does not say $line"
done
expect 0 '^2 tests: 2 verified.$' check --each-test "$scratch/tests" --gtest_filter='letters.*sent:counts.*up'
# Several tests at once print the same as one after the other, and the program is disassembled once.
mkdir "$scratch/counted"
printf '#!/bin/sh\necho >>"%s"\nexec "%s" "$@"\n' "$scratch/looks" "$(command -v objdump)" \
  >"$scratch/counted/$(uname -m)-linux-gnu-objdump"
chmod +x "$scratch/counted/"*
for jobs in 1 2 5; do
  : >"$scratch/looks"
  PATH=$scratch/counted:$PATH expect 1 '^counts.are_lost$' check --each-test --jobs $jobs "$scratch/tests"
  sed 's/[0-9.]* s\b/TIME/' "$scratch/out" >"$scratch/by_$jobs"
  cmp "$scratch/by_1" "$scratch/by_$jobs" || fail "--each-test says something else with $jobs jobs"
  [[ $(wc -l <"$scratch/looks") == 1 ]] || fail "$(wc -l <"$scratch/looks") looks at the program, not 1"
done
expect 1 '^2 tests: 1 verified, 1 violated.$' check --each-test "$scratch/visitors"
expect 2 'no test matches' check --each-test "$scratch/tests" --gtest_filter=none
expect 2 'does not call RUN_ALL_TESTS' check --each-test "$scratch/right"
expect 2 '--each-test and --expect cannot be combined' check --each-test --expect violation "$scratch/tests"
expect 0 '"verdict": "verified"' check --json - "$scratch/right"
for test in 'TEST(a, b) { EXPECT_DEATH(abort(), ""); }' 'TEST(a, b) { EXPECT_THAT(1, 1); }'; do
  printf '#include <gtest/gtest.h>\n%s\n' "$test" >"$scratch/refused.cpp"
  expect 1 'fencepost: EXPECT_(DEATH: death tests start processes|THAT is GoogleMock)' c++ "$scratch/refused.cpp" -o "$scratch/refused"
done
printf '#include <gmock/gmock.h>\n' >"$scratch/refused.cpp"
expect 1 'GoogleMock is not modelled' c++ -c "$scratch/refused.cpp" -o "$scratch/refused"
# The library would run their steps one after the other.
printf '%s\n' '#include <algorithm>' '#include <execution>' 'int sum, all[3];' 'int main() {' \
  '  std::for_each(std::execution::POLICY, all, all + 3, [](int n) { sum += n; }); }' >"$scratch/refused.cpp"
for policy in par par_unseq; do
  expect 1 'fencepost: .* not modelled; instead: ' c++ -std=c++20 -DPOLICY=$policy -c "$scratch/refused.cpp" \
    -o "$scratch/refused"
done

# C functions keep their names, including those that look like mangled C++ names.
printf '%s\n' 'int f(int n) { __atomic_store_n(&n, 1, 0); return n; }' 'int main() { return f(0); }' >"$scratch/f.c"
expect 0 '' cc "$scratch/f.c" -o "$scratch/f"
expect 1 'f.c:1 f: ' check "$scratch/f"

# Atomic instructions that no hook announces are refused: in assembly code, and in objects that were
# compiled without the hooks.
printf '%s\n' '#include <thread>' 'int x;' 'void add() { asm volatile("lock; incl %0" : "+m"(x)); }' \
  'int main() { std::thread t(add); add(); t.join(); }' >"$scratch/assembly.cpp"
expect 0 '' c++ -std=c++20 "$scratch/assembly.cpp" -o "$scratch/assembly"
expect 2 "'lock incl .*' in add\(\) at assembly.cpp:3" check "$scratch/assembly"
printf '%s\n' '#include <atomic>' 'std::atomic<int> x;' 'void add() { ++x; }' >"$scratch/apart.cpp"
"${FENCEPOST_CXX:-c++}" -std=c++20 -c "$scratch/apart.cpp" -o "$scratch/apart.o" || fail 'apart.cpp'
printf '%s\n' '#include <thread>' 'void add();' 'int main() { std::thread t(add); add(); t.join(); }' \
  >"$scratch/with_apart.cpp"
expect 0 '' c++ -std=c++20 "$scratch/with_apart.cpp" "$scratch/apart.o" -o "$scratch/with_apart"
expect 2 "'lock .* in std::.*: an atomic .* code that fencepost c\+\+ or cc did not compile" check "$scratch/with_apart"
# Of other assembly code, only the operands are observed. Where threads appear to share nothing, the
# verdict says so.
sed -i 's/"lock; incl %0" : "+m"(x)/"incl (%0)" : : "r"(\&x) : "memory"/' "$scratch/assembly.cpp"
expect 0 '' c++ -std=c++20 "$scratch/assembly.cpp" -o "$scratch/assembly"
expect 0 '^No atomic object, mutex or the like was used in 2 threads: accesses by assembly code' check "$scratch/assembly"
expect 0 '' check "$scratch/right"
grep -q 'assembly code' "$scratch/out" && fail 'assembly is mentioned where there are atomics'

# A weak name that nothing defines is a null pointer. With -fPIC, the linker replaces the calls of
# __tls_get_addr(), and leaves its name; one that is left would not find the thread's variable.
printf '%s\n' 'extern int none(void) __attribute__((weak));' '_Thread_local int own = 1;' 'void ask(void) { CALL; }' \
  'int main(void) { if (none) none(); own = 2; return own - 2; }' >"$scratch/weak.c"
expect 0 '' cc -fPIC -DCALL= "$scratch/weak.c" -o "$scratch/weak"
expect 0 'verified' check "$scratch/weak"
expect 0 '' cc '-DCALL=__asm__ volatile("call __tls_get_addr@PLT")' "$scratch/weak.c" -o "$scratch/weak"
expect 2 '__tls_get_addr\(\), which the linker' check "$scratch/weak"

# In C, the cleanup functions of a thread that exits are known only with -fexceptions.
printf '%s\n' '#include <assert.h>' '#include <pthread.h>' 'static int done;' \
  'static void clean(void* to) { *(int*)to += VALUE; }' \
  'static void* leave(void* p) { pthread_cleanup_push(clean, p); pthread_exit(0); pthread_cleanup_pop(0); }' \
  'static void* stay(void* p) { pthread_cleanup_push(clean, p); pthread_cleanup_pop(1); return p; }' \
  'int main(void) { pthread_t t, u; pthread_create(&t, 0, leave, &done); pthread_join(t, 0);' \
  '  pthread_create(&u, 0, stay, &done); pthread_join(u, 0); assert(done == 2); }' >"$scratch/cleanup.c"
expect 0 '' cc -DVALUE=1 "$scratch/cleanup.c" -o "$scratch/cleanup"
expect 2 'instead: fencepost cc -fexceptions' check "$scratch/cleanup"
expect 0 '' cc -fexceptions -DVALUE=1 "$scratch/cleanup.c" -o "$scratch/cleanup"
expect 0 '^  1 execution' check "$scratch/cleanup"
expect 0 '' cc -fexceptions -DVALUE=2 "$scratch/cleanup.c" -o "$scratch/cleanup"
expect 1 '^assertion: assert\(done == 2\)' check "$scratch/cleanup"

# An interrupted check reports what was found so far. A verdict that cannot be written is an error.
printf '%s\n' '#include <atomic>' '#include <thread>' '#include <vector>' 'std::atomic<int> x;' \
  'int main() { std::vector<std::thread> all; for (int i = 0; i < 7; ++i)' \
  '  all.emplace_back([] { for (int j = 0; j < 7; ++j) ++x; });' \
  '  for (auto& t : all) t.join(); }' >"$scratch/endless.cpp"
expect 0 '' c++ -std=c++20 "$scratch/endless.cpp" -o "$scratch/endless"
for signal in INT TERM HUP; do
  for seconds in 0.5 2 8 32; do # until it has begun
    timeout --preserve-status -s $signal $seconds "$program" check "$scratch/endless" >"$scratch/said" 2>&1
    status=$?
    ((status == 3)) && break
  done
  if ((status != 3)) || ! grep -q 'incomplete under rc20: interrupted' "$scratch/said"; then
    fail "SIG$signal: $status: $(cat "$scratch/said")"
  fi
done
# Signals that arrive at once, as those of timeout(1), are one.
catches_term() { # a process
  [[ $(readlink "/proc/$1/exe") == "$scratch/endless" ]] &&
    ((0x$(sed -n 's/^SigCgt:\t//p' "/proc/$1/status") & 1 << 14))
}
for _ in {1..10}; do
  "$program" check "$scratch/endless" >"$scratch/said" 2>&1 &
  checking=$!
  for _ in {1..600}; do
    catches_term $checking && break
    sleep 0.1
  done
  kill -TERM $checking
  kill -TERM $checking
  wait $checking
  status=$?
  ((status == 3)) || fail "SIGTERM twice at once: $status: $(cat "$scratch/said")"
done
begin_to_check() { # sets `checking`, the command, and `child`, the program
  "$program" check --json - "$scratch/endless" >"$scratch/said" 2>&1 &
  checking=$!
  for _ in {1..600}; do
    child=$(cat "/proc/$checking/task/$checking/children")
    [[ -n $child ]] && break
    sleep 0.1
  done
}
begin_to_check
kill -KILL $child
wait $checking
status=$?
if ((status != 3)) || ! grep -q 'the program was ended by a signal' "$scratch/said"; then
  fail "SIGKILL of the program: $status: $(cat "$scratch/said")"
fi
# A second signal some time later ends a command that waits for its program.
begin_to_check
sleep 0.5
kill -STOP $child
kill -TERM $checking
sleep 0.5
kill -TERM $checking
wait $checking 2>/dev/null
status=$?
((status == 143)) || fail "a second SIGTERM: $status: $(cat "$scratch/said")"
# The program does not outlive a command that is killed.
begin_to_check
sleep 0.5 # the program is loaded, and explored
kill -KILL $checking
wait $checking 2>/dev/null
for _ in {1..100}; do
  kill -0 $child 2>/dev/null || break
  sleep 0.1
done
if kill -KILL $child 2>/dev/null; then fail 'the program outlives the command'; fi
"$program" check "$scratch/right" >/dev/full 2>"$scratch/said"
status=$?
if ((status != 2)) || ! grep -q 'cannot write' "$scratch/said"; then fail "a full disk: $status"; fi

# Programs that cannot be checked.
printf '#include <pthread.h>\nint main() { return pthread_cancel(pthread_self()); }\n' >"$scratch/c11.c"
expect 0 '' cc "$scratch/c11.c" -o "$scratch/c11"
expect 2 '^    instead: an atomic flag that the thread looks at$' check "$scratch/c11"
printf 'int main() { return 0; }\n' >"$scratch/plain.c"
gcc "$scratch/plain.c" -o "$scratch/plain"
expect 2 'was not linked by fencepost' check "$scratch/plain"
expect 2 'was not linked by fencepost' check "$scratch/plain.c"
expect 0 '' cc -shared -fPIC "$scratch/plain.c" -o "$scratch/libplain.so"
expect 2 'was not linked by fencepost' check "$scratch/libplain.so"
expect 2 "check: cannot read '$scratch/none'" check "$scratch/none"
for option in -static -fsanitize=address -static-libgcc -fno-sanitize=thread; do
  expect 2 "^fencepost: cc: $option cannot be used with the checker" cc $option "$scratch/plain.c"
done
FENCEPOST_CC=$scratch/none/gcc expect 2 "cannot run" cc "$scratch/plain.c"
FENCEPOST_CXX=$scratch/none/g++ expect 2 'cannot run' c++ -c "$scratch/plain.c"
[ "$(wc -l <"$scratch/out")" = 1 ] || fail "it says more than once what it cannot run: $(cat "$scratch/out")"
FENCEPOST_CC='' expect 0 '' cc "$scratch/plain.c" -o "$scratch/plain"
expect 1 'no input files' c++ -std=c++20 -o "$scratch/nothing"
expect 2 "no option '--verbose'; put the program's own arguments after --" check "$scratch/queue" --verbose
expect 2 "'verified' is not 'violation', which is the only possible value" check --expect verified "$scratch/queue"
expect 1 '' cc "$scratch/none.c"
expect 0 'The arguments for the compiler' c++ --help
expect 0 'g[+][+], or FENCEPOST_CXX of the environment .clang[+][+].' c++ --help
expect 2 'check: no program is given' check
expect 2 'rc20\|rc11' check --model rc12 "$scratch/right"

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
