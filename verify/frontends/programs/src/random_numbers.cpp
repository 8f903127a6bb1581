// rand() and the like, as in the C library: the seed alone decides the sequence of numbers, and
// each call takes the next one, whichever thread makes it.

#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "c_library.hpp"
#include "watched_memory.hpp"

namespace fencepost::programs {
namespace {

class sequence {
 public:
  explicit sequence(unsigned seed) { initstate_r(seed, state_, sizeof state_, &data_); }
  sequence(const sequence&) = delete;
  sequence& operator=(const sequence&) = delete;

  int at(std::size_t n) {
    for (std::int32_t next = 0; numbers_.size() <= n; numbers_.push_back(next))
      random_r(&data_, &next);
    return numbers_[n];
  }

 private:
  char state_[128] = {};  // as large as that of rand()
  random_data data_ = {};
  std::vector<int> numbers_;
};

// The seed, and how many numbers have been taken, are in one atomic object, which orders nothing.
constexpr std::uint64_t first_seed = 1;
unsigned seed_of(std::uint64_t state) { return static_cast<unsigned>((state >> 32U) ^ first_seed); }
std::uint64_t seeded(unsigned seed) { return (seed ^ first_seed) << 32U; }

int take_number(session& s, const source_location& where) {
  static std::map<unsigned, sequence> sequences;
  const std::uint64_t state = s.random_state(verify::operation::add, 1, where);
  return sequences.try_emplace(seed_of(state), seed_of(state))
      .first->second.at(static_cast<std::uint32_t>(state));
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int rand() noexcept {
  const entered s;
  return s ? take_number(*s, s->place(FENCEPOST_CALL_SITE)) : FENCEPOST_BEHIND(rand)();
}
long random() noexcept {
  const entered s;
  return s ? take_number(*s, s->place(FENCEPOST_CALL_SITE)) : FENCEPOST_BEHIND(random)();
}

void srand(unsigned seed) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(srand)(seed);
  s->random_state(fencepost::verify::operation::exchange, seeded(seed),
                  s->place(FENCEPOST_CALL_SITE));
}
void srandom(unsigned seed) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(srandom)(seed);
  s->random_state(fencepost::verify::operation::exchange, seeded(seed),
                  s->place(FENCEPOST_CALL_SITE));
}

int rand_r(unsigned* seed) noexcept {
  watch_read(seed, sizeof *seed, FENCEPOST_CALL_SITE);
  unsigned next = *seed;
  const int number = FENCEPOST_BEHIND(rand_r)(&next);
  watch_write(seed, sizeof *seed, FENCEPOST_CALL_SITE);
  *seed = next;
  return number;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
