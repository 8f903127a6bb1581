#include "execute/call_stack.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "execute/debug_session.hpp"

namespace fencepost::verify {

namespace {

// Returns the last two components of a name, without parameters: "mutex::lock" for
// "std::mutex::lock()". A lambda is "a lambda".
std::string short_name(std::string name) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(unnamed)) != std::string::npos;)
    name.erase(at, unnamed.size());
  if (name.find("lambda") != std::string::npos || name == "operator()") return "a lambda";
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) out += c;
    if (c == '>' || c == ')') --depth;
  }
  if (const std::size_t space = out.rfind(' ');
      space != std::string::npos && space + 1 < out.size())
    out.erase(0, space + 1);
  const std::size_t last = out.rfind("::");
  const std::size_t before =
      last == std::string::npos || last == 0 ? last : out.rfind("::", last - 1);
  return before == std::string::npos ? out : out.substr(before + 2);
}

// Appends the functions inlined at the address, from the innermost outwards. `here` is the place of
// the address; afterwards, it is the call site of the outermost of them.
void take_inlined(const debug_session& known, void* module, std::uint64_t address,
                  call_stack::call& here, std::vector<call_stack::call>& all) {
  const libdw& dw = known.functions();
  std::uint64_t bias = 0;
  libdw::entry* const unit = dw.module_addrdie(module, address, &bias);
  if (unit == nullptr) return;
  libdw::entry* found = nullptr;
  if (dw.getscopes(unit, address - bias, &found) <= 0) return;
  const std::unique_ptr<libdw::entry, void (*)(void*)> innermost(found, &std::free);
  // The scopes around the inlined code, not those around the function's definition.
  const int count = dw.getscopes_die(innermost.get(), &found);
  if (count <= 0) return;
  const std::unique_ptr<libdw::entry, void (*)(void*)> owner(found, &std::free);
  void* files = nullptr;
  std::size_t file_count = 0;
  if (dw.getsrcfiles(unit, &files, &file_count) != 0) return;
  for (int i = 0; i < count; ++i) {
    if (dw.tag(&found[i]) != libdw::inlined_subroutine) continue;
    const char* const name = dw.diename(&found[i]);
    here.function = name == nullptr ? "" : name;
    all.push_back(here);
    here = {};
    const std::uint64_t file = known.number(found[i], libdw::call_file);
    const char* const path =
        file < file_count ? dw.filesrc(files, file, nullptr, nullptr) : nullptr;
    if (path != nullptr) here.file = path;
    here.line = static_cast<unsigned>(known.number(found[i], libdw::call_line));
  }
}

// Appends the functions inlined at the address, then the function that contains it. Without libdw,
// a function has a name only if the dynamic linker knows it, and no line.
void look_up(const debug_session& known, std::uint64_t address,
             std::vector<call_stack::call>& all) {
  call_stack::call here;
  if (void* const module = known.module_at(address); module != nullptr) {
    const libdw& dw = known.functions();
    int line = 0;
    if (void* const at = dw.module_getsrc(module, address)) {
      const char* const file = dw.lineinfo(at, nullptr, &line, nullptr, nullptr, nullptr);
      if (file != nullptr) here.file = file;
      here.line = static_cast<unsigned>(line);
    }
    take_inlined(known, module, address, here, all);
    here.function = demangled(dw.module_addrname(module, address));
  }
  Dl_info symbol{};
  if (here.function.empty() && dladdr(reinterpret_cast<void*>(address), &symbol) != 0)
    here.function = demangled(symbol.dli_sname);
  all.push_back(std::move(here));
}

// True if the call is in a signal handler, or in a function that replaces the C library's: the
// body's calls are further out.
bool is_of_the_checker(const call_stack::call& c) {
  return c.function.find("fencepost::verify::supervisor::") != std::string::npos ||
         c.file.ends_with("/src/checked_atomics.cpp") ||
         c.file.ends_with("/verify/checker/src/execute/signals.cpp") ||
         c.file.ends_with("/verify/checker/src/execute/leaving.cpp");
}

}  // namespace

// The first call of backtrace() loads a library, which allocates.
void call_stack::prepare() noexcept {
  void* one = nullptr;
  static_cast<void>(backtrace(&one, 1));
}

void call_stack::take() noexcept { count_ = backtrace(at_, most); }

std::vector<call_stack::call> call_stack::calls() const {
  const debug_session known;
  std::vector<call> all;
  for (int i = 0; i < count_; ++i) {
    // The address is where the call returns to: one less lies within the call.
    std::vector<call> here;
    look_up(known, reinterpret_cast<std::uint64_t>(at_[i]) - 1, here);
    for (call& c : here) {
      if (c.function.find("fencepost::verify::thread_runner::call_body") != std::string::npos)
        return all;
      all.push_back(std::move(c));
      if (is_of_the_checker(all.back())) all.clear();
    }
  }
  return all;
}

std::string call_stack::name_of(const call& c) { return short_name(c.function); }

bool call_stack::is_of_the_body(const call& c) {
  return c.file.starts_with("/") && !c.file.starts_with("/usr/") &&
         c.file.find("/fencepost/verify/") == std::string::npos;
}

}  // namespace fencepost::verify
