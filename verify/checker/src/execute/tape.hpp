// Records what a program does in one execution, thread by thread: everything that goes through the
// policy, and its allocations. Run again along the same graph, a program must do the same.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "graph/event.hpp"

namespace fencepost::verify {

class tape {
 public:
  enum class act : std::uint8_t {
    event,
    construct,
    construct_plain,
    destroy,
    read,   // of plain data; the value of a scalar
    write,  // of plain data
    allocate,
    release,
    outcome,
  };
  struct entry {
    act what = act::event;
    event asked = {};  // of act::event
    location at = no_location;
    value number = 0;  // the initial value, the value read, a size
    std::string text = {};
    source_location where;

    [[nodiscard]] bool same(const entry& other) const noexcept {
      return what == other.what && at == other.at && number == other.number && text == other.text &&
             where == other.where && (what != act::event || same_request(asked, other.asked));
    }
  };

  [[nodiscard]] bool on() const noexcept { return mode_ != mode::off; }
  [[nodiscard]] bool recording() const noexcept { return mode_ == mode::recording; }
  [[nodiscard]] bool comparing() const noexcept { return mode_ == mode::comparing; }
  void stop() noexcept { mode_ = mode::off; }
  void record() noexcept { mode_ = mode::recording; }
  void compare() noexcept { mode_ = mode::comparing; }
  void begin_run() noexcept {
    if (!on()) return;
    if (recording()) spoiled_ = false;
    for (unsigned t = 0; t < max_threads; ++t) {
      if (recording()) entries_[t].clear();
      next_[t] = 0;
    }
  }

  // Called when a turn of a waiting loop is taken back: it is not in the graph, and does not recur
  // when the graph is followed.
  void spoil() noexcept { spoiled_ = true; }
  [[nodiscard]] bool spoiled() const noexcept { return spoiled_; }

  // Records the entry; or, when comparing, returns whether it is what the thread did.
  bool take(unsigned thread, entry now) {
    std::vector<entry>& all = entries_[thread];
    if (recording()) {
      if (all.size() < most) all.push_back(std::move(now));
      return true;
    }
    if (next_[thread] == most) return true;
    if (next_[thread] == all.size() || !all[next_[thread]].same(now)) return false;
    ++next_[thread];
    return true;
  }
  // How many entries were recorded.
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t n = 0;
    for (const std::vector<entry>& all : entries_) n += all.size();
    return n;
  }
  // When comparing: what the thread did next; null if it ended.
  [[nodiscard]] const entry* expected(unsigned thread) const noexcept {
    const std::vector<entry>& all = entries_[thread];
    return next_[thread] == all.size() ? nullptr : &all[next_[thread]];
  }

 private:
  // What a thread does beyond these entries is not compared, except for its events.
  static constexpr std::size_t most = 50'000;

  enum class mode : std::uint8_t { off, recording, comparing };
  mode mode_ = mode::off;
  bool spoiled_ = false;
  std::vector<entry> entries_[max_threads];
  std::size_t next_[max_threads] = {};
};

}  // namespace fencepost::verify
