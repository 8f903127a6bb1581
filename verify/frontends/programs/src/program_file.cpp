#include "program_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace fencepost::programs {

std::string section_of_program(std::string_view name) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const auto read = [&](std::uint64_t at, std::size_t size) {
    std::string bytes(size, '\0');
    file.seekg(static_cast<std::streamoff>(at))
        .read(bytes.data(), static_cast<std::streamsize>(size));
    return bytes;
  };
  const auto as = []<class T>(T t, const std::string& bytes) {
    std::copy_n(bytes.data(), sizeof t, reinterpret_cast<char*>(&t));
    return t;
  };
  const auto header = as(Elf64_Ehdr{}, read(0, sizeof(Elf64_Ehdr)));
  const auto section = [&](std::size_t i) {
    return as(Elf64_Shdr{}, read(header.e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr)));
  };
  if (header.e_shnum == 0) return {};
  const Elf64_Shdr names = section(header.e_shstrndx);
  const std::string all_names = read(names.sh_offset, names.sh_size);
  for (std::size_t i = 0; file && i < header.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    if (all_names.c_str() + std::min<std::size_t>(s.sh_name, all_names.size()) == name)
      return read(s.sh_offset, s.sh_size);
  }
  return {};
}

namespace {
// True for what the compiler adds to every program, what the linker makes, and the file without
// code that is linked instead of a sanitizer's runtime.
bool is_of_every_program(std::string_view name) {
  return name.empty() || name == "crtstuff.c" || name.ends_with("crt1.o") || name == "crti.o" ||
         name == "crtn.o" || name == "null";
}
}  // namespace

// In the symbol table, the local symbols of an object file follow its name.
std::vector<std::string> parts_that_are_not_ours() {
  constexpr std::string_view ours = "__fencepost_has_compiled";
  const std::string symbols = section_of_program(".symtab");
  const std::string names = section_of_program(".strtab");
  std::vector<std::string> others;
  bool is_known = true;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym s;
    std::memcpy(&s, symbols.data() + at, sizeof s);
    if (ELF64_ST_BIND(s.st_info) != STB_LOCAL) break;
    const std::string_view name = names.c_str() + std::min<std::size_t>(s.st_name, names.size());
    if (ELF64_ST_TYPE(s.st_info) == STT_FILE) {
      is_known = is_of_every_program(name);
      if (!is_known) others.emplace_back(name);
    } else if (!is_known && name.find(ours) != std::string_view::npos) {
      is_known = true;
      others.pop_back();
    }
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return others;
}

}  // namespace fencepost::programs
