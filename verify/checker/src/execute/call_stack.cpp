#include "execute/call_stack.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace fencepost::verify {

namespace {

std::string demangled(const char* name) {
  if (name == nullptr) return {};
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

// "std::mutex::lock" of "std::mutex::lock()", "a lambda" of what has no name.
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

// The part of elfutils' libdw that is needed (elfutils/libdwfl.h, dwarf.h). It is looked for when a
// program is to be told where it went wrong, so that nothing has to be linked with it; without it,
// functions have names where the dynamic linker knows them, and no lines.
class debug_information {
 public:
  debug_information() {
    library_ = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library_ == nullptr) return;
    void* (*begin)(const callbacks*) = nullptr;
    int (*report)(void*, pid_t) = nullptr;
    int (*report_end)(void*, void*, void*) = nullptr;
    find(begin, "dwfl_begin");
    find(report, "dwfl_linux_proc_report");
    find(report_end, "dwfl_report_end");
    find(end_, "dwfl_end");
    find(module_, "dwfl_addrmodule");
    find(name_, "dwfl_module_addrname");
    find(line_, "dwfl_module_getsrc");
    find(info_, "dwfl_lineinfo");
    find(unit_, "dwfl_module_addrdie");
    find(scopes_, "dwarf_getscopes");
    find(scopes_of_entry_, "dwarf_getscopes_die");
    find(tag_, "dwarf_tag");
    find(attribute_, "dwarf_attr");
    find(number_, "dwarf_formudata");
    find(scope_name_, "dwarf_diename");
    find(files_, "dwarf_getsrcfiles");
    find(file_, "dwarf_filesrc");
    find(how_.find_elf, "dwfl_linux_proc_find_elf");
    find(how_.find_debuginfo, "dwfl_standard_find_debuginfo");
    if (!complete_) return;
    session_ = begin(&how_);
    if (session_ == nullptr) return;
    report(session_, getpid());
    report_end(session_, nullptr, nullptr);
  }
  ~debug_information() {
    if (session_ != nullptr) end_(session_);
    if (library_ != nullptr) dlclose(library_);
  }
  debug_information(const debug_information&) = delete;
  debug_information& operator=(const debug_information&) = delete;

  // The function at the address, and before it those that were put in line there.
  void look_up(std::uint64_t address, std::vector<call_stack::call>& all) const {
    call_stack::call here;
    void* const module = session_ == nullptr ? nullptr : module_(session_, address);
    if (module != nullptr) {
      int line = 0;
      if (void* const at = line_(module, address)) {
        const char* const file = info_(at, nullptr, &line, nullptr, nullptr, nullptr);
        if (file != nullptr) here.file = file;
        here.line = static_cast<unsigned>(line);
      }
      take_inlined(module, address, here, all);
      here.function = demangled(name_(module, address));
    }
    Dl_info known{};
    if (here.function.empty() && dladdr(reinterpret_cast<void*>(address), &known) != 0)
      here.function = demangled(known.dli_sname);
    all.push_back(std::move(here));
  }

 private:
  struct callbacks {  // Dwfl_Callbacks
    void (*find_elf)() = nullptr;
    void (*find_debuginfo)() = nullptr;
    void (*section_address)() = nullptr;
    char** debuginfo_path = nullptr;
  };
  struct entry {  // Dwarf_Die
    void* address;
    void* unit;
    void* abbreviation;
    long padding;
  };
  struct attribute {  // Dwarf_Attribute
    unsigned code, form;
    unsigned char* value;
    void* unit;
  };
  static constexpr int inlined_subroutine = 0x1d;  // DW_TAG_…
  static constexpr unsigned call_file = 0x58;      // DW_AT_…
  static constexpr unsigned call_line = 0x59;

  template <class Function>
  void find(Function*& function, const char* name) {
    void* const symbol = dlsym(library_, name);
    complete_ = complete_ && symbol != nullptr;
    function = reinterpret_cast<Function*>(symbol);
  }

  std::uint64_t number(entry& scope, unsigned code) const {
    attribute found{};
    std::uint64_t n = 0;
    if (attribute_(&scope, code, &found) == nullptr || number_(&found, &n) != 0) return 0;
    return n;
  }

  // From the innermost outwards: `here` becomes the place of the call of the outermost of them.
  void take_inlined(void* module, std::uint64_t address, call_stack::call& here,
                    std::vector<call_stack::call>& all) const {
    std::uint64_t bias = 0;
    entry* const unit = unit_(module, address, &bias);
    if (unit == nullptr) return;
    entry* found = nullptr;
    if (scopes_(unit, address - bias, &found) <= 0) return;
    const std::unique_ptr<entry, void (*)(void*)> innermost(found, &std::free);
    // By where it was put in line, not by where it was written.
    const int count = scopes_of_entry_(innermost.get(), &found);
    if (count <= 0) return;
    const std::unique_ptr<entry, void (*)(void*)> owner(found, &std::free);
    void* files = nullptr;
    std::size_t file_count = 0;
    if (files_(unit, &files, &file_count) != 0) return;
    for (int i = 0; i < count; ++i) {
      if (tag_(&found[i]) != inlined_subroutine) continue;
      const char* const name = scope_name_(&found[i]);
      here.function = name == nullptr ? "" : name;
      all.push_back(here);
      here = {};
      const std::uint64_t file = number(found[i], call_file);
      const char* const path = file < file_count ? file_(files, file, nullptr, nullptr) : nullptr;
      if (path != nullptr) here.file = path;
      here.line = static_cast<unsigned>(number(found[i], call_line));
    }
  }

  void* library_ = nullptr;
  bool complete_ = true;
  callbacks how_;
  void* session_ = nullptr;
  void (*end_)(void*) = nullptr;
  void* (*module_)(void*, std::uint64_t) = nullptr;
  const char* (*name_)(void*, std::uint64_t) = nullptr;
  void* (*line_)(void*, std::uint64_t) = nullptr;
  const char* (*info_)(void*, std::uint64_t*, int*, int*, std::uint64_t*, std::uint64_t*) = nullptr;
  entry* (*unit_)(void*, std::uint64_t, std::uint64_t*) = nullptr;
  int (*scopes_)(entry*, std::uint64_t, entry**) = nullptr;
  int (*scopes_of_entry_)(entry*, entry**) = nullptr;
  int (*tag_)(entry*) = nullptr;
  attribute* (*attribute_)(entry*, unsigned, attribute*) = nullptr;
  int (*number_)(attribute*, std::uint64_t*) = nullptr;
  const char* (*scope_name_)(entry*) = nullptr;
  int (*files_)(entry*, void**, std::size_t*) = nullptr;
  const char* (*file_)(void*, std::size_t, std::uint64_t*, std::uint64_t*) = nullptr;
};

// Below a handler, or a function that stands in for the C library's, is the body.
bool is_of_the_checker(const call_stack::call& c) {
  return c.function.find("fencepost::verify::supervisor::") != std::string::npos ||
         c.file.ends_with("/src/checked_atomics.cpp") ||
         c.file.ends_with("/verify/checker/src/execute/signals.cpp") ||
         c.file.ends_with("/verify/checker/src/execute/leaving.cpp");
}

}  // namespace

// The first backtrace() loads a library.
void call_stack::prepare() noexcept {
  void* one = nullptr;
  static_cast<void>(backtrace(&one, 1));
}

void call_stack::take() noexcept { count_ = backtrace(at_, most); }

std::vector<call_stack::call> call_stack::calls() const {
  const debug_information known;
  std::vector<call> all;
  for (int i = 0; i < count_; ++i) {
    // What is there is where the call returns to.
    std::vector<call> here;
    known.look_up(reinterpret_cast<std::uint64_t>(at_[i]) - 1, here);
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
