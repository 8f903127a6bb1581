// Several mutexes locked together: std::lock and std::scoped_lock.
#include <cassert>
#include <mutex>
#include <thread>

#include "named_program.hpp"

namespace {

std::mutex a, b, c;
int plain = 0;

void in_two_orders() {
  both(
      [] {
        const std::scoped_lock all(a, b);
        ++plain;
      },
      [] {
        const std::scoped_lock all(b, a);
        ++plain;
      });
  assert(plain == 2);
}
void as_unique_locks() {
  const auto count = [](std::mutex& first, std::mutex& second) {
    std::unique_lock hold(first, std::defer_lock), hold_too(second, std::defer_lock);
    std::lock(hold, hold_too);
    assert(hold.owns_lock() && hold_too.owns_lock());
    ++plain;
  };
  both([=] { count(a, b); }, [=] { count(b, a); });
  assert(plain == 2);
}
void of_three_kinds() {
  static std::recursive_mutex again;
  static std::timed_mutex timed;
  const std::scoped_lock held(again);
  {
    const std::scoped_lock all(timed, again, a);
    ++plain;
  }
  assert(timed.try_lock());
  timed.unlock();
}
void beside_one_after_the_other() {
  both(
      [] {
        const std::scoped_lock all(a, b);
        ++plain;
      },
      [] {
        const std::lock_guard second(b);
        const std::lock_guard first(a);
        ++plain;
      });
  assert(plain == 2);
}
void beside_a_lock_that_stays() {
  b.lock();
  std::thread([] { const std::scoped_lock all(a, b); }).join();
}
void another_mutex() {
  both(
      [] {
        const std::scoped_lock all(a, b);
        ++plain;
      },
      [] {
        const std::scoped_lock one(c);
        ++plain;
      });
}
// A thread that waits for both mutexes may have held one and released it.
void lets_go() {
  static bool seen = false;
  both(
      [] {
        const std::lock_guard second(b);
        if (!a.try_lock()) {
          seen = true;
          a.lock();
        }
        a.unlock();
      },
      [] {
        const std::scoped_lock all(a, b);
        assert(!seen);
      });
}

constexpr named tests[] = {FENCEPOST_NAMED(in_two_orders),
                           FENCEPOST_NAMED(as_unique_locks),
                           FENCEPOST_NAMED(of_three_kinds),
                           FENCEPOST_NAMED(beside_one_after_the_other),
                           FENCEPOST_NAMED(beside_a_lock_that_stays),
                           FENCEPOST_NAMED(another_mutex),
                           FENCEPOST_NAMED(lets_go)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
