// A program for the tests of the front end: exceptions that nothing catches, and exceptions that
// are caught, however late.

#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "named_program.hpp"

namespace {

std::atomic<int> ended{0};

// Shows whether an exception has unwound the stack: its destructor stores.
struct ends {
  ~ends() { ended.store(1); }
};

[[gnu::noinline]] void throw_below(int depth) {
  const ends here;
  if (depth == 0) throw std::runtime_error("too deep");  // thrown here
  throw_below(depth - 1);
}

void leaves_main() { throw_below(2); }
void leaves_a_thread() {
  std::thread t([] { throw_below(1); });
  t.join();
}
void has_another_type() {
  try {
    throw_below(1);
  } catch (const std::logic_error&) {
    ended.store(2);
  }
}
void is_no_object() { throw 42; }  // a number
void leaves_a_library() {
  const std::vector<int> none;
  ended.store(none.at(0));  // at() throws
}
void leaves_a_noexcept_function() {
  const auto promises = []() noexcept { throw_below(1); };
  try {
    promises();
  } catch (const std::exception&) {
    ended.store(2);
  }
}
void is_thrown_again() {
  try {
    throw_below(1);
  } catch (const std::exception&) {
    assert(ended.load() == 1);
    throw;  // thrown again
  }
}
void is_thrown_again_by_a_pointer() {
  std::exception_ptr kept;
  try {
    throw_below(1);
  } catch (const std::exception&) {
    kept = std::current_exception();
  }
  std::rethrow_exception(kept);  // by a pointer
}

// It is caught each time, and the destructors run.
void is_caught_at_last() {
  for (int i = 0; i < 2; ++i) {
    ended.store(0);
    try {
      try {
        throw_below(3);
      } catch (const std::logic_error&) {
        assert(false);
      }
    } catch (const std::exception& e) {
      assert(std::string_view(e.what()) == "too deep" && ended.load() == 1);
      assert(std::uncaught_exceptions() == 0);
    }
  }
}
void is_caught_behind_call_once() {
  std::once_flag once;
  int calls = 0;
  const auto call = [&] {
    if (++calls == 1) throw_below(0);
  };
  try {
    std::call_once(once, call);
    assert(false);
  } catch (const std::runtime_error&) {
  }
  std::call_once(once, call);
  assert(calls == 2);
}

// The library reads what an exception is constructed from, and what is assigned to it.
char words[8] = "words";
std::string sentence(40, 'x');
std::runtime_error kept("kept");
template <class Body>
void beside(Body body, void (*change)()) {
  std::thread other(change);
  body();
  other.join();
}
void has_a_text_that_changes() {
  beside([] { const std::runtime_error e(words); }, [] { words[5] = '!'; });
}
void has_a_text_beside_what_changes() {
  beside([] { const std::out_of_range e(words); }, [] { words[6] = '!'; });
}
void has_a_string_that_changes() {
  beside([] { const std::invalid_argument e(sentence); }, [] { sentence[39] = '!'; });
}
void is_copied_while_it_changes() {
  beside([] { const std::runtime_error e(kept); }, [] { kept = std::runtime_error("changed"); });
}
void is_assigned_while_it_is_copied() {
  beside([] { kept = std::runtime_error("changed"); }, [] { const std::runtime_error e(kept); });
}
void is_copied_by_two() {
  beside([] { const std::runtime_error e(kept); }, [] { const std::runtime_error e(kept); });
}

constexpr named tests[] = {FENCEPOST_NAMED(has_a_text_that_changes),
                           FENCEPOST_NAMED(has_a_text_beside_what_changes),
                           FENCEPOST_NAMED(has_a_string_that_changes),
                           FENCEPOST_NAMED(is_copied_while_it_changes),
                           FENCEPOST_NAMED(is_assigned_while_it_is_copied),
                           FENCEPOST_NAMED(is_copied_by_two),
                           FENCEPOST_NAMED(leaves_main),
                           FENCEPOST_NAMED(leaves_a_thread),
                           FENCEPOST_NAMED(has_another_type),
                           FENCEPOST_NAMED(is_no_object),
                           FENCEPOST_NAMED(leaves_a_library),
                           FENCEPOST_NAMED(leaves_a_noexcept_function),
                           FENCEPOST_NAMED(is_thrown_again),
                           FENCEPOST_NAMED(is_thrown_again_by_a_pointer),
                           FENCEPOST_NAMED(is_caught_at_last),
                           FENCEPOST_NAMED(is_caught_behind_call_once)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
