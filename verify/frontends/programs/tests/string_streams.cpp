// String streams, each of which is used by one thread at a time.
// The first argument names the case.
#include <atomic>
#include <bitset>
#include <cassert>
#include <complex>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <locale>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "named_program.hpp"

namespace {

struct point {
  int x, y;
};
std::ostream& operator<<(std::ostream& to, const point& p) {
  return to << '(' << p.x << ' ' << p.y << ')';
}
std::istream& operator>>(std::istream& from, point& p) {
  char bracket = 0;
  return from >> bracket >> p.x >> p.y >> bracket;
}

// Writes so much that the text outgrows the stream object, and its block is replaced.
std::string written(int number) {
  std::ostringstream to;
  to << "number " << number << ' ' << point{number, 2} << std::hex << std::setw(4)
     << std::setfill('0') << 255 << std::dec << std::fixed << std::setprecision(1) << 2.5 << true;
  to.put('.') << std::string(600, '.');
  to.write("end", 3).flush();
  return to.str();
}

void one_for_each_thread() {
  std::string texts[2];
  both([&] { texts[0] = written(1); }, [&] { texts[1] = written(2); });
  assert(texts[0].size() == 626 && texts[1].size() == 626);
  assert(texts[0].substr(0, 26) == "number 1 (1 2)00ff2.51....");
  assert(texts[1].substr(0, 26) == "number 2 (2 2)00ff2.51....");
}

void read_by_each_thread() {
  const auto read = [](const std::string& text) {
    std::istringstream from(text);
    int number = 0;
    double fraction = 0;
    point p{};
    std::string word, line, rest;
    from >> number >> fraction >> p >> word >> std::ws;
    std::getline(from, line);
    char bytes[8];
    from.getline(bytes, sizeof bytes);
    assert(number == 12 && fraction == 2.5 && p.y == 4 && word == "word" && line == "a line");
    assert(std::string_view(bytes) == "short" && from.get() == 'x' && !from.read(bytes, 8));
    assert(from.gcount() == 2 && bytes[1] == 'z' && from.eof() && from.fail());
  };
  both([&] { read("12 2.5 (3 4) word a line\nshort\nxyz"); },
       [&] { read("12 2.5 (3 4) word \n a line\nshort\nxyz"); });
}

// Streams are constructed, moved and swapped, and used and destroyed through their bases.
void all_of_it() {
  std::stringstream a("1 2"), b;
  int first = 0, second = 0;
  a >> first >> second;
  assert(first == 1 && second == 2 && a.eof() && !a.fail());
  a.clear();
  a.str("");
  a << "text";
  b = std::move(a);
  std::stringstream c(std::move(b)), d;
  c.swap(d);
  assert(d.str() == "text" && d.view() == "text" && std::move(d).str() == "text");
  std::unique_ptr<std::ostream> by_base = std::make_unique<std::ostringstream>("a", std::ios::ate);
  *by_base << 1 << std::endl;
  assert(static_cast<std::ostringstream&>(*by_base).str() == "a1\n");
  by_base.reset();
  std::unique_ptr<std::ios>(new std::stringstream("x")).reset();
  std::stringbuf buffer;
  std::ostream onto(&buffer);
  onto << std::string("ab") << std::string_view("cd") << 'e';
  buffer.sputc('f');
  assert(buffer.str() == "abcdef" && buffer.sgetc() == 'a');
  std::istringstream numbers("1 2 3");
  std::ostringstream sum;
  std::copy(std::istream_iterator<int>(numbers), {}, std::ostream_iterator<int>(sum, "+"));
  assert(sum.str() == "1+2+3+");
  numbers.clear();
  numbers.seekg(2);
  assert(numbers.tellg() == 2 && numbers.peek() == '2');
  numbers.exceptions(std::ios::failbit);
  try {
    numbers.ignore(10);
    numbers >> first;
    assert(false);
  } catch (const std::ios_base::failure&) {
    assert(numbers.fail());
  }
  std::ios format(nullptr);
  format.copyfmt(sum << std::hex);
  assert((format.flags() & std::ios::hex) != 0);
  sum.imbue(std::locale::classic());
}

struct log : std::ostringstream {
  int lines = 0;
};
void derived_stream() {
  log l;
  l << "line" << 1;
  assert(l.str() == "line1");
}

int number;
std::atomic<bool> ready;

// Has atomics at addresses where other functions have their streams.
void atomics_there() {
  std::atomic<long> all[80] = {};
  both(
      [&] {
        for (auto& a : all) a.store(1, std::memory_order_relaxed);
      },
      [&] { all[79].load(std::memory_order_relaxed); });
}
std::mutex mutex;
void write_in_two_threads() {
  std::ostringstream to;
  const auto write = [&] {
    const std::lock_guard<std::mutex> lock(mutex);
    to << "text" << 1;
  };
  both(write, write);
  assert(to.str() == "text1text1");
}
void streams_where_atomics_are() {
  atomics_there();
  all_of_it();
  atomics_there();
  write_in_two_threads();
}

// Each execution has its own state of std::cout.
void format_of_each_execution() {
  both([] { ready.store(true); }, [] { number = ready.load() ? 1 : 0; });
  assert((std::cout.flags() & std::ios::hex) == 0 && std::cout.good());
  std::cout << std::hex << number;
  std::cout.setstate(std::ios::failbit);
}
void redirected() {
  std::ostringstream to;
  std::streambuf* const before = std::cout.rdbuf(to.rdbuf());
  std::cout << "text";
  assert(to.str() == "text");
  std::cout.rdbuf(before);
}
void bits_and_complex_numbers() {
  std::ostringstream to;
  to << std::bitset<4>(5) << std::complex<double>(1, 2);
  assert(to.str() == "0101(1,2)");
  std::istringstream from("1010");
  std::bitset<4> bits;
  from >> bits;
  assert(bits.to_ulong() == 10);
}
constexpr named tests[] = {FENCEPOST_NAMED(one_for_each_thread),
                           FENCEPOST_NAMED(read_by_each_thread),
                           FENCEPOST_NAMED(all_of_it),
                           FENCEPOST_NAMED(derived_stream),
                           FENCEPOST_NAMED(streams_where_atomics_are),
                           FENCEPOST_NAMED(format_of_each_execution),
                           FENCEPOST_NAMED(redirected),
                           FENCEPOST_NAMED(bits_and_complex_numbers)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
