// String streams that two threads use; the first argument names the case.
#include <atomic>
#include <cassert>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <new>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>

#include "named_program.hpp"

namespace {

std::ostringstream shared;
std::stringstream both_ways("1 2 3");
std::string text = "text", line;
int number;

// One stream, two threads.
void both_write() {
  both([] { shared << 1; }, [] { shared << "text"; });
}
void one_asks_for_its_state() {
  both([] { shared << 1; }, [] { assert(shared.good() || number == 0); });
}
void one_takes_its_text() {
  both([] { shared.put('x'); }, [] { line = shared.str(); });
}
void both_take_its_text() {
  both([] { assert(shared.str().empty()); }, [] { assert(shared.str().empty() && shared.good()); });
}
void one_changes_its_format() {
  both([] { shared << 1; }, [] { shared.precision(2); });
}
void both_read() {
  both([] { both_ways >> number; }, [] { both_ways.get(); });
}
void one_looks_at_its_text() {
  shared << "text that is not in the object";
  const std::string_view view = shared.view();
  both([] { shared.seekp(0) << 'T'; }, [=] { number = view[0]; });
}
void both_write_to_its_buffer() {
  both([] { shared.rdbuf()->sputc('x'); }, [] { shared.rdbuf()->sputc('y'); });
}
void two_streams_have_its_buffer() {
  both([] { std::ostream(shared.rdbuf()) << 1; }, [] { std::ostream(shared.rdbuf()) << 2; });
}
void one_destroys_it() {
  auto* const stream = new std::ostringstream;
  both([=] { *stream << 1; }, [=] { delete stream; });
}
void one_ends_it_where_it_is() {
  alignas(std::ostringstream) static char memory[sizeof(std::ostringstream)];
  auto* const stream = new (memory) std::ostringstream;
  both([=] { *stream << 1; }, [=] { stream->~basic_ostringstream(); });
}
void one_is_made_where_it_was() {
  alignas(std::ostringstream) static char memory[sizeof(std::ostringstream)];
  both([] { new (memory) std::ostringstream; }, [] { assert(memory[100] == 0); });
}

// Data that are written to a stream or read from it.
void writes_what_changes() {
  both([] { std::ostringstream() << text; }, [] { text[0] = 'T'; });
}
void writes_bytes_that_change() {
  both([] { std::ostringstream().write(text.data(), 4); }, [] { text[3] = 'T'; });
}
void prints_what_changes() {
  both([] { std::cout << text; }, [] { text[0] = 'T'; });
}
void reads_what_is_read() {
  both([] { std::istringstream("1") >> number; }, [] { assert(number <= 1); });
}
void reads_a_line_that_is_read() {
  both(
      [] {
        std::istringstream from("line");
        std::getline(from, line);
      },
      [] { assert(line.size() != 1); });
}
char bytes[8];
void reads_bytes_that_are_read() {
  both([] { std::istringstream("bytes").read(bytes, 8); }, [] { assert(bytes[4] != 'x'); });
}
void reads_bytes_beside_what_is_read() {
  both([] { std::istringstream("bytes").read(bytes, 8); }, [] { assert(bytes[5] == 0); });
}
void reads_text_that_is_read() {
  both([] { std::istringstream("text\n").getline(bytes, 8); }, [] { assert(bytes[4] == 0); });
}
void writes_text_that_changes() {
  both([] { std::ostringstream() << bytes; }, [] { bytes[0] = 'T'; });
}
void all_print() {
  const auto print = [] { std::cout << "text" << 1 << std::endl; };
  both(print, print);
}

// The compiler inlines some of these calls.
void all_write_characters() {
  const auto write = [] { std::cout << std::setw(3) << 'x' << std::hex << 17 << '\n'; };
  both(write, write);
}

// A stream that one thread hands over to another.
std::mutex mutex;
std::atomic<bool> ready;
void add_under_the_mutex() {
  const std::lock_guard<std::mutex> lock(mutex);
  shared << 1;
}
void guarded_by_a_mutex() {
  both(add_under_the_mutex, add_under_the_mutex);
  assert(shared.str() == "11");
}
void hand_over(std::memory_order released, std::memory_order acquired) {
  both(
      [=] {
        shared << "all of it";
        ready.store(true, released);
      },
      [=] {
        if (!ready.load(acquired)) return;
        shared << '.';
        assert(shared.str() == "all of it.");
      });
}
void handed_over() { hand_over(std::memory_order_release, std::memory_order_acquire); }
void handed_over_relaxed() { hand_over(std::memory_order_relaxed, std::memory_order_acquire); }
void taken_over_relaxed() { hand_over(std::memory_order_release, std::memory_order_relaxed); }

void both_redirected() {
  std::cout.rdbuf(shared.rdbuf());
  all_print();
}

// No variable of the program says how many turns there were.
std::atomic<bool> done{false};
void counts_turns_by_its_format() {
  both([] { done = true; },
       [] {
         while (!done) {
           std::cout.width(std::cout.width() + 1);
           assert(std::cout.width() < 3);
         }
       });
}

constexpr named tests[] = {FENCEPOST_NAMED(both_write),
                           FENCEPOST_NAMED(one_asks_for_its_state),
                           FENCEPOST_NAMED(one_takes_its_text),
                           FENCEPOST_NAMED(both_take_its_text),
                           FENCEPOST_NAMED(one_changes_its_format),
                           FENCEPOST_NAMED(both_read),
                           FENCEPOST_NAMED(one_looks_at_its_text),
                           FENCEPOST_NAMED(both_write_to_its_buffer),
                           FENCEPOST_NAMED(two_streams_have_its_buffer),
                           FENCEPOST_NAMED(one_destroys_it),
                           FENCEPOST_NAMED(one_ends_it_where_it_is),
                           FENCEPOST_NAMED(one_is_made_where_it_was),
                           FENCEPOST_NAMED(writes_what_changes),
                           FENCEPOST_NAMED(writes_bytes_that_change),
                           FENCEPOST_NAMED(prints_what_changes),
                           FENCEPOST_NAMED(reads_what_is_read),
                           FENCEPOST_NAMED(reads_a_line_that_is_read),
                           FENCEPOST_NAMED(reads_bytes_that_are_read),
                           FENCEPOST_NAMED(reads_bytes_beside_what_is_read),
                           FENCEPOST_NAMED(reads_text_that_is_read),
                           FENCEPOST_NAMED(writes_text_that_changes),
                           FENCEPOST_NAMED(all_print),
                           FENCEPOST_NAMED(all_write_characters),
                           FENCEPOST_NAMED(guarded_by_a_mutex),
                           FENCEPOST_NAMED(handed_over),
                           FENCEPOST_NAMED(handed_over_relaxed),
                           FENCEPOST_NAMED(taken_over_relaxed),
                           FENCEPOST_NAMED(both_redirected),
                           FENCEPOST_NAMED(counts_turns_by_its_format)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
