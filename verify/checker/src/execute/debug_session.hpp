// The debug information of the running program, read with elfutils' libdw.
//
// The library is loaded only when a place is to be reported, so nothing has to be linked with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fencepost::verify {

std::string demangled(const char* name);  // "" for null

// The part of libdw that is needed (elfutils/libdwfl.h, dwarf.h).
struct libdw {
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

  void* (*addrmodule)(void*, std::uint64_t) = nullptr;  // dwfl_…
  const char* (*module_addrname)(void*, std::uint64_t) = nullptr;
  // Returns the symbol's name; sets its GElf_Sym, and the offset of the address in it.
  const char* (*module_addrinfo)(void*, std::uint64_t, std::uint64_t* offset, void* symbol,
                                 unsigned*, void**, std::uint64_t*) = nullptr;
  void* (*module_getsrc)(void*, std::uint64_t) = nullptr;
  entry* (*module_addrdie)(void*, std::uint64_t, std::uint64_t*) = nullptr;
  const char* (*lineinfo)(void*, std::uint64_t*, int*, int*, std::uint64_t*,
                          std::uint64_t*) = nullptr;
  const char* (*line_comp_dir)(void*) = nullptr;
  int (*getscopes)(entry*, std::uint64_t, entry**) = nullptr;  // dwarf_…
  int (*getscopes_die)(entry*, entry**) = nullptr;
  int (*child)(entry*, entry*) = nullptr;
  int (*siblingof)(entry*, entry*) = nullptr;
  std::ptrdiff_t (*ranges)(entry*, std::ptrdiff_t, std::uint64_t*, std::uint64_t*,
                           std::uint64_t*) = nullptr;
  int (*tag)(entry*) = nullptr;
  attribute* (*attr)(entry*, unsigned, attribute*) = nullptr;
  int (*formudata)(attribute*, std::uint64_t*) = nullptr;
  const char* (*diename)(entry*) = nullptr;
  int (*getsrcfiles)(entry*, void**, std::size_t*) = nullptr;
  const char* (*filesrc)(void*, std::size_t, std::uint64_t*, std::uint64_t*) = nullptr;
};

class debug_session {
 public:
  debug_session();
  ~debug_session();
  debug_session(const debug_session&) = delete;
  debug_session& operator=(const debug_session&) = delete;

  // Returns what is loaded at the address; null if nothing is known of it, or there is no libdw.
  // The functions may be called once this has returned a module.
  [[nodiscard]] void* module_at(std::uint64_t address) const {
    return session_ == nullptr ? nullptr : functions_.addrmodule(session_, address);
  }
  [[nodiscard]] const libdw& functions() const noexcept { return functions_; }
  // The value of an attribute of the entry, or 0 if it has none.
  [[nodiscard]] std::uint64_t number(libdw::entry&, unsigned code) const;

 private:
  struct callbacks {  // Dwfl_Callbacks
    void (*find_elf)() = nullptr;
    void (*find_debuginfo)() = nullptr;
    void (*section_address)() = nullptr;
    char** debuginfo_path = nullptr;
  };

  template <class Function>
  void find(Function*& function, const char* name);
  void find_functions();

  void* library_ = nullptr;
  bool complete_ = true;
  libdw functions_;
  callbacks how_;
  void (*end_)(void*) = nullptr;
  void* session_ = nullptr;
};

}  // namespace fencepost::verify
