#include "debug_lines.hpp"

#include <elf.h>

#include <string_view>

namespace fencepost::programs {

using verify::libdw;

namespace {

std::string whole_path(const char* folder, const char* file) {
  return folder == nullptr || *file == '/' ? file : std::string(folder) + "/" + file;
}

}  // namespace

std::vector<debug_lines::line> debug_lines::at(std::uintptr_t address) {
  std::vector<line> all;
  line& here = all.emplace_back();
  void* const module = known_.module_at(address);
  if (module == nullptr) return all;
  const libdw& dw = known_.functions();
  here.function = verify::demangled(dw.module_addrname(module, address));
  void* const at = dw.module_getsrc(module, address);
  if (at == nullptr) return all;
  int number = 0;
  int column = 0;
  const char* const file = dw.lineinfo(at, nullptr, &number, &column, nullptr, nullptr);
  if (file == nullptr) return all;
  const char* const folder = dw.line_comp_dir(at);
  here.file = whole_path(folder, file);
  here.number = static_cast<unsigned>(number);
  here.column = static_cast<unsigned>(column);
  std::uint64_t bias = 0;
  entry* const unit = dw.module_addrdie(module, address, &bias);
  if (unit == nullptr) return all;
  const std::string function = here.function;
  for (const call& c : calls_in(*unit, folder))
    if (address - bias - c.begin < c.end - c.begin)
      all.push_back({c.file, function, c.number, c.column});
  return all;
}

std::string debug_lines::variable_at(std::uintptr_t address) const {
  void* const module = known_.module_at(address);
  if (module == nullptr) return {};
  std::uint64_t offset = 0;
  Elf64_Sym symbol{};
  const char* const found = known_.functions().module_addrinfo(module, address, &offset, &symbol,
                                                               nullptr, nullptr, nullptr);
  if (found == nullptr || offset >= symbol.st_size) return {};
  std::string name = verify::demangled(found);
  constexpr std::string_view nameless = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(nameless)) != std::string::npos;)
    name.erase(at, nameless.size());
  return offset == 0 ? name : name + '+' + std::to_string(offset);
}

// Adds the inlined calls of a unit, inner ones before outer ones: the children of an entry come
// first. (Functions may be nested in functions that do not contain their addresses.)
void debug_lines::add_calls(entry& parent, void* files, std::size_t file_count, const char* folder,
                            std::vector<call>& all) const {
  const libdw& dw = known_.functions();
  const auto number = [&](entry& e, unsigned code) {
    return static_cast<unsigned>(known_.number(e, code));
  };
  entry e{};
  for (int more = dw.child(&parent, &e); more == 0; more = dw.siblingof(&e, &e)) {
    add_calls(e, files, file_count, folder, all);
    if (dw.tag(&e) != libdw::inlined_subroutine) continue;
    const unsigned file = number(e, libdw::call_file);
    const char* const path =
        file < file_count ? dw.filesrc(files, file, nullptr, nullptr) : nullptr;
    if (path == nullptr) continue;
    std::uint64_t base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dw.ranges(&e, at, &base, &begin, &end)) > 0;)
      all.push_back({begin, end, whole_path(folder, path), number(e, libdw::call_line),
                     number(e, libdw::call_column)});
  }
}

const std::vector<debug_lines::call>& debug_lines::calls_in(entry& unit, const char* folder) {
  const auto [known, is_new] = calls_.try_emplace(unit.address);
  void* files = nullptr;
  std::size_t file_count = 0;
  if (is_new && known_.functions().getsrcfiles(&unit, &files, &file_count) == 0)
    add_calls(unit, files, file_count, folder, known->second);
  return known->second;
}

}  // namespace fencepost::programs
