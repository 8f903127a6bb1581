#include "static_objects.hpp"

#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "image.hpp"
#include "program_file.hpp"

namespace fencepost::programs {
namespace {

// True for the C++ ABI's name of a destructor of a complete object, or of a base, which is the same
// function if there is no virtual base.
bool names_destructor(std::string_view name) {
  if (!name.starts_with("_Z")) return false;
  for (const std::string_view ending : {"D1Ev", "D2Ev", "D1B", "D2B"})
    if (name.find(ending) != std::string_view::npos) return true;
  return false;
}

}  // namespace

void static_objects::read_symbols() {
  is_read_ = true;
  const std::string symbols = section_of_program(".symtab");
  const std::string names = section_of_program(".strtab");
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym s;
    std::memcpy(&s, symbols.data() + at, sizeof s);
    if (s.st_shndx == SHN_UNDEF) continue;
    const std::uintptr_t address = program_.base() + s.st_value;
    const auto type = ELF64_ST_TYPE(s.st_info);
    const std::string_view name = names.c_str() + std::min<std::size_t>(s.st_name, names.size());
    if (type == STT_OBJECT) {
      std::size_t& size = sizes_[address];
      size = std::max<std::size_t>(size, s.st_size);
      if (name.starts_with("_ZGV")) guards_.insert(address);
    } else if (type == STT_FUNC && names_destructor(name)) {
      destructors_.insert(address);
    }
  }
}

bool static_objects::is_destructor(void (*function)(void*)) const {
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  if (destructors_.contains(address)) return true;
  Dl_info of{};
  return dladdr(reinterpret_cast<const void*>(address), &of) != 0 && of.dli_sname != nullptr &&
         reinterpret_cast<std::uintptr_t>(of.dli_saddr) == address &&
         names_destructor(of.dli_sname);
}

bool static_objects::is_guard(const volatile void* p) {
  if (!program_.has_variable(const_cast<const void*>(p))) return false;
  if (!is_read_) read_symbols();
  return guards_.contains(reinterpret_cast<std::uintptr_t>(p));
}

std::size_t static_objects::destroyed_by(const exit_call& c) {
  if (!program_.has_variable(c.argument)) return 0;
  if (!is_read_) read_symbols();
  const auto found = sizes_.find(reinterpret_cast<std::uintptr_t>(c.argument));
  return found != sizes_.end() && is_destructor(c.function) ? found->second : 0;
}

}  // namespace fencepost::programs
