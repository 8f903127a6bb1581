#include "debug_lines.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <utility>

namespace fencepost::programs {

namespace {

template <class T>
using owned = std::unique_ptr<T, void (*)(void*)>;

std::string demangled(const char* name) {
  if (name == nullptr) return {};
  int status = 0;
  const owned<char> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

}  // namespace

// The part of elfutils' libdw that is needed (elfutils/libdwfl.h, dwarf.h). It is looked for at run
// time, so that nothing has to be linked with it.
class debug_lines::library {
 public:
  library() {
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
    find(folder_, "dwfl_line_comp_dir");
    find(unit_, "dwfl_module_addrdie");
    find(child_, "dwarf_child");
    find(sibling_, "dwarf_siblingof");
    find(ranges_, "dwarf_ranges");
    find(tag_, "dwarf_tag");
    find(attribute_, "dwarf_attr");
    find(number_, "dwarf_formudata");
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
  ~library() {
    if (session_ != nullptr) end_(session_);
    if (library_ != nullptr) dlclose(library_);
  }
  library(const library&) = delete;
  library& operator=(const library&) = delete;

  void look_up(std::uintptr_t address, std::vector<line>& all) {
    line& here = all.emplace_back();
    void* const module = session_ == nullptr ? nullptr : module_(session_, address);
    if (module == nullptr) return;
    here.function = demangled(name_(module, address));
    void* const at = line_(module, address);
    if (at == nullptr) return;
    int number = 0;
    int column = 0;
    const char* const file = info_(at, nullptr, &number, &column, nullptr, nullptr);
    if (file == nullptr) return;
    const char* const folder = folder_(at);
    here.file = whole_path(folder, file);
    here.number = static_cast<unsigned>(number);
    here.column = static_cast<unsigned>(column);
    std::uint64_t bias = 0;
    entry* const unit = unit_(module, address, &bias);
    if (unit == nullptr) return;
    const std::vector<call>& calls = calls_in(*unit, folder);
    const std::string function = here.function;
    for (const call& c : calls)
      if (address - bias - c.begin < c.end - c.begin)
        all.push_back({c.file, function, c.number, c.column});
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
  static constexpr unsigned call_column = 0x57;    // DW_AT_…
  static constexpr unsigned call_file = 0x58;
  static constexpr unsigned call_line = 0x59;

  static std::string whole_path(const char* folder, const char* file) {
    return folder == nullptr || *file == '/' ? file : std::string(folder) + "/" + file;
  }

  template <class Function>
  void find(Function*& function, const char* name) {
    void* const symbol = dlsym(library_, name);
    complete_ = complete_ && symbol != nullptr;
    function = reinterpret_cast<Function*>(symbol);
  }

  unsigned number(entry& scope, unsigned code) const {
    attribute found{};
    std::uint64_t n = 0;
    if (attribute_(&scope, code, &found) == nullptr || number_(&found, &n) != 0) return 0;
    return static_cast<unsigned>(n);
  }

  // A call that was put in line.
  struct call {
    std::uint64_t begin, end;
    std::string file;
    unsigned number, column;
  };

  // All of a unit, inner ones before outer ones: of each entry first what is in it. (Functions may
  // be within functions that do not have their addresses.)
  void add_calls(entry& parent, void* files, std::size_t file_count, const char* folder,
                 std::vector<call>& all) const {
    entry e{};
    for (int more = child_(&parent, &e); more == 0; more = sibling_(&e, &e)) {
      add_calls(e, files, file_count, folder, all);
      if (tag_(&e) != inlined_subroutine) continue;
      const unsigned file = number(e, call_file);
      const char* const path = file < file_count ? file_(files, file, nullptr, nullptr) : nullptr;
      if (path == nullptr) continue;
      std::uint64_t base = 0, begin = 0, end = 0;
      for (std::ptrdiff_t at = 0; (at = ranges_(&e, at, &base, &begin, &end)) > 0;)
        all.push_back(
            {begin, end, whole_path(folder, path), number(e, call_line), number(e, call_column)});
    }
  }

  const std::vector<call>& calls_in(entry& unit, const char* folder) {
    const auto [known, is_new] = calls_.try_emplace(unit.address);
    void* files = nullptr;
    std::size_t file_count = 0;
    if (is_new && files_(&unit, &files, &file_count) == 0)
      add_calls(unit, files, file_count, folder, known->second);
    return known->second;
  }

  std::map<void*, std::vector<call>> calls_;  // by unit
  void* library_ = nullptr;
  bool complete_ = true;
  callbacks how_;
  void* session_ = nullptr;
  void (*end_)(void*) = nullptr;
  void* (*module_)(void*, std::uint64_t) = nullptr;
  const char* (*name_)(void*, std::uint64_t) = nullptr;
  void* (*line_)(void*, std::uint64_t) = nullptr;
  const char* (*info_)(void*, std::uint64_t*, int*, int*, std::uint64_t*, std::uint64_t*) = nullptr;
  const char* (*folder_)(void*) = nullptr;
  entry* (*unit_)(void*, std::uint64_t, std::uint64_t*) = nullptr;
  int (*child_)(entry*, entry*) = nullptr;
  int (*sibling_)(entry*, entry*) = nullptr;
  std::ptrdiff_t (*ranges_)(entry*, std::ptrdiff_t, std::uint64_t*, std::uint64_t*,
                            std::uint64_t*) = nullptr;
  int (*tag_)(entry*) = nullptr;
  attribute* (*attribute_)(entry*, unsigned, attribute*) = nullptr;
  int (*number_)(attribute*, std::uint64_t*) = nullptr;
  int (*files_)(entry*, void**, std::size_t*) = nullptr;
  const char* (*file_)(void*, std::size_t, std::uint64_t*, std::uint64_t*) = nullptr;
};

debug_lines::debug_lines() : library_(std::make_unique<library>()) {}
debug_lines::~debug_lines() = default;

std::vector<debug_lines::line> debug_lines::at(std::uintptr_t address) const {
  std::vector<line> all;
  library_->look_up(address, all);
  return all;
}

}  // namespace fencepost::programs
