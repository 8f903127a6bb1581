// What the process of a run shares with its watcher: counts in memory that outlives the process.
// Each cell has one writer at a time; the watcher reads the atomic counts while the process runs,
// and the rest once it has ended.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>

#include "fencepost/scenario/scenario.hpp"
#include "thread_sanitizer.hpp"

namespace fencepost::stress {

// A null-terminated text, cut to fit.
template <std::size_t Size>
struct fixed_text {
  std::array<char, Size> bytes;

  void set(std::string_view text) {
    const std::size_t length = std::min(text.size(), Size - 1);
    std::memcpy(bytes.data(), text.data(), length);
    bytes[length] = '\0';
  }
  // Searches for the end only within the array: the text may be corrupt if the writer has crashed.
  std::string_view get() const {
    return {bytes.data(),
            static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), '\0') - bytes.begin())};
  }
};

struct outcome_cell {
  fixed_text<88> text;
  std::uint64_t count;
};

struct broken_cell {
  fixed_text<2048> what;
  fixed_text<256> file;
  fixed_text<128> function;
  std::uint32_t line;
  std::uint32_t column;
  violation kind;
  std::uint64_t count;
  double after;
};

enum class doing : std::uint8_t { waiting, beginning, running, ending, done };

inline constexpr std::size_t line_size = 128;  // a cache line and its neighbour, fetched together

// A thread of a team.
struct lane {
  static constexpr std::size_t most_outcomes = 64;

  // The instance of the round that the thread has reached, plus one.
  alignas(line_size) std::atomic<std::uint32_t> at;
  alignas(line_size) std::atomic<doing> what;
  std::atomic<std::uint64_t> steps;    // grows as long as the thread makes progress
  std::atomic<std::uint64_t> samples;  // that this thread has ended
  std::atomic<std::uint32_t> outcomes_used;
  std::uint64_t other_outcomes;  // how many did not fit
  std::array<outcome_cell, most_outcomes> outcomes;
};

// Starts as zeros: the system provides zeroed memory.
struct alignas(line_size) shared_state {
  static constexpr std::size_t most_broken = 16;

  std::atomic<bool> stop;
  std::mutex mutex;  // guards `broken` among the threads of the run
  std::atomic<std::uint32_t> broken_used;
  std::array<broken_cell, most_broken> broken;
  race_reports races;
  unsigned teams;
  unsigned threads;  // of a team

  lane* lanes() noexcept { return reinterpret_cast<lane*>(this + 1); }
  lane& at(unsigned team, unsigned thread) noexcept { return lanes()[team * threads + thread]; }
  unsigned count() const noexcept { return teams * threads; }
  static std::size_t size(unsigned teams, unsigned threads) noexcept {
    return sizeof(shared_state) + std::size_t{teams} * threads * sizeof(lane);
  }
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace fencepost::stress
