#include "imports.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "allowed_imports.hpp"
#include "compiler.hpp"
#include "execute/debug_session.hpp"
#include "instead.hpp"
#include "thread_locals.hpp"

namespace fencepost::programs {

namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// Returns the name as the source has it, such as "std::ostringstream::str() const".
std::string name_in_source(const std::string& mangled) {
  std::string name = verify::demangled(mangled.c_str());
  replace_all(name, "::__cxx11::", "::");
  replace_all(name, "::_V2::", "::");
  replace_all(name, ", std::char_traits<char>, std::allocator<char> >", ">");
  replace_all(name, ", std::char_traits<char> >", ">");
  constexpr std::string_view basic = "std::basic_", of_char = "<char>";
  for (std::size_t at = 0; (at = name.find(basic, at)) != std::string::npos; ++at) {
    const std::size_t end = name.find_first_of("<(", at);
    if (end == std::string::npos || name.compare(end, of_char.size(), of_char) != 0) continue;
    name.erase(end, of_char.size()).erase(at + 5, basic.size() - 5);
    replace_all(name, "::basic_", "::");
    replace_all(name, "::~basic_", "::~");
  }
  return name;
}

// Lists the refused names with their alternatives: of many with the same alternative, only the
// first.
std::vector<std::string> names_of_refused(const std::vector<std::string>& imports) {
  constexpr std::size_t named = 3;
  std::vector<std::string_view> hints;
  for (const std::string& name : imports) {
    if (may_import(name)) continue;
    const std::string_view hint = instead_of(name);
    if (std::find(hints.begin(), hints.end(), hint) == hints.end()) hints.push_back(hint);
  }
  std::vector<std::string> lines;
  for (const std::string_view hint : hints) {
    std::size_t count = 0;
    for (const std::string& name : imports)
      if (!may_import(name) && instead_of(name) == hint && (++count <= named || hint.empty()))
        lines.push_back(name_in_source(name));
    if (hint.empty()) continue;
    if (count > named) lines.push_back("and " + std::to_string(count - named) + " more");
    lines.push_back("  instead: " + std::string(hint));
  }
  return lines;
}

// Refuses a program that replaces functions which the checker itself calls.
void refuse_replaced(const image& program, std::vector<std::string>& all) {
  constexpr std::pair<const char*, const char*> replaceable[] = {
      {"_Znwm", "operator new"},       {"_Znam", "operator new[]"}, {"_ZdlPv", "operator delete"},
      {"_ZdaPv", "operator delete[]"}, {"malloc", "malloc"},        {"free", "free"}};
  for (const auto& [symbol, name] : replaceable)
    if (const void* const p = dlsym(RTLD_DEFAULT, symbol); p != nullptr && program.contains(p))
      all.push_back(std::string(name) +
                    " of the program's own, for all types\n    instead: members of a class, or an "
                    "allocator");
}

}  // namespace

std::vector<std::string> refused(const image& program) {
  std::vector<std::string> all;
  const std::vector<std::string>& imports = program.imports();
  const auto is_imported = [&](const char* name) {
    return std::binary_search(imports.begin(), imports.end(), name);
  };
  if (!is_imported("__tsan_init"))
    all.emplace_back("code that was not compiled with -fsanitize=thread");
  if (compiler_of_program() == compiler::both)
    all.emplace_back(
        "parts compiled by clang beside parts compiled by g++ or gcc: uninitialized variables are "
        "recognized by a value that only one of these compilers stores");
  if (!program.is_bound()) all.emplace_back("a program that was not linked with -z now");
  if (program.has_thread_locals() && !thread_locals().can_be_used())
    all.emplace_back("thread_local variables, which this system cannot give to each thread");
  if (is_imported("regexec") && is_imported("mkstemp") && is_imported("execv"))
    all.emplace_back(
        "the library of GoogleTest (instead: gtest/gtest.h as fencepost c++ finds it, without "
        "libgtest.a)");
  for (const std::string& library : program.libraries())
    if (!may_link(library)) all.push_back("the library " + library);
  refuse_replaced(program, all);
  for (std::string& line : names_of_refused(imports)) all.push_back(std::move(line));
  return all;
}

}  // namespace fencepost::programs
