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
  char* begin = nullptr;  // of the thread that looks
  const char* initial = nullptr;
  std::size_t initialized = 0, size = 0;
};

// Of the program, which is the first, and of each library that has some from the beginning.
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

// Of what the C library keeps of a thread. 0: it does not say.
std::size_t size_of_descriptor() {
  const auto* const size =
      static_cast<const unsigned*>(dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  return size == nullptr ? 0 : *size;
}

}  // namespace

thread_locals::thread_locals() {
  const std::vector<block> all = blocks();
  const block& program = all.front();
  size_ = program.size;
  if (size_ == 0 || !thread_pointer::can_be_set()) return;
  own_ = thread_pointer::get();
  above_ = size_of_descriptor();
  if (above_ == 0) return;
  initial_.assign(program.initial, program.initial + program.initialized);
  offset_ = static_cast<std::size_t>(own_ - program.begin);
  // Those that were loaded later are elsewhere, and every thread finds them where they are.
  constexpr std::size_t most = std::size_t{1} << 20U;
  for (const block& b : all) {
    const auto distance = static_cast<std::size_t>(own_ - b.begin);
    if (distance < most) lowest_ = std::max(lowest_, distance);
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // All pointers are as far from the beginning of a page as the one that they are copies of.
  const auto in_page = reinterpret_cast<std::uintptr_t>(own_) % page;
  below_ = (lowest_ + page - 1) / page * page + in_page;
  stride_ = (below_ + above_ + page - 1) / page * page;
  // An address that is the same every day.
  constexpr std::uintptr_t wanted = 0x1400'0000'0000;
  memory_ = static_cast<char*>(verify::map(wanted, verify::max_threads * stride_, 0));
}

thread_locals::~thread_locals() {
  if (memory_ != nullptr) munmap(memory_, verify::max_threads * stride_);
}

void thread_locals::begin(unsigned thread) const {
  if (empty()) return;
  char* const here = pointer(thread);
  std::memcpy(here - lowest_, own_ - lowest_, lowest_ + above_);
  const std::span<char> variables = of(thread);
  std::memset(variables.data(), 0, variables.size());
  std::memcpy(variables.data(), initial_.data(), initial_.size());
  *reinterpret_cast<char**>(here) = here;  // the first thing that it points to is itself
  thread_pointer::set(here);
}

verify::wide_value thread_locals::initial(const void* p, std::size_t size) const noexcept {
  const std::size_t at = offset(p) % stride_ - (below_ - offset_);
  verify::wide_value v{};
  if (at < initial_.size())
    std::memcpy(v.data(), &initial_[at], std::min(size, initial_.size() - at));
  return v;
}

}  // namespace fencepost::programs
