#include "base/interrupts.hpp"

#include <ctime>
#include <iterator>

namespace fencepost::cli {
namespace {

// Written by a signal handler; lock-free, so that this is allowed.
std::atomic<int> seen{0};
std::atomic<bool> flag{false};
std::atomic<bool> second_ends{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

std::atomic<std::int64_t> first_at{0};  // nanoseconds
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

// timeout(1) sends its signal to the program and then to its process group, which includes the
// program. In nanoseconds.
constexpr std::int64_t the_same = 200'000'000;

extern "C" void count_interrupt(int number) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t at = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  std::int64_t first = 0;
  const bool is_first = first_at.compare_exchange_strong(first, at);
  if (!is_first && at - first < the_same) return;
  if (!is_first && second_ends.load()) {
    std::signal(number, SIG_DFL);
    std::raise(number);  // once the handler has returned
    return;
  }
  seen.fetch_add(1);
  flag.store(true);
}

}  // namespace

int interrupts_seen() noexcept { return seen.load(); }
const std::atomic<bool>& interrupt_flag() noexcept { return flag; }

interrupt_guard::interrupt_guard(second s) {
  second_ends.store(s == second::ends_the_program);
  struct sigaction count {};
  count.sa_handler = count_interrupt;  // without SA_RESTART: poll() returns at once
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    ::sigaction(numbers[i], &count, &before_[i]);
    const bool by_nohup = numbers[i] == SIGHUP && before_[i].sa_handler == SIG_IGN;
    if (by_nohup) ::sigaction(numbers[i], &before_[i], nullptr);
  }
}

interrupt_guard::~interrupt_guard() {
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    ::sigaction(numbers[i], &before_[i], nullptr);
  }
}

}  // namespace fencepost::cli
