#!/bin/bash
# fencepost c++ and cc with clang, as a user sees them.
# usage: clang_commands.sh PROGRAM SOURCES
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/../../../cli/tests/expect.sh" "$1" || exit 1
sources=$2
if ! clang++ --version >/dev/null 2>&1 || ! clang --version >/dev/null 2>&1; then
  echo "skipped: clang is not installed"
  exit 77
fi
export FENCEPOST_CXX=clang++ FENCEPOST_CC=clang

# Results without optimization, and with it, where the compiler leaves the access.
for level in -O0 -O1; do
  expect 0 '' c++ -std=c++20 $level "$sources/clang_programs.cpp" -o "$scratch/programs"
  while read -r status name pattern; do
    [[ $level == -O1 && $pattern == *'(-O0)' ]] && continue
    expect "$status" "${pattern% (-O0)}" check "$scratch/programs" "$name"
  done <<'END'
1 member_of_a_variable at .*clang_programs.cpp:18, (-O0)
0 members_beside_each_other verified
0 changed_where_it_was_atomic verified
0 atomic_that_stays 1 execution, 0 blocked
0 long_computation verified
0 variable_between_atomics verified
1 weak_exchange ^assertion: assert\(x.compare_exchange_weak
0 strong_exchange 1 execution, 0 blocked
0 weak_exchange_that_fails verified
1 weak_wide_exchange ^assertion: assert\(wide.compare_exchange_weak
0 wide_exchange 1 execution, 0 blocked
1 byte_without_value the object is not initialized (-O0)
1 number_without_value the object is not initialized
0 number_with_a_value verified
1 passed_by_value ^data race (-O0)
1 assigned_what_is_returned ^data race (-O0)
0 counted_pointer verified
0 strong_exchange ^Compiled by .*[Cc]lang [0-9.]+ -O[01]\.$
END
done

# With -mcx16, clang leaves an atomic load of 16 bytes in place after the call that announces it,
# which is accepted. The same instruction in assembly code is refused.
cat >"$scratch/wide.cpp" <<'END'
#include <atomic>
#include <cassert>
#include <thread>
struct alignas(16) numbered {
  long value, number;
};
std::atomic<numbered> head;
alignas(16) long other[2];
int main() {
  std::thread t([] { head.store({1, 1}); });
  const numbered seen = head.load();
#ifdef ASSEMBLY
  asm volatile("lock cmpxchg16b (%0)" : : "r"(other), "a"(0), "d"(0), "b"(0), "c"(0) : "cc", "memory");
#endif
  assert(seen.value == seen.number);
  t.join();
}
END
for level in -O0 -O1 -O2; do
  expect 0 '' c++ -std=c++20 $level -mcx16 "$scratch/wide.cpp" -o "$scratch/wide"
  expect 0 '^  2 executions, 0 blocked' check "$scratch/wide"
  expect 0 '' c++ -std=c++20 $level -mcx16 -DASSEMBLY "$scratch/wide.cpp" -o "$scratch/wide"
  expect 2 "cmpxchg16b .* in main\\(\\) at wide.cpp:13: an atomic instruction" check "$scratch/wide"
done

# clang announces structures that are returned, and those that are passed.
expect 0 '^Not watched for races: what happens in' check "$scratch/programs" counted_pointer
grep -q "'s = f();'" "$scratch/out" && fail 'it hides no structures'

# Functions of a library that the program links explicitly are watched as well.
cat >"$scratch/parts.c" <<'END'
#include <math.h>
#include <pthread.h>
int exponent;
void* takes(void* p) {
  frexp(8, &exponent);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, takes, 0);
  int copy = exponent;
  (void)copy;
  return pthread_join(t, 0);
}
END
expect 0 '' cc "$scratch/parts.c" -lm -o "$scratch/parts"
expect 1 '^data race' check "$scratch/parts"

# Accesses that clang does not announce are refused when the program is compiled.
while IFS='|' read -r code pattern; do
  printf '#include <stdatomic.h>\n_Atomic int x;\n%s\n' "$code" >"$scratch/hidden.c"
  expect 2 "^  in main: $pattern$" cc "$scratch/hidden.c" -o "$scratch/hidden"
  [[ -e $scratch/hidden ]] && fail "there is a program of $code"
done <<'END'
int main(void) { return __c11_atomic_fetch_max(&x, 3, 5); }|an atomic operation \(atomicrmw max.*
long double d; int main(void) { return d == 2; }|an access of type x86_fp80
struct { unsigned a : 24; char b; } s; int main(void) { s.a = 1; return 0; }|an access of type i24
int v __attribute__((vector_size(32))); int main(void) { v = v + 1; return 0; }|an access of type <8 x i32>
int n; int main(void) { __asm__ volatile("incl %0" : "+m"(n)); return 0; }|an operand in memory of assembly code
char a[9], b[9]; int main(void) { char *to = a, *from = b; long n = 9; __asm__ volatile("cld\n\trep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory"); return 0; }|assembly code that copies, fills or compares memory
char a[9], b[9]; int main(void) { char *to = a, *from = b; __asm__ volatile("movq %0, %%rdi\n\tmovq %1, %%rsi\n\tmovl $9, %%ecx\n\trep movsb" : : "m"(to), "m"(from) : "rdi", "rsi", "rcx", "memory"); return 0; }|assembly code that copies, fills or compares memory
END
cat >"$scratch/seen.c" <<'END'
long double half(long double n) { return n / 2; }
int main(void) {
  short word = 1;
  static int named;
  __asm__ volatile("decw %0" : "+m"(word));
  __asm__ volatile("" : "+m"(named));
  return half(2) != 1 || word != 0;
}
END
# Structures that are passed are copied by an instruction that is refused in assembly code.
cat >"$scratch/passed.c" <<'END'
struct big { char bytes[1000]; } b;
__attribute__((noinline)) int first(struct big s) { return s.bytes[0]; }
int main(void) { return first(b); }
END
expect 0 '' cc "$scratch/passed.c" -o "$scratch/passed"
expect 0 '^passed: verified' check "$scratch/passed"
expect 0 '' cc "$scratch/seen.c" -o "$scratch/seen"
expect 0 '^seen: verified' check "$scratch/seen"
cp "$scratch/hidden.c" "$scratch/second.c"
expect 2 'second.c cannot be checked when compiled by clang' cc "$scratch/seen.c" "$scratch/second.c" -o "$scratch/both"

# Compiling and linking may be two calls, but clang and g++ cannot be mixed.
expect 0 '' cc -c "$scratch/seen.c" -o "$scratch/seen.o"
expect 0 '' cc "$scratch/seen.o" -o "$scratch/linked"
expect 0 '^linked: verified' check "$scratch/linked"
printf 'void other(void) {}\n' >"$scratch/other.c"
FENCEPOST_CC=gcc expect 0 '' cc -c "$scratch/other.c" -o "$scratch/other.o"
expect 0 '' cc "$scratch/seen.o" "$scratch/other.o" -o "$scratch/mixed"
expect 2 'parts compiled by clang beside parts compiled by g\+\+' check "$scratch/mixed"

for option in -fsanitize-ignorelist=none -fno-sanitize-thread-atomics -stdlib=libc++ -flto=thin -mllvm @file; do
  expect 2 "^fencepost: cc: ${option//+/.} of clang cannot be used with the checker" cc $option "$scratch/seen.c"
done
expect 2 'cc: -static cannot be used with the checker' cc -static "$scratch/seen.c"
expect 1 'no such file' cc "$scratch/none.c"
FENCEPOST_CC=$scratch/none/clang expect 2 'cannot run' cc "$scratch/seen.c"
# clang alone is refused, since it would link another runtime.
include=$(dirname "$program")/../lib/fencepost/std
if clang -include "$include/fencepost_calls.h" -c "$scratch/seen.c" -o "$scratch/alone.o" 2>"$scratch/said"; then
  fail 'clang alone compiles with the header'
fi
grep -q 'only through fencepost c++ and cc' "$scratch/said" || fail "clang alone: $(<"$scratch/said")"

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
