// Loops over integers of each type, written by hand and by parallel.hpp, for the audit.
#include <cstddef>
#include <cstdint>

#include "fencepost/runtime/fork_join_core.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "fencepost/runtime/parallel_transform.hpp"

namespace {

using fencepost::fork_join_worker;

template <class I>
void plain_for(const int* in, int* out, I first, I last) {
  for (I i = first; i < last; ++i) out[i] = in[i] + 3;
}
template <class I>
void shared_for(fork_join_worker& me, const int* in, int* out, I first, I last) {
  fencepost::parallel_for(me, first, last, [=](I i) noexcept { out[i] = in[i] + 3; });
}
template <class I>
unsigned plain_sum(const unsigned* in, I first, I last) {
  unsigned sum = 0;
  for (I i = first; i < last; ++i) sum += in[i];
  return sum;
}
template <class I>
unsigned shared_sum(fork_join_worker& me, const unsigned* in, I first, I last) {
  return fencepost::parallel_reduce(
      me, first, last, 0U, [=](unsigned sum, I i) noexcept { return sum + in[i]; },
      [](unsigned left, unsigned right) noexcept { return left + right; });
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): they are types
#define FENCEPOST_LOOPS(name, I)                                                       \
  void op_plain_for_##name(const int* in, int* out, I first, I last) {                 \
    plain_for(in, out, first, last);                                                   \
  }                                                                                    \
  void op_shared_for_##name(fork_join_worker& me, const int* in, int* out, I f, I l) { \
    shared_for(me, in, out, f, l);                                                     \
  }                                                                                    \
  unsigned op_plain_sum_##name(const unsigned* in, I first, I last) {                  \
    return plain_sum(in, first, last);                                                 \
  }                                                                                    \
  unsigned op_shared_sum_##name(fork_join_worker& me, const unsigned* in, I f, I l) {  \
    return shared_sum(me, in, f, l);                                                   \
  }
// NOLINTEND(bugprone-macro-parentheses)

extern "C" {
FENCEPOST_LOOPS(short, short)
FENCEPOST_LOOPS(unsigned_short, unsigned short)
FENCEPOST_LOOPS(int, int)
FENCEPOST_LOOPS(unsigned, unsigned)
FENCEPOST_LOOPS(long, long)
FENCEPOST_LOOPS(unsigned_long, unsigned long)
FENCEPOST_LOOPS(long_long, long long)
FENCEPOST_LOOPS(size, std::size_t)

// Writes bytes, which could alias the captured variables if the body were not a copy.
void op_shared_for_bytes(fork_join_worker& me, const std::uint8_t* in, std::uint8_t* out, int n) {
  fencepost::parallel_for(me, 0, n,
                          [=](int i) noexcept { out[i] = static_cast<std::uint8_t>(in[i] + 3); });
}

void op_shared_transform(fork_join_worker& me, const int* in, int* out, long n) {
  fencepost::parallel_transform(me, in, in + n, out, [](int i) noexcept { return i + 3; });
}
void op_shared_transform_of_two(fork_join_worker& me, const int* in, const int* other, int* out,
                                long n) {
  fencepost::parallel_transform(me, in, in + n, other, out,
                                [](int a, int b) noexcept { return a + b; });
}
}
