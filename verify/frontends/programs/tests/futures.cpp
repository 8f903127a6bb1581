// Results and exceptions that are handed from thread to thread: futures, and std::exception_ptr.
#include <atomic>
#include <cassert>
#include <chrono>
#include <exception>
#include <future>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "named_program.hpp"

using namespace std::chrono_literals;

namespace {

int plain = 0;
std::atomic<int> destroyed{0};

// An exception that holds a number.
struct letter {
  explicit letter(int n) : number(n) {}
  letter(const letter& other) : number(other.number) {}
  ~letter() {
    number = 0;
    destroyed.fetch_add(1, std::memory_order_relaxed);
  }
  int number;
};
std::exception_ptr caught_letter() {
  try {
    throw letter(7);
  } catch (...) {
    return std::current_exception();
  }
}

void promise() {
  std::promise<int> p;
  std::future<int> f = p.get_future();
  std::thread other([&] {
    plain = 1;
    p.set_value(8);
  });
  assert(f.get() == 8 && plain == 1);
  other.join();
}
void written_after_the_promise_is_kept() {
  std::promise<void> p;
  std::thread other([&] {
    p.set_value();
    plain = 1;
  });
  p.get_future().wait();
  assert(plain == 0);
  other.join();
}
void broken_promise() {
  std::future<int> f = std::promise<int>().get_future();
  bool is_broken = false;
  try {
    f.get();
  } catch (const std::future_error& e) {
    is_broken = e.code() == std::future_errc::broken_promise;
  }
  assert(is_broken);
}
void promise_never_kept() {
  std::promise<void> p;
  std::thread([&] { p.get_future().wait(); }).join();
}
void task() {
  std::packaged_task<int(int)> twice([](int n) { return 2 * n; });
  std::future<int> f = twice.get_future();
  std::thread other(std::move(twice), 4);
  assert(f.get() == 8);
  other.join();
}
void called_at_once() {
  std::future<int> f = std::async(std::launch::async, [] { return ++plain; });
  assert(f.get() == 1 && plain == 1);
}
void called_at_once_and_raced_with() {
  std::future<int> f = std::async(std::launch::async, [] { return ++plain; });
  ++plain;
  f.get();
}
void called_when_asked() {
  std::future<int> f = std::async(std::launch::deferred, [] { return ++plain; });
  assert(++plain == 1);
  assert(f.wait_for(0s) == std::future_status::deferred && f.get() == 2);
}
void result_in_time() {
  std::future<void> f = std::async(std::launch::async, [] { plain = 1; });
  if (f.wait_for(1s) == std::future_status::ready) assert(plain == 1);
}
void result_too_late() {
  std::future<void> f = std::async(std::launch::async, [] {});
  assert(f.wait_for(1s) == std::future_status::ready);
}
void shared_by_two() {
  std::promise<int> p;
  const std::shared_future<int> f = p.get_future().share();
  std::thread one([f] { assert(f.get() == 3); });
  std::thread two([f] { assert(f.get() == 3); });
  p.set_value(3);
  one.join();
  two.join();
}
struct writes_at_the_end {
  ~writes_at_the_end() { plain = 9; }
};
thread_local writes_at_the_end own;
void ready_when_the_thread_ends() {
  std::promise<int> p;
  std::thread other([&] {
    (void)&own;
    p.set_value_at_thread_exit(1);
    plain = 1;
  });
  assert(p.get_future().get() == 1 && plain == 9);
  other.join();
}
void ready_before_the_thread_ends() {
  std::promise<int> p;
  std::thread other([&] {
    (void)&own;
    p.set_value(1);
  });
  assert(p.get_future().get() == 1 && plain != 2);
  other.join();
}
void task_ready_when_the_thread_ends() {
  std::packaged_task<int()> task([] { return 4; });
  std::future<int> f = task.get_future();
  std::thread other([&] {
    task.make_ready_at_thread_exit();
    assert(f.wait_for(0s) == std::future_status::timeout);
    plain = 1;
  });
  assert(f.get() == 4 && plain == 1);
  other.join();
}

void exception_of_a_task() {
  std::future<void> f =
      std::async(std::launch::async, [] { throw std::runtime_error("lost on the way"); });
  try {
    f.get();
  } catch (const std::runtime_error& e) {
    assert(std::string_view(e.what()) == "lost on the way");
    return;
  }
  assert(false);
}
void exception_of_a_task_that_nobody_catches() {
  std::async(std::launch::async, [] { throw letter(1); }).get();
}
void exception_handed_over() {
  std::promise<int> p;
  std::thread other([&] { p.set_exception(caught_letter()); });
  try {
    p.get_future().get();
    assert(false);
  } catch (const letter& l) {
    assert(l.number == 7);
  }
  other.join();
}
// The last owner destroys the exception, after the other thread has read it.
void exception_of_two() {
  std::exception_ptr e = caught_letter();
  const auto look = [](std::exception_ptr own) {
    try {
      std::rethrow_exception(std::move(own));
    } catch (letter& l) {
      assert(l.number == 7);
    }
  };
  std::thread one(look, e), two(look, std::move(e));
  one.join();
  two.join();
  assert(destroyed == 1);
}
void exception_changed_by_two() {
  const auto change = [](std::exception_ptr own) {
    try {
      std::rethrow_exception(own);
    } catch (letter& l) {
      ++l.number;
    }
  };
  const std::exception_ptr e = caught_letter();
  both([=] { change(e); }, [=] { change(e); });
}
void exception_handed_over_in_a_race() {
  static std::exception_ptr e;
  both([] { e = caught_letter(); },
       [] {
         if (e != nullptr) plain = 1;
       });
}
void exception_made() {
  const std::exception_ptr e = std::make_exception_ptr(letter(7));
  const int before = destroyed;
  try {
    std::rethrow_exception(e);
  } catch (const letter& l) {
    const std::exception_ptr again = std::current_exception();
    assert(again == e && l.number == 7);
  }
  assert(destroyed == before);
}

constexpr named tests[] = {FENCEPOST_NAMED(promise),
                           FENCEPOST_NAMED(written_after_the_promise_is_kept),
                           FENCEPOST_NAMED(broken_promise),
                           FENCEPOST_NAMED(promise_never_kept),
                           FENCEPOST_NAMED(task),
                           FENCEPOST_NAMED(called_at_once),
                           FENCEPOST_NAMED(called_at_once_and_raced_with),
                           FENCEPOST_NAMED(called_when_asked),
                           FENCEPOST_NAMED(result_in_time),
                           FENCEPOST_NAMED(result_too_late),
                           FENCEPOST_NAMED(shared_by_two),
                           FENCEPOST_NAMED(ready_when_the_thread_ends),
                           FENCEPOST_NAMED(ready_before_the_thread_ends),
                           FENCEPOST_NAMED(task_ready_when_the_thread_ends),
                           FENCEPOST_NAMED(exception_of_a_task),
                           FENCEPOST_NAMED(exception_of_a_task_that_nobody_catches),
                           FENCEPOST_NAMED(exception_handed_over),
                           FENCEPOST_NAMED(exception_of_two),
                           FENCEPOST_NAMED(exception_changed_by_two),
                           FENCEPOST_NAMED(exception_handed_over_in_a_race),
                           FENCEPOST_NAMED(exception_made)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
