#include "thread_locals.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "execute/memory.hpp"
#include "execute/thread_pointer.hpp"

namespace fencepost::programs {

using verify::thread_pointer;

namespace {

struct block {
  char* begin = nullptr;  // the calling thread's
  const char* initial = nullptr;
  std::size_t initialized = 0, size = 0;
};

// The block of the program, which is the first, and those of the libraries that had one when the
// program was loaded.
std::vector<block> blocks() {
  std::vector<block> all;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        auto& found = *static_cast<std::vector<block>*>(to);
        const bool is_program = found.empty();
        if (is_program) found.emplace_back();
        for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& p = object->dlpi_phdr[i];
          if (p.p_type != PT_TLS || object->dlpi_tls_data == nullptr) continue;
          const block b{static_cast<char*>(object->dlpi_tls_data),
                        reinterpret_cast<const char*>(object->dlpi_addr + p.p_vaddr), p.p_filesz,
                        p.p_memsz};
          if (is_program)
            found.front() = b;
          else
            found.push_back(b);
        }
        return 0;
      },
      &all);
  return all;
}

// The size of the C library's descriptor of a thread, or 0 if the library does not say.
std::size_t size_of_descriptor() {
  const auto* const size =
      static_cast<const unsigned*>(dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  return size == nullptr ? 0 : *size;
}

// The words that the thread pointer points to, and the descriptor. On AArch64 they are on different
// sides of the pointer.
#if defined(__aarch64__)
constexpr std::ptrdiff_t words = 2 * sizeof(void*);
constexpr bool has_descriptor_below = true;
#else
constexpr std::ptrdiff_t words = 0;  // they are the first words of the descriptor
constexpr bool has_descriptor_below = false;
#endif

}  // namespace

thread_locals::thread_locals() {
  const std::vector<block> all = blocks();
  const block& program = all.front();
  size_ = program.size;
  if (size_ == 0 || !thread_pointer::can_be_set()) return;
  own_ = thread_pointer::get();
  const auto descriptor = static_cast<std::ptrdiff_t>(size_of_descriptor());
  if (descriptor == 0) return;
  initial_.assign(program.initial, program.initial + program.initialized);
  begin_ = program.begin - own_;
  all_ = {begin_, begin_ + static_cast<std::ptrdiff_t>(size_)};
  // Blocks of libraries that were loaded later are elsewhere, and every thread finds them there.
  constexpr std::ptrdiff_t most = std::ptrdiff_t{1} << 20U;
  for (const block& b : all) {
    const std::ptrdiff_t begin = b.begin - own_;
    if (begin < -most || begin > most) continue;
    all_.begin = std::min(all_.begin, begin);
    all_.end = std::max(all_.end, begin + static_cast<std::ptrdiff_t>(b.size));
  }
  copied_ = {std::min(all_.begin, has_descriptor_below ? -descriptor : 0),
             std::max(all_.end, has_descriptor_below ? words : descriptor)};
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // All pointers have the same offset in their page as the one that they are copies of.
  const auto in_page = reinterpret_cast<std::uintptr_t>(own_) % page;
  below_ = (static_cast<std::size_t>(-copied_.begin) + page - 1) / page * page + in_page;
  stride_ = (below_ + static_cast<std::size_t>(copied_.end) + page - 1) / page * page;
  // The same address in every run of the checker.
  constexpr std::uintptr_t wanted = 0x1400'0000'0000;
  memory_ = static_cast<char*>(verify::map(wanted, verify::max_threads * stride_, 0));
}

thread_locals::~thread_locals() {
  if (memory_ != nullptr) munmap(memory_, verify::max_threads * stride_);
}

void thread_locals::begin(unsigned thread) const {
  if (empty()) return;
  char* const here = pointer(thread);
  std::memcpy(here + copied_.begin, own_ + copied_.begin,
              static_cast<std::size_t>(copied_.end - copied_.begin));
  const std::span<char> variables = of(thread);
  std::memset(variables.data(), 0, variables.size());
  std::memcpy(variables.data(), initial_.data(), initial_.size());
  // The first word that the thread pointer points to is the pointer itself.
  if (!has_descriptor_below) *reinterpret_cast<char**>(here) = here;
  thread_pointer::set(here);
}

verify::wide_value thread_locals::initial(const void* p, std::size_t size) const noexcept {
  const std::size_t at =
      offset(p) % stride_ - (below_ + static_cast<std::size_t>(begin_));  // begin_ may be negative
  verify::wide_value v{};
  if (at < initial_.size())
    std::memcpy(v.data(), &initial_[at], std::min(size, initial_.size() - at));
  return v;
}

}  // namespace fencepost::programs
