// The threads of a pool: started together, and ended once.
//
// Threads: start(), the thread that makes the pool; end(), any thread that is not of the team.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fencepost/attributes.hpp"
#include "fencepost/exceptions.hpp"

namespace fencepost {

// The number of processors of the machine, 1 if that is unknown, and at most `most`.
inline std::uint32_t workers_of_the_machine(std::uint32_t most) noexcept {
  return std::clamp<std::uint32_t>(std::thread::hardware_concurrency(), 1, most);
}

// The type of a number of workers as a caller writes it.
template <class I>
concept worker_number = std::integral<I> && !std::same_as<I, bool>;

// Converts it to the type in the options. A number too large for that is too large for every pool.
template <worker_number I>
constexpr std::uint32_t workers_of(I asked) noexcept {
  if (std::in_range<std::uint32_t>(+asked)) return static_cast<std::uint32_t>(asked);
  return std::cmp_less(+asked, 0) ? 0 : std::numeric_limits<std::uint32_t>::max();
}

// The name of the worker of this number: the name of its pool, and the number, which is not cut off
// by a system that shows 15 characters.
inline std::string name_of_worker(const std::string& pool, std::uint32_t index) {
  if (pool.empty()) return {};
  const std::string number = std::to_string(index);
  std::string name = pool.substr(0, 14 - number.size());
  name += '-';
  name += number;
  return name;
}

// Ends the program: a worker that destroys its pool would wait for itself.
[[noreturn]] FENCEPOST_NOINLINE_COLD inline void destroyed_by_its_worker(
    const char* pool) noexcept {
  std::fprintf(
      stderr,
      "fencepost::%s: destroyed by one of its own workers, which would wait for itself: a "
      "job has called exit(), or has given up the last owner of the pool; destroy the pool "
      "on a thread outside\n",
      pool);
  std::terminate();
}

template <class Thread>
class worker_team {
 public:
  // Starts `count` threads: make(index) returns one. Throws what that throws, after it has ended
  // the threads that were started, as end(close) does.
  template <class Make, class Close>
  void start(std::uint32_t count, Make&& make, Close&& close) {
    detail::attempt_or_undo(
        [&] {
          threads_.reserve(count);
          for (std::uint32_t index = 0; index < count; ++index) threads_.push_back(make(index));
        },
        [&] { end(close); });
  }

  // Calls close(), which lets the threads end, and waits for them; later calls wait for the first.
  template <class Close>
  void end(Close&& close) noexcept {
    const std::lock_guard<std::mutex> lock{ending_};
    if (threads_.empty()) return;
    close();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

  // True if the threads have ended; what they did is visible then. Waits for an end() in progress.
  bool ended() {
    const std::lock_guard<std::mutex> lock{ending_};
    return threads_.empty();
  }

  // In a child of fork(), where the threads do not run: forgets them, without the lock, which one
  // of them may have held.
  void abandon() noexcept {
    for (auto& thread : threads_) thread.abandon();
    threads_.clear();
  }

 private:
  std::mutex ending_;            // held by the thread that ends the team
  std::vector<Thread> threads_;  // empty when they have ended
};

}  // namespace fencepost
