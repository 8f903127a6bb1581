#include "commands/needed_libraries.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace fencepost::cli {

namespace {

template <class T>
std::optional<T> read(std::string_view file, std::uint64_t offset) {
  T value{};
  if (offset > file.size() || file.size() - offset < sizeof value) return {};
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::vector<Elf64_Phdr> segments_of(std::string_view file) {
  std::vector<Elf64_Phdr> all;
  const auto header = read<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return all;
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (const auto p = read<Elf64_Phdr>(file, header->e_phoff + i * sizeof(Elf64_Phdr)))
      all.push_back(*p);
  return all;
}

}  // namespace

bool needs_library(std::string_view file, std::string_view library) {
  const std::vector<Elf64_Phdr> segments = segments_of(file);
  // A shared library has no interpreter.
  if (std::none_of(segments.begin(), segments.end(),
                   [](const Elf64_Phdr& p) { return p.p_type == PT_INTERP; }))
    return false;
  std::vector<std::uint64_t> needed;
  std::uint64_t names = 0;
  for (const Elf64_Phdr& p : segments) {
    if (p.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = p.p_offset; at < p.p_offset + p.p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = read<Elf64_Dyn>(file, at);
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) needed.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) names = entry->d_un.d_ptr;
    }
  }
  for (const Elf64_Phdr& p : segments) {
    if (p.p_type != PT_LOAD || names - p.p_vaddr >= p.p_filesz) continue;
    const std::uint64_t table = names - p.p_vaddr + p.p_offset;
    for (const std::uint64_t name : needed) {
      if (table + name >= file.size()) continue;
      const std::string_view rest = file.substr(table + name);
      if (rest.substr(0, rest.find('\0')) == library) return true;
    }
  }
  return false;
}

}  // namespace fencepost::cli
