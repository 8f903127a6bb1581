// Objects that the program destroys at its exit, and threads that are still running then.
// The first argument names the case.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <string>
#include <thread>

#include "named_program.hpp"

namespace {

// Starts a thread that may continue after main() has returned.
void beside_the_exit(auto body) { std::thread(body).detach(); }

std::string text = "short";
void text_is_changed() {
  beside_the_exit([] { text = "other"; });
}
void text_is_read() {
  beside_the_exit([] { assert(text.size() == 5); });
}
std::atomic<bool> has_changed{false};
void text_is_changed_before() {
  beside_the_exit([] {
    text = "other";
    has_changed = true;
  });
  while (!has_changed) std::this_thread::yield();
}
void text_is_changed_before_relaxed() {
  beside_the_exit([] {
    text = "other";
    has_changed.store(true, std::memory_order_relaxed);
  });
  while (!has_changed.load(std::memory_order_relaxed)) std::this_thread::yield();
}

std::string& text_of_function() {
  static std::string inner = "short";
  return inner;
}
void text_of_function_is_changed() {
  text_of_function();
  beside_the_exit([] { text_of_function() = "other"; });
}

// Its members still exist while its destructor waits for the thread.
struct worker {
  std::thread thread;
  int done = 0;
  ~worker() {
    if (!thread.joinable()) return;
    thread.join();
    assert(done == 1);
  }
} waits_for_its_thread;
void joined_by_the_destructor() {
  waits_for_its_thread.thread = std::thread([] { waits_for_its_thread.done = 1; });
}

// It lives until the process ends.
int number = 0;
void number_is_changed() {
  beside_the_exit([] { ++number; });
}

// An atomic flag ends with the object that contains it.
struct flags {
  std::atomic<bool> stops{false};
  int unused = 0;
  ~flags() { stops = true; }
} all_flags;
void flag_is_read() {
  beside_the_exit([] { all_flags.stops.load(); });
}
struct waits_for_its_reader {
  std::atomic<bool> stops{false};
  std::thread reader;
  ~waits_for_its_reader() {
    stops = true;
    if (reader.joinable()) reader.join();
  }
} is_read;
void flag_is_read_until_it_ends() {
  is_read.reader = std::thread([] {
    while (!is_read.stops) std::this_thread::yield();
  });
}
void member_beside_a_flag_is_read() {
  beside_the_exit([] { assert(all_flags.unused == 0); });
}

std::condition_variable condition;
void condition_is_notified() {
  beside_the_exit([] { condition.notify_all(); });
}

void condition_is_notified_before_relaxed() {
  beside_the_exit([] {
    condition.notify_all();
    has_changed.store(true, std::memory_order_relaxed);
  });
  while (!has_changed.load(std::memory_order_relaxed)) std::this_thread::yield();
}

// A function that is registered with an object need not be its destructor.
extern "C" int __cxa_atexit(void (*)(void*), void*, void*);
void look_at(void* at) { assert(*static_cast<int*>(at) < 2); }
void registered_with_an_object() {
  number = 1;
  beside_the_exit([] { assert(number == 1); });
  __cxa_atexit(look_at, &number, nullptr);
}

constexpr named tests[] = {FENCEPOST_NAMED(text_is_changed),
                           FENCEPOST_NAMED(text_is_read),
                           FENCEPOST_NAMED(text_is_changed_before),
                           FENCEPOST_NAMED(text_is_changed_before_relaxed),
                           FENCEPOST_NAMED(text_of_function_is_changed),
                           FENCEPOST_NAMED(joined_by_the_destructor),
                           FENCEPOST_NAMED(number_is_changed),
                           FENCEPOST_NAMED(flag_is_read),
                           FENCEPOST_NAMED(flag_is_read_until_it_ends),
                           FENCEPOST_NAMED(member_beside_a_flag_is_read),
                           FENCEPOST_NAMED(condition_is_notified),
                           FENCEPOST_NAMED(condition_is_notified_before_relaxed),
                           FENCEPOST_NAMED(registered_with_an_object)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
