#include "image.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fencepost::programs {

namespace {

// The relocation for a variable of a library that is copied into the program's memory.
#if defined(__aarch64__)
constexpr unsigned copied_variable = R_AARCH64_COPY;
#else
constexpr unsigned copied_variable = R_X86_64_COPY;
#endif

struct loaded {
  std::size_t base = 0;
  const ElfW(Phdr) * headers = nullptr;
  std::size_t count = 0;
};

// The executable is listed first.
loaded executable() {
  loaded found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        *static_cast<loaded*>(to) = {object->dlpi_addr, object->dlpi_phdr, object->dlpi_phnum};
        return 1;
      },
      &found);
  return found;
}

bool is_in(const void* p, const auto& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [p](const auto& r) { return p >= r.data() && p < r.data() + r.size(); });
}

// The variables of all libraries except this one. The executable has no name.
std::vector<std::span<const char>> variables_of_libraries() {
  std::vector<std::span<const char>> all;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        static const char own = 0;
        std::vector<std::span<const char>> found;
        bool is_other = *object->dlpi_name != 0;
        for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& p = object->dlpi_phdr[i];
          if (p.p_type != PT_LOAD) continue;
          found.emplace_back(reinterpret_cast<const char*>(object->dlpi_addr + p.p_vaddr),
                             p.p_memsz);
          if (is_in(&own, found)) is_other = false;
          if ((p.p_flags & PF_W) == 0) found.pop_back();
        }
        auto& others = *static_cast<std::vector<std::span<const char>>*>(to);
        if (is_other) others.insert(others.end(), found.begin(), found.end());
        return 0;
      },
      &all);
  return all;
}

// Removes the bytes of the hole from the ranges.
void take_out(std::span<char> hole, std::vector<std::span<char>>& ranges) {
  std::vector<std::span<char>> left;
  for (const std::span<char> r : ranges) {
    char* const end = r.data() + r.size();
    char* const from = std::clamp(hole.data(), r.data(), end);
    char* const until = std::clamp(hole.data() + hole.size(), from, end);
    if (from > r.data()) left.emplace_back(r.data(), from);
    if (end > until) left.emplace_back(until, end);
  }
  ranges = std::move(left);
}

}  // namespace

image::image() {
  const loaded program = executable();
  base_ = program.base;
  const auto address = [&](std::size_t offset) {
    return reinterpret_cast<char*>(program.base + offset);
  };
  std::vector<std::span<char>> fixed;
  for (std::size_t i = 0; i < program.count; ++i) {
    const ElfW(Phdr)& p = program.headers[i];
    const std::span<char> range(address(p.p_vaddr), p.p_memsz);
    switch (p.p_type) {
      case PT_LOAD:
        segments_.emplace_back(range);
        if ((p.p_flags & PF_W) != 0)
          variables_.push_back(range);
        else
          constants_.emplace_back(range);
        break;
      case PT_GNU_RELRO: fixed.push_back(range); break;
      case PT_TLS: thread_locals_ = true; break;
      case PT_GNU_STACK: runs_on_stacks_ = (p.p_flags & PF_X) != 0; break;
      case PT_DYNAMIC: read_dynamic(program.base, range.data(), fixed); break;
      default: break;
    }
  }
  for (const std::span<char> r : fixed) take_out(r, variables_);
  of_libraries_ = variables_of_libraries();
}

void image::read_dynamic(std::size_t base, const void* dynamic,
                         std::vector<std::span<char>>& shared) {
  // The dynamic linker has relocated most of these addresses; some are as they are in the file.
  const auto at = [&](std::size_t value) { return value < base ? base + value : value; };
  std::vector<std::size_t> needed;
  std::size_t value[DT_NUM] = {};
  for (const auto* d = static_cast<const ElfW(Dyn)*>(dynamic); d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == DT_NEEDED) needed.push_back(d->d_un.d_val);
    if (d->d_tag >= 0 && d->d_tag < DT_NUM) value[d->d_tag] = d->d_un.d_val;
    if (d->d_tag == DT_FLAGS) bound_ = bound_ || (d->d_un.d_val & DF_BIND_NOW) != 0;
    if (d->d_tag == DT_FLAGS_1) bound_ = bound_ || (d->d_un.d_val & DF_1_NOW) != 0;
    if (d->d_tag == DT_BIND_NOW) bound_ = true;
  }
  const auto* const names = reinterpret_cast<const char*>(at(value[DT_STRTAB]));
  const auto* const symbols = reinterpret_cast<const ElfW(Sym)*>(at(value[DT_SYMTAB]));
  for (const std::size_t offset : needed) libraries_.emplace_back(names + offset);
  // Everything that a program uses from a library is named by a relocation. A weak name that no
  // library defines is the address 0.
  const auto is_missing = [&](const ElfW(Rela) & r, const ElfW(Sym) & s) {
    return ELF64_ST_BIND(s.st_info) == STB_WEAK &&
           *reinterpret_cast<const std::size_t*>(base + r.r_offset) == 0;
  };
  const auto relocations = [&](std::size_t table, std::size_t bytes) {
    const auto* const all = reinterpret_cast<const ElfW(Rela)*>(at(table));
    for (std::size_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i) {
      const ElfW(Sym)& s = symbols[ELF64_R_SYM(all[i].r_info)];
      const bool copied = ELF64_R_TYPE(all[i].r_info) == copied_variable;
      if (copied) shared.emplace_back(reinterpret_cast<char*>(base + s.st_value), s.st_size);
      if (s.st_name != 0 && (copied || (s.st_shndx == SHN_UNDEF && !is_missing(all[i], s))))
        imports_.emplace_back(names + s.st_name);
    }
  };
  if (value[DT_RELA] != 0) relocations(value[DT_RELA], value[DT_RELASZ]);
  if (value[DT_JMPREL] != 0) relocations(value[DT_JMPREL], value[DT_PLTRELSZ]);
  std::sort(imports_.begin(), imports_.end());
  imports_.erase(std::unique(imports_.begin(), imports_.end()), imports_.end());
  if (value[DT_INIT] != 0)
    constructors_.push_back(reinterpret_cast<constructor>(at(value[DT_INIT])));
  const auto* const array = reinterpret_cast<constructor*>(at(value[DT_INIT_ARRAY]));
  const std::size_t count = value[DT_INIT_ARRAYSZ] / sizeof(constructor);
  constructors_.insert(constructors_.end(), array, array + count);
  const auto* const last = reinterpret_cast<destructor*>(at(value[DT_FINI_ARRAY]));
  destructors_.assign(last, last + value[DT_FINI_ARRAYSZ] / sizeof(destructor));
  std::reverse(destructors_.begin(), destructors_.end());
  if (value[DT_FINI] != 0) destructors_.push_back(reinterpret_cast<destructor>(at(value[DT_FINI])));
}

bool image::imports_any(std::span<const std::string_view> names) const {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return std::binary_search(imports_.begin(), imports_.end(), name);
  });
}

void image::keep_variables() {
  kept_.clear();
  for (const std::span<char> r : variables_) kept_.insert(kept_.end(), r.begin(), r.end());
}

void image::put_variables_back() const noexcept {
  const char* from = kept_.data();
  for (const std::span<char> r : variables_) {
    std::memcpy(r.data(), from, r.size());
    from += r.size();
  }
}

bool image::contains(const void* p) const noexcept { return is_in(p, segments_); }
bool image::is_constant(const void* p) const noexcept { return is_in(p, constants_); }
bool image::is_of_library(const void* p) const noexcept { return is_in(p, of_libraries_); }
bool image::has_variable(const void* p) const noexcept { return is_in(p, variables_); }

}  // namespace fencepost::programs
