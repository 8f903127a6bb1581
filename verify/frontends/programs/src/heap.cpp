#include "heap.hpp"

#include <link.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "c_library.hpp"
#include "program_memory.hpp"

namespace fencepost::programs {

void heap::begin_execution() {
  static heap ours;
  if (allocation_hook::current == &ours) return;
  ours.behind_ = allocation_hook::current;
  ours.unshown_ = &unshown;
  allocation_hook::current = &ours;
}

namespace {

// The address range of the C++ library's code.
struct code {
  std::uintptr_t begin = 0;
  std::uintptr_t size = 0;
};

code of_the_cpp_library() {
  code found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        if (std::string_view(object->dlpi_name).find("/libstdc++.so") == std::string_view::npos)
          return 0;
        for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& p = object->dlpi_phdr[i];
          if (p.p_type == PT_LOAD && (p.p_flags & PF_X) != 0)
            *static_cast<code*>(to) = {object->dlpi_addr + p.p_vaddr, p.p_memsz};
        }
        return 1;
      },
      &found);
  return found;
}

// True if the caller is the program, or the C++ library on its behalf. What the C library allocates
// for itself outlives an execution.
bool is_of_the_program(const void* caller) {
  const entered s;
  if (!s) return false;
  if (s->program().contains(caller)) return true;
  static const code library = of_the_cpp_library();
  if (reinterpret_cast<std::uintptr_t>(caller) - library.begin < library.size) return true;
  s->note_allocation_elsewhere();
  return false;
}

// The next three functions announce a write and perform it at once, before the program calls the
// runtime again.

void clear(void* p, std::size_t size, const call_site& c) {
  const entered s;
  s->write(p, size, s->place(c));
  std::memset(p, 0, size);
}

void* copy(void* to, const void* from, std::size_t size, const call_site& c) {
  const entered s;
  s->copy(to, from, size, s->place(c));
  return std::memcpy(to, from, size);
}

void write_pointer(void** to, void* p, const call_site& c) {
  const entered s;
  write_value(*s, to, p, s->place(c));
}

void* allocate(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
  return verify::allocation_hook::current->allocate(size, alignment);
}

bool is_power_of_two(std::size_t n) noexcept { return n != 0 && (n & (n - 1)) == 0; }

void* allocate_aligned(std::size_t size, std::size_t alignment, const call_site& c) {
  if (!is_power_of_two(alignment)) {
    const entered s;
    verify::engine::current()->fail(violation::misuse,
                                    "an allocation with an alignment that is not a power of two",
                                    s->place(c));
  }
  return allocate(size, alignment);
}

bool is_block(const void* p) noexcept {
  const verify::allocation_hook* const hook = verify::allocation_hook::current;
  return hook != nullptr && hook->owns(p);
}

std::size_t size_of(const void* block) noexcept {
  return (static_cast<const verify::arena::block*>(block) - 1)->size;
}

void* reallocated(void* p, std::size_t size, const call_site& c) {
  void* const other = allocate(size);
  if (p == nullptr) return other;
  copy(other, p, std::min(size, size_of(p)), c);
  verify::allocation_hook::current->release(p);
  return other;
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,readability-identifier-naming,bugprone-reserved-identifier)
extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) noexcept {
  if (is_of_the_program(__builtin_return_address(0))) return allocate(size);
  return __libc_malloc(size);
}

void* calloc(std::size_t n, std::size_t size) noexcept {
  if (!is_of_the_program(__builtin_return_address(0))) return __libc_calloc(n, size);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, size, &bytes)) return nullptr;
  void* const p = allocate(bytes);
  clear(p, bytes, FENCEPOST_CALL_SITE);
  return p;
}

char* strndup(const char* text, std::size_t most) noexcept {
  std::size_t length = 0;
  while (length < most && text[length] != 0) ++length;
  if (!is_of_the_program(__builtin_return_address(0))) return FENCEPOST_BEHIND(strndup)(text, most);
  char* const to = static_cast<char*>(allocate(length + 1));
  copy(to, text, std::min(length + 1, most), FENCEPOST_CALL_SITE);
  clear(to + length, 1, FENCEPOST_CALL_SITE);
  return to;
}

char* strdup(const char* text) noexcept {
  if (!is_of_the_program(__builtin_return_address(0))) return FENCEPOST_BEHIND(strdup)(text);
  const std::size_t size = FENCEPOST_BEHIND(strlen)(text) + 1;
  return static_cast<char*>(copy(allocate(size), text, size, FENCEPOST_CALL_SITE));
}

void free(void* p) noexcept {
  if (p == nullptr) return;
  if (is_block(p))
    fencepost::verify::allocation_hook::current->release(p);
  else
    __libc_free(p);
}

void* realloc(void* p, std::size_t size) noexcept {
  if (!is_of_the_program(__builtin_return_address(0)) || (p != nullptr && !is_block(p)))
    return __libc_realloc(p, size);
  return reallocated(p, size, FENCEPOST_CALL_SITE);
}

void* reallocarray(void* p, std::size_t n, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(n, size, &bytes)) return nullptr;
  if (!is_of_the_program(__builtin_return_address(0)) || (p != nullptr && !is_block(p)))
    return __libc_realloc(p, bytes);
  return reallocated(p, bytes, FENCEPOST_CALL_SITE);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  if (is_of_the_program(__builtin_return_address(0)))
    return allocate_aligned(size, alignment, FENCEPOST_CALL_SITE);
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  if (is_of_the_program(__builtin_return_address(0)))
    return allocate_aligned(size, alignment, FENCEPOST_CALL_SITE);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const bool ours = is_of_the_program(__builtin_return_address(0));
  void* const p = ours ? allocate(size, alignment) : __libc_memalign(alignment, size);
  if (p == nullptr) return ENOMEM;
  if (ours)
    write_pointer(to, p, FENCEPOST_CALL_SITE);
  else
    *to = p;
  return 0;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,readability-identifier-naming,bugprone-reserved-identifier)
