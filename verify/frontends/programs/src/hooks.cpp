// What instrumented code calls: the hooks of -fsanitize=thread, for plain accesses.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "session.hpp"

using fencepost::programs::cell;
using fencepost::programs::entered;

namespace {

bool is_name_of_destructor(std::string_view function) {  // "(anonymous namespace)::shape::~shape()"
  const std::size_t name = function.rfind('~');
  return name != std::string_view::npos && function.find('(', name) + 2 == function.size();
}

// A destructor begins by setting the object's virtual table pointer to the table of its class. If
// it has that value already, a virtual call of another thread cannot observe a change, and the
// standard knows of no write. A constructor makes an object, whatever was there before. (Results
// are kept, since the same few functions come again and again, and names stay at their addresses.)
bool is_destructor(const fencepost::source_location& where) {
  struct known {
    const char* function = nullptr;
    bool is = false;
  };
  static constinit known all[64];
  known& k = all[reinterpret_cast<std::uintptr_t>(where.function) / 16 % std::size(all)];
  if (k.function != where.function) k = {where.function, is_name_of_destructor(where.function)};
  return k.is;
}

[[gnu::always_inline]] inline void read(const void* p, std::size_t size) {
  const entered s;
  if (!s) return;
  const cell* const c = s->exact(p, size);
  if (!s->is_nothing(c)) s->read(p, size, c, s->place(FENCEPOST_CALL_SITE));
}

[[gnu::always_inline]] inline void write(void* p, std::size_t size) {
  const entered s;
  if (!s) return;
  const cell* const c = s->exact(p, size);
  if (!s->is_nothing(c)) s->write(p, size, c, s->place(FENCEPOST_CALL_SITE));
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,cppcoreguidelines-macro-usage,readability-identifier-naming)
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {
  if (const entered s; s) s->leave_function(FENCEPOST_CALL_SITE);
}

// Announced by the plugin for g++.
void __fencepost_variable_ends(const void* p, std::size_t size) {
  if (const entered s; s) s->end_variable(p, size, FENCEPOST_CALL_SITE);
}

#define FENCEPOST_PLAIN(size)                                             \
  void __tsan_read##size(void* p) { read(p, size); }                      \
  void __tsan_write##size(void* p) { write(p, size); }                    \
  void __tsan_unaligned_read##size(void* p) { read(p, size); }            \
  void __tsan_unaligned_write##size(void* p) { write(p, size); }          \
  void __tsan_volatile_read##size(void* p) { read(p, size); }             \
  void __tsan_volatile_write##size(void* p) { write(p, size); }           \
  void __tsan_unaligned_volatile_read##size(void* p) { read(p, size); }   \
  void __tsan_unaligned_volatile_write##size(void* p) { write(p, size); } \
  void __tsan_read_write##size(void* p) {                                 \
    read(p, size);                                                        \
    write(p, size);                                                       \
  }                                                                       \
  void __tsan_unaligned_read_write##size(void* p) {                       \
    read(p, size);                                                        \
    write(p, size);                                                       \
  }
FENCEPOST_PLAIN(1)
FENCEPOST_PLAIN(2)
FENCEPOST_PLAIN(4)
FENCEPOST_PLAIN(8)
FENCEPOST_PLAIN(16)
#undef FENCEPOST_PLAIN

void __tsan_read_range(void* p, std::size_t size) { read(p, size); }
void __tsan_write_range(void* p, std::size_t size) { write(p, size); }
void __tsan_vptr_read(void** p) { read(p, sizeof *p); }
void __tsan_vptr_update(void** p, void* table) {
  const entered s;
  if (!s || s->is_nothing(s->exact(p, sizeof *p))) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  if (*p == table && is_destructor(where))
    s->read(p, sizeof *p, where);
  else
    s->write(p, sizeof *p, where);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cppcoreguidelines-macro-usage,readability-identifier-naming)
