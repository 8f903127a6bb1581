#include "program_options.hpp"

#include <getopt.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "c_library.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

bool being_read = false;

using read_function = int (*)(int, char* const*, const char*, const option*, int*);

// One call, with its accesses to the program's memory.
class reading {
 public:
  reading(read_function how, int count, char* const* arguments, const char* letters,
          const option* words, const call_site& c)
      : read_(how),
        count_(count),
        arguments_(arguments),
        letters_(letters),
        words_(words),
        caller_(c) {}

  int read(int* word) {
    watch();
    if (!being_read) begin();
    int found = -1;
    const int result = read_(count_, arguments_, letters_, words_, &found);
    being_read = result != -1;
    if (found < 0) return result;
    if (words_[found].flag != nullptr) watch_change(words_[found].flag, sizeof(int));
    if (word != nullptr) {
      watch_change(word, sizeof *word);
      *word = found;
    }
    return result;
  }

 private:
  // The arguments of main() are not in the program's memory; nor are the C library's variables in a
  // program that clang has compiled.
  void watch_look(const void* p, std::size_t size) const {
    if (const entered s; s && !s->program().is_constant(p)) s->read(p, size, s->place(caller_));
  }
  void watch_change(const void* p, std::size_t size) const {
    if (const entered s; s) s->write(p, size, s->place(caller_));
  }
  void watch_text(const char* text) const { watch_look(text, FENCEPOST_BEHIND(strlen)(text) + 1); }
  // The C library may also reorder the arguments.
  void watch() const {
    watch_text(letters_);
    for (int i = 0; i < count_; ++i) watch_text(arguments_[i]);
    watch_change(arguments_, static_cast<std::size_t>(count_) * sizeof *arguments_);
    const option* w = words_;
    for (; w != nullptr && w->name != nullptr; ++w) {
      watch_look(w, sizeof *w);
      watch_text(w->name);
    }
    if (w != nullptr) watch_look(w, sizeof *w);
    watch_look(&opterr, sizeof opterr);
    watch_change(&optind, sizeof optind);
    watch_change(&optopt, sizeof optopt);
    watch_change(&optarg, sizeof optarg);
    if (const entered s; s) s->note_change(s->place(caller_));
  }
  // Resets the C library, which remembers a position of another execution.
  void begin() const {
    if (count_ <= 0) return;
    const int first = optind, unknown = optopt;
    char* const argument = optarg;
    optind = 0;
    read_(1, arguments_, letters_, words_, nullptr);
    optind = first == 0 ? 1 : first;
    optopt = unknown;
    optarg = argument;
  }

  read_function read_;
  int count_;
  char* const* arguments_;
  const char* letters_;
  const option* words_;
  call_site caller_;
};

}  // namespace

void put_options_back() noexcept {
  optarg = nullptr;
  optind = opterr = 1;
  optopt = '?';
  being_read = false;
}
void forget_place_in_options() noexcept { being_read = false; }
bool are_options_being_read() noexcept { return being_read; }

void add_memory_of_options(std::vector<std::span<char>>& to) {
  const auto add = [&](auto& v) { to.emplace_back(reinterpret_cast<char*>(&v), sizeof v); };
  add(optarg);
  add(optind);
  add(opterr);
  add(optopt);
}

}  // namespace fencepost::programs

using fencepost::programs::reading;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int getopt(int count, char* const* arguments, const char* letters) noexcept {
  const auto read = [](int c, char* const* a, const char* l, const option*, int*) {
    return FENCEPOST_BEHIND(getopt)(c, a, l);
  };
  if (!fencepost::verify::allocation_hook::in_body)
    return FENCEPOST_BEHIND(getopt)(count, arguments, letters);
  return reading(read, count, arguments, letters, nullptr, FENCEPOST_CALL_SITE).read(nullptr);
}
int getopt_long(int count, char* const* arguments, const char* letters, const option* words,
                int* word) noexcept {
  const auto read = FENCEPOST_BEHIND(getopt_long);
  if (!fencepost::verify::allocation_hook::in_body)
    return read(count, arguments, letters, words, word);
  return reading(read, count, arguments, letters, words, FENCEPOST_CALL_SITE).read(word);
}
int getopt_long_only(int count, char* const* arguments, const char* letters, const option* words,
                     int* word) noexcept {
  const auto read = FENCEPOST_BEHIND(getopt_long_only);
  if (!fencepost::verify::allocation_hook::in_body)
    return read(count, arguments, letters, words, word);
  return reading(read, count, arguments, letters, words, FENCEPOST_CALL_SITE).read(word);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
