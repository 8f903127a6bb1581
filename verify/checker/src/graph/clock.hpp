// Vector clocks over model threads.
//
// A clock is a set of events that is closed under program order: lane t says how many of the
// events of thread t belong to it. An event's name is (thread, index), index counting from 1; the
// name 0 stands for the initial write of a location, which belongs to every clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace fencepost::verify {

inline constexpr unsigned max_threads = 64;    // lanes of a clock
inline constexpr unsigned max_index = 0xfffe;  // of an event in its thread; a join is one further
inline constexpr unsigned most_events = max_index - 1;  // that options::max_events may ask for

using event_id = std::uint32_t;
inline constexpr event_id initial_write = 0;

constexpr event_id make_id(unsigned thread, unsigned index) noexcept {
  return thread << 16 | index;
}
constexpr unsigned thread_of(event_id id) noexcept { return id >> 16; }
constexpr unsigned index_of(event_id id) noexcept { return id & 0xffff; }

// The lanes of the first threads lie in the clock itself. Few programs have more threads: the other
// lanes are allocated only if one of them is not 0.
class clock {
 public:
  clock() noexcept = default;
  ~clock() {
    if (more_ != nullptr) [[unlikely]]
      std::free(more_);
  }
  clock(const clock& other) noexcept : near_(other.near_) {
    if (other.more_ != nullptr) [[unlikely]]
      more() = *other.more_;
  }
  clock(clock&& other) noexcept : near_(other.near_), more_(std::exchange(other.more_, nullptr)) {}
  // Self-assignment copies no far lanes, since more_ is the same.
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment)
  clock& operator=(const clock& other) noexcept {
    near_ = other.near_;
    if (more_ != other.more_) [[unlikely]]
      copy_more(other);
    return *this;
  }
  clock& operator=(clock&& other) noexcept {
    near_ = other.near_;
    std::swap(more_, other.more_);
    return *this;
  }

  [[nodiscard]] bool covers(event_id id) const noexcept {
    return (*this)[thread_of(id)] >= index_of(id);
  }
  [[nodiscard]] unsigned operator[](unsigned thread) const noexcept {
    if (thread < near) [[likely]]
      return near_.lanes[thread];
    return more_ == nullptr ? 0 : more_->lanes[thread - near];
  }

  void set(unsigned thread, unsigned index) noexcept {
    if (thread < near) [[likely]]
      near_.lanes[thread] = static_cast<lane>(index);
    else
      more().lanes[thread - near] = static_cast<lane>(index);
  }
  void join(const clock& other) noexcept {
    for (unsigned from = 0; from < near; from += together) {
      const vector mine = near_.from(from), others = other.near_.from(from);
      near_.put(from, mine > others ? mine : others);
    }
    if (other.more_ != nullptr) [[unlikely]]
      join_more(other);
  }
  // True if some lane, other than `except`, is ahead of that of `other`.
  [[nodiscard]] bool exceeds(const clock& other, unsigned except) const noexcept {
    const vector excepted = vector{} + static_cast<lane>(except);
    vector ahead = {}, lane_numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    for (unsigned from = 0; from < near; from += together, lane_numbers += together)
      ahead |= vector(near_.from(from) > other.near_.from(from)) & vector(lane_numbers != excepted);
    if (any(ahead)) return true;
    if (more_ == nullptr) [[likely]]
      return false;
    for (unsigned t = near; t < max_threads; ++t)
      if (t != except && (*this)[t] > other[t]) return true;
    return false;
  }
  friend bool operator==(const clock& a, const clock& b) noexcept {
    if (std::memcmp(&a.near_, &b.near_, sizeof a.near_) != 0) return false;
    if (a.more_ == b.more_) [[likely]]
      return true;
    for (unsigned t = near; t < max_threads; ++t)
      if (a[t] != b[t]) return false;
    return true;
  }

 private:
  static constexpr unsigned near = 16;
  static constexpr unsigned far = max_threads - near;
  using lane = std::uint16_t;
  // As many lanes as every processor compares at once: with more, compilers may compare them one by
  // one.
  static constexpr unsigned together = 8;
  using vector = lane __attribute__((vector_size(sizeof(lane) * together)));
  struct near_lanes {
    lane lanes[near];

    [[nodiscard]] vector from(unsigned first) const noexcept {
      vector v;
      std::memcpy(&v, lanes + first, sizeof v);
      return v;
    }
    void put(unsigned first, const vector& v) noexcept { std::memcpy(lanes + first, &v, sizeof v); }
  };
  struct far_lanes {
    lane lanes[far];
  };

  // True if some lane is not 0.
  [[nodiscard]] static bool any(const vector& all) noexcept {
    std::uint64_t words[2];
    static_assert(sizeof words == sizeof all);
    std::memcpy(words, &all, sizeof words);
    return (words[0] | words[1]) != 0;
  }
  // Not from operator new, which allocates memory of the program under test.
  far_lanes& more() noexcept {
    if (more_ == nullptr) {
      more_ = static_cast<far_lanes*>(std::calloc(1, sizeof(far_lanes)));
      if (more_ == nullptr) std::abort();
    }
    return *more_;
  }
  void join_more(const clock& other) noexcept {
    far_lanes& mine = more();
    for (unsigned i = 0; i < far; ++i)
      mine.lanes[i] = std::max(mine.lanes[i], other.more_->lanes[i]);
  }
  void copy_more(const clock& other) noexcept {
    if (other.more_ != nullptr)
      more() = *other.more_;
    else
      *more_ = {};
  }

  near_lanes near_{};
  far_lanes* more_ = nullptr;
};

}  // namespace fencepost::verify
