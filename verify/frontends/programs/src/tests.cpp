#include "tests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <streambuf>

#include "session.hpp"

namespace fencepost::programs::tests {
namespace {

using verify::engine;

// The text that is streamed to a failure, as far as there is room. Never in the program's memory.
class text_buffer : public std::streambuf {
 public:
  void begin() noexcept { size_ = 0; }
  [[nodiscard]] const char* text() const noexcept { return text_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  // Copies character by character, since memcpy() is watched.
  int_type overflow(int_type c) override {
    if (c != traits_type::eof() && size_ < sizeof text_)
      text_[size_++] = traits_type::to_char_type(c);
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* from, std::streamsize n) override {
    for (std::streamsize i = 0; i < n; ++i) overflow(traits_type::to_int_type(from[i]));
    return n;
  }

  std::size_t size_ = 0;
  char text_[4000];
};

struct message {
  text_buffer buffer;
  std::ostream stream{&buffer};
};

struct trace {
  std::string text;
  const char* file = nullptr;
  unsigned line = 0;
};

struct thread {
  std::optional<message> said;  // made at first use, outside of the program's memory
  std::vector<trace> traces;
};

bool wants_list = false, was_asked = false;
std::vector<std::string> all_names;
std::string why_refused;
thread threads[verify::max_threads];
progress current;

thread& here() { return threads[engine::current()->this_thread()]; }

// The program has done nothing wrong: it was asked for something that it cannot do.
[[noreturn]] void refuse(session& s, std::string why, const source_location& where) {
  why_refused = std::move(why);
  s.reach_limit(why_refused, where);
}

bool matches_one(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*')
    return matches_one(pattern.substr(1), name) ||
           (!name.empty() && matches_one(pattern, name.substr(1)));
  return !name.empty() && (pattern.front() == '?' || pattern.front() == name.front()) &&
         matches_one(pattern.substr(1), name.substr(1));
}

bool matches_any(std::string_view patterns, std::string_view name) {
  for (;;) {
    const std::size_t colon = patterns.find(':');
    if (matches_one(patterns.substr(0, colon), name)) return true;
    if (colon == std::string_view::npos) return false;
    patterns.remove_prefix(colon + 1);
  }
}

void take_flag(session& s, std::string_view flag, const source_location& where) {
  const std::size_t equals = flag.find('=');
  const std::string_view name = flag.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : flag.substr(equals + 1);
  const bool on = value.empty() || (value != "0" && value != "false" && value != "no");
  if (name == "filter") {
    current.filter = value;
  } else if (name == "list_tests") {
    wants_list = on;
  } else if (name == "also_run_disabled_tests") {
    current.disabled_as_well = on;
  } else if (name != "color" && name != "brief" && name != "print_time") {
    refuse(s,
           "--gtest_" + std::string(flag) +
               " is not supported; use --gtest_filter, --gtest_list_tests or "
               "--gtest_also_run_disabled_tests",
           where);
  }
}

std::string full_name(const char* prefix, const char* suite, int type, const char* name,
                      int parameter, const char* parameter_name) {
  std::string full = prefix == nullptr ? "" : std::string(prefix) + "/";
  full += suite;
  if (type >= 0) full += "/" + std::to_string(type);
  full = full + "." + name;
  if (parameter_name != nullptr) return full + "/" + parameter_name;
  return parameter < 0 ? full : full + "/" + std::to_string(parameter);
}

bool is_disabled(std::string_view name) { return name.starts_with("DISABLED_"); }

}  // namespace

bool matches(std::string_view filter, std::string_view name) {
  if (filter.empty()) return true;
  const std::size_t hyphen = filter.find('-');
  const std::string_view wanted = filter.substr(0, hyphen);
  if (!wanted.empty() && !matches_any(wanted, name)) return false;
  return hyphen == std::string_view::npos || !matches_any(filter.substr(hyphen + 1), name);
}

void list_them(bool wanted) noexcept { wants_list = wanted; }
bool are_listed() noexcept { return wants_list && was_asked; }
const std::vector<std::string>& names() noexcept { return all_names; }
const std::string& refusal() noexcept { return why_refused; }

void begin_execution() {
  current = {};
  for (thread& t : threads) t.traces.clear();
}

const progress& now() noexcept { return current; }
void put_back(const progress& p) { current = p; }

}  // namespace fencepost::programs::tests

using fencepost::source_location;
using fencepost::violation;
using fencepost::programs::entered;
using namespace fencepost::programs::tests;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

void __fencepost_take_test_flags(int* argc, char** argv) noexcept {
  const entered s;
  if (!s) return;
  const source_location where = s->place(FENCEPOST_CALL_SITE);
  s->read(argc, sizeof *argc, where);
  s->take_up_writes();
  int left = 0;
  for (int i = 0; i < *argc; ++i) {
    const std::string_view word = argv[i];
    constexpr std::string_view mark = "--gtest_";
    if (i > 0 && word.starts_with(mark))
      take_flag(*s, word.substr(mark.size()), where);
    else
      argv[left++] = argv[i];
  }
  argv[left] = nullptr;
  s->write(argc, sizeof *argc, where);
  *argc = left;
}

bool __fencepost_wants_test(const char* prefix, const char* suite, int type, const char* name,
                            int parameter, const char* parameter_name) noexcept {
  const entered s;
  if (!s) return false;
  was_asked = true;
  if (!current.disabled_as_well && (is_disabled(suite) || is_disabled(name))) return false;
  const std::string full = full_name(prefix, suite, type, name, parameter, parameter_name);
  if (!matches(current.filter, full)) return false;
  current.any = true;
  current.skipped = false;
  if (!wants_list) return true;
  if (std::find(all_names.begin(), all_names.end(), full) == all_names.end())
    all_names.push_back(full);
  return false;
}

void __fencepost_begin_suite(const void* tag, const char* name) noexcept {
  const entered s;
  if (!s) return;
  if (std::find(current.suites.begin(), current.suites.end(), tag) != current.suites.end())
    refuse(*s,
           "the tests of " + std::string(name) +
               " are not consecutive, so it would be set up twice: check them by --gtest_filter, "
               "or by --each-test",
           s->place(FENCEPOST_CALL_SITE));
  current.suites.push_back(tag);
}

void __fencepost_end_tests() noexcept {
  const entered s;
  if (!s) return;
  was_asked = true;
  if (current.any) return;
  refuse(*s,
         current.filter.empty() ? "there is no test"
                                : "no test matches --gtest_filter=" + current.filter,
         s->place(FENCEPOST_CALL_SITE));
}

void __fencepost_skip_test(const char* text) noexcept {
  const entered s;
  if (!s) return;
  current.skipped = true;
  engine::current()->record_outcome(*text == '\0' ? std::string("skipped")
                                                  : "skipped: " + std::string(text));
}

bool __fencepost_test_is_skipped() noexcept { return current.skipped; }

std::ostream* __fencepost_message() noexcept {
  const entered s;
  std::optional<message>& m = here().said;
  if (!m) m.emplace();
  m->buffer.begin();
  m->stream.clear();
  m->stream.flags(std::ios_base::dec | std::ios_base::skipws);
  m->stream.precision(6);
  m->stream.width(0);
  m->stream.fill(' ');
  return &m->stream;
}

void __fencepost_describe_failure() noexcept {
  if (const entered s; s) s->describe_failure();
}

const char* __fencepost_message_text(std::size_t* size) noexcept {
  const entered s;
  const text_buffer& said = here().said->buffer;
  *size = said.size();
  return said.text();
}

void __fencepost_begin_trace(const char* file, unsigned line) noexcept {
  if (const entered s; s) {
    const text_buffer& said = here().said->buffer;
    here().traces.push_back({std::string(said.text(), said.size()), file, line});
  }
}

void __fencepost_end_trace() noexcept {
  if (const entered s; s && !here().traces.empty()) here().traces.pop_back();
}

[[noreturn]] void __fencepost_fail_test(const char* text, const char* file, unsigned line,
                                        const char* function) noexcept {
  if (const entered s; s) {
    s->take_up_writes();
    std::string all = text;
    while (all.ends_with('\n')) all.pop_back();
    for (auto t = here().traces.rbegin(); t != here().traces.rend(); ++t) {
      const std::string_view path = t->file;
      all += " (in " + t->text + ", " + std::string(path.substr(path.rfind('/') + 1)) + ":" +
             std::to_string(t->line) + ")";
    }
    engine::current()->fail(violation::assertion, all, {file, function, line, 0});
  }
  std::abort();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
