// Vector clocks over model threads.
//
// A clock is a set of events that is closed under program order: lane t says how many of the
// events of thread t belong to it. An event's name is (thread, index), index counting from 1; the
// name 0 stands for the initial write of a location, which belongs to every clock.
#pragma once

#include <cstdint>
#include <cstring>

namespace fencepost::verify {

inline constexpr unsigned max_threads = 16;    // lanes of a clock
inline constexpr unsigned max_index = 0xfffe;  // of an event in its thread; a join is one further
inline constexpr unsigned most_events = max_index - 1;  // that options::max_events may ask for

using event_id = std::uint32_t;
inline constexpr event_id initial_write = 0;

constexpr event_id make_id(unsigned thread, unsigned index) noexcept {
  return thread << 16 | index;
}
constexpr unsigned thread_of(event_id id) noexcept { return id >> 16; }
constexpr unsigned index_of(event_id id) noexcept { return id & 0xffff; }

class clock {
 public:
  [[nodiscard]] bool covers(event_id id) const noexcept {
    return lanes_[thread_of(id)] >= index_of(id);
  }
  [[nodiscard]] unsigned operator[](unsigned thread) const noexcept { return lanes_[thread]; }

  void set(unsigned thread, unsigned index) noexcept {
    lanes_[thread] = static_cast<std::uint16_t>(index);
  }
  void join(const clock& other) noexcept { lanes_ = lanes_ > other.lanes_ ? lanes_ : other.lanes_; }
  // Is some lane of this one ahead of `other`, lane `except` aside?
  [[nodiscard]] bool exceeds(const clock& other, unsigned except) const noexcept {
    lanes ahead = lanes_ > other.lanes_ ? lanes_ : lanes{};
    ahead[except] = 0;
    return any(ahead);
  }
  friend bool operator==(const clock& a, const clock& b) noexcept {
    return !any(a.lanes_ ^ b.lanes_);
  }

 private:
  using lanes = std::uint16_t __attribute__((vector_size(2 * max_threads)));

  // Is some lane not 0?
  [[nodiscard]] static bool any(const lanes& all) noexcept {
    std::uint64_t words[sizeof(lanes) / 8];
    std::memcpy(words, &all, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
  }
  lanes lanes_ = {};
};

}  // namespace fencepost::verify
