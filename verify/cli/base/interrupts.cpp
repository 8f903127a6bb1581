#include "base/interrupts.hpp"

#include <iterator>

namespace fencepost::cli {
namespace {

// Written by a signal handler; lock-free, so that this is allowed.
std::atomic<int> seen{0};
std::atomic<bool> flag{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void count_interrupt(int) {
  seen.fetch_add(1);
  flag.store(true);
}

}  // namespace

int interrupts_seen() noexcept { return seen.load(); }
const std::atomic<bool>& interrupt_flag() noexcept { return flag; }

interrupt_guard::interrupt_guard(second s) {
  struct sigaction count {};
  count.sa_handler = count_interrupt;
  // Without SA_RESTART: poll() returns at once.
  count.sa_flags = s == second::ends_the_program ? static_cast<int>(SA_RESETHAND) : 0;
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
