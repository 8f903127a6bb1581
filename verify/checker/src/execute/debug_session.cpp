#include "execute/debug_session.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace fencepost::verify {

std::string demangled(const char* name) {
  if (name == nullptr) return {};
  // A name from C, which would be demangled as the name of a type.
  if (!std::string_view(name).starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

debug_session::debug_session() {
  library_ = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library_ == nullptr) return;
  void* (*begin)(const callbacks*) = nullptr;
  int (*report)(void*, pid_t) = nullptr;
  int (*report_end)(void*, void*, void*) = nullptr;
  find(begin, "dwfl_begin");
  find(report, "dwfl_linux_proc_report");
  find(report_end, "dwfl_report_end");
  find(end_, "dwfl_end");
  find(how_.find_elf, "dwfl_linux_proc_find_elf");
  find(how_.find_debuginfo, "dwfl_standard_find_debuginfo");
  find_functions();
  if (!complete_) return;
  session_ = begin(&how_);
  if (session_ == nullptr) return;
  report(session_, getpid());
  report_end(session_, nullptr, nullptr);
}

debug_session::~debug_session() {
  if (session_ != nullptr) end_(session_);
  if (library_ != nullptr) dlclose(library_);
}

template <class Function>
void debug_session::find(Function*& function, const char* name) {
  void* const symbol = dlsym(library_, name);
  complete_ = complete_ && symbol != nullptr;
  function = reinterpret_cast<Function*>(symbol);
}

void debug_session::find_functions() {
  find(functions_.addrmodule, "dwfl_addrmodule");
  find(functions_.module_addrname, "dwfl_module_addrname");
  find(functions_.module_addrinfo, "dwfl_module_addrinfo");
  find(functions_.module_getsrc, "dwfl_module_getsrc");
  find(functions_.module_addrdie, "dwfl_module_addrdie");
  find(functions_.lineinfo, "dwfl_lineinfo");
  find(functions_.line_comp_dir, "dwfl_line_comp_dir");
  find(functions_.getscopes, "dwarf_getscopes");
  find(functions_.getscopes_die, "dwarf_getscopes_die");
  find(functions_.child, "dwarf_child");
  find(functions_.siblingof, "dwarf_siblingof");
  find(functions_.ranges, "dwarf_ranges");
  find(functions_.tag, "dwarf_tag");
  find(functions_.attr, "dwarf_attr");
  find(functions_.formudata, "dwarf_formudata");
  find(functions_.diename, "dwarf_diename");
  find(functions_.getsrcfiles, "dwarf_getsrcfiles");
  find(functions_.filesrc, "dwarf_filesrc");
}

std::uint64_t debug_session::number(libdw::entry& e, unsigned code) const {
  libdw::attribute found{};
  std::uint64_t n = 0;
  if (functions_.attr(&e, code, &found) == nullptr || functions_.formudata(&found, &n) != 0)
    return 0;
  return n;
}

}  // namespace fencepost::verify
