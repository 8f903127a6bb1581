#include "execute/foreign_memory.hpp"

#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "execute/front_end_state.hpp"

namespace fencepost::verify {

namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20;

// True for the system's libraries: a body does not change their variables, except for those of
// malloc, which foreign_allocations.cpp takes care of.
bool is_of_the_system(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view known[] = {"ld-",
                                        "ld.",
                                        "libc.",
                                        "libm.",
                                        "libc++",
                                        "libstdc++",
                                        "libgcc_s.",
                                        "libpthread.",
                                        "libdl.",
                                        "librt.",
                                        "linux-vdso",
                                        "linux-gate",
                                        "libboost_context."};
  return std::any_of(std::begin(known), std::end(known),
                     [&](std::string_view k) { return name.substr(0, k.size()) == k; });
}

using range = foreign_memory::range;

// Adds `whole` without the part of it that is in `hole`.
void add_without(range hole, range whole, std::vector<range>& to) {
  const char* const end = whole.begin + whole.size;
  const char* const from = std::clamp(hole.begin, whole.begin, end);
  const char* const until = std::clamp(hole.begin + hole.size, from, end);
  to.push_back({whole.begin, static_cast<std::size_t>(from - whole.begin)});
  to.push_back({until, static_cast<std::size_t>(end - until)});
}

// Where the dynamic linker writes the address of a function when it is first called.
range linkage_table(const dl_phdr_info& object) {
  const char* table = nullptr;
  std::size_t entries = 3;  // the dynamic linker's own
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& p = object.dlpi_phdr[i];
    if (p.p_type != PT_DYNAMIC) continue;
    const auto* d = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + p.p_vaddr);
    for (; d->d_tag != DT_NULL; ++d) {
      // Some systems keep the address as it is in the file.
      if (d->d_tag == DT_PLTGOT)
        table = reinterpret_cast<const char*>(
            d->d_un.d_ptr < object.dlpi_addr ? object.dlpi_addr + d->d_un.d_ptr : d->d_un.d_ptr);
      if (d->d_tag == DT_PLTRELSZ) entries += d->d_un.d_val / sizeof(ElfW(Rela));
    }
  }
  return {table, table == nullptr ? 0 : entries * sizeof(void*)};
}

bool is_of_front_end(const dl_phdr_info& object) {
  const front_end_state* const front_end = front_end_state::current;
  if (front_end == nullptr) return false;
  const ElfW(Phdr)* const begin = object.dlpi_phdr;
  return std::none_of(begin, begin + object.dlpi_phnum, [&](const ElfW(Phdr) & p) {
    return p.p_type == PT_LOAD &&
           front_end->is_foreign(reinterpret_cast<const char*>(object.dlpi_addr + p.p_vaddr));
  });
}

int add_variables(dl_phdr_info* object, std::size_t, void* to) {
  auto& ranges = *static_cast<std::vector<range>*>(to);
  if (is_of_the_system(object->dlpi_name) || is_of_front_end(*object)) return 0;
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& p = object->dlpi_phdr[i];
    if (p.p_type == PT_LOAD && (p.p_flags & PF_W) != 0)
      add_without(linkage_table(*object),
                  {reinterpret_cast<const char*>(object->dlpi_addr + p.p_vaddr), p.p_memsz},
                  ranges);
    if (p.p_type == PT_TLS && object->dlpi_tls_data != nullptr)
      ranges.push_back({static_cast<const char*>(object->dlpi_tls_data), p.p_memsz});
  }
  return 0;
}

const char* end_of_stack(const void* frame) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  const char* const end = static_cast<const char*>(lowest) + size;
  return known && frame >= lowest && frame < end ? end : nullptr;
}

}  // namespace

bool foreign_memory::find(const void* frame, range own) {
  ranges_.clear();
  dl_iterate_phdr(add_variables, &ranges_);
  if (front_end_state::current != nullptr) return true;  // the front end calls check() itself
  const auto* const begin = static_cast<const char*>(frame);
  const char* const end = end_of_stack(frame);
  if (end == nullptr) return false;
  add_without(own, {begin, static_cast<std::size_t>(end - begin)}, ranges_);
  return true;
}

bool foreign_memory::remember(const void* frame, range own) {
  bytes_.clear();
  if (!find(frame, own)) return false;
  std::size_t size = 0;
  for (const range& r : ranges_) size += r.size;
  if (size > most_bytes) return false;
  bytes_.resize(size);
  char* to = bytes_.data();
  for (const range& r : ranges_) {
    std::memcpy(to, r.begin, r.size);
    to += r.size;
  }
  return true;
}

bool foreign_memory::has_changed() const noexcept {
  if (bytes_.empty()) return false;
  const char* then = bytes_.data();
  for (const range& r : ranges_) {
    if (std::memcmp(then, r.begin, r.size) != 0) return true;
    then += r.size;
  }
  return false;
}

}  // namespace fencepost::verify
