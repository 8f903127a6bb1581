#include "places.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <vector>

#include "image.hpp"

namespace fencepost::programs {

namespace {

// True for a line in a header of the system, or in a header of Fencepost that replaces one.
bool is_of_a_library(const debug_lines::line& l) {
  return l.file.starts_with("/usr/") || l.file.find("/lib/fencepost/std/") != std::string::npos ||
         l.file.find("/lib/fencepost/testing/") != std::string::npos;
}

}  // namespace

// Finds the innermost of the inlined calls there that is in the program's own code.
const places::place& places::find(std::uintptr_t return_address) {
  const auto remember = [&](const place& p) -> const place& {
    recent_[slot(return_address)] = {return_address, &p};
    return p;
  };
  if (const auto found = known_.find(return_address); found != known_.end())
    return remember(found->second);
  const std::vector<debug_lines::line> lines = lines_.at(return_address - 1);
  const auto own = std::find_if_not(lines.begin(), lines.end(), is_of_a_library);
  const debug_lines::line& line = own == lines.end() ? lines.front() : *own;
  place p;
  p.in_program = program_.contains(reinterpret_cast<const void*>(return_address));
  p.in_library = !p.in_program || own == lines.end();
  p.where.function = names_.insert(line.function).first->c_str();
  if (line.number != 0) {
    p.where.file = names_.insert(line.file).first->c_str();
    p.where.line = line.number;
    p.where.column = line.column;
  } else {
    // No debug information: the address in the file is all there is.
    Dl_info object{};
    std::uintptr_t base = 0;
    const char* file = "?";
    if (dladdr(reinterpret_cast<const void*>(return_address), &object) != 0) {
      base = reinterpret_cast<std::uintptr_t>(object.dli_fbase);
      file = object.dli_fname;
    }
    p.where.file = names_.insert(file).first->c_str();
    p.where.line = static_cast<std::uint32_t>(return_address - base);
  }
  return remember(known_.emplace(return_address, p).first->second);
}

std::string places::variable_at(const void* address) const {
  if (!program_.has_variable(address)) return {};
  return lines_.variable_at(reinterpret_cast<std::uintptr_t>(address));
}

source_location places::of_call(const place& innermost, const void* frame, const void* top,
                                const exit_call& exit) {
  const source_location* const caller =
      innermost.in_program ? of_caller(frame, top) : of_caller_of_library(top);
  if (caller != nullptr) return *caller;
  return exit.function != nullptr ? of_destructor(exit) : innermost.where;
}

// Follows the frame pointers: a frame begins with the address of the caller's frame, and then the
// return address. Returns null if no caller is the program's.
const source_location* places::of_caller(const void* frame, const void* top) {
  for (const auto* f = static_cast<const void* const*>(frame); f < top;) {
    const auto* const caller = static_cast<const void* const*>(*f);
    if (caller <= f || caller >= top) break;
    const place& p = at(reinterpret_cast<std::uintptr_t>(caller[1]));
    if (!p.in_library) return &p.where;
    f = caller;
  }
  return nullptr;
}

// Libraries are compiled without frame pointers, so the caller is found by unwinding, as for
// exceptions, up to the first frame of the thread, which cannot be unwound.
const source_location* places::of_caller_of_library(const void* top) {
  struct search {
    places& all;
    std::uintptr_t top;
    const source_location* found;
  } s{*this, reinterpret_cast<std::uintptr_t>(top), nullptr};
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* to) {
        auto& here = *static_cast<search*>(to);
        if (_Unwind_GetCFA(frame) > here.top) return _URC_NORMAL_STOP;
        const place& p = here.all.at(_Unwind_GetIP(frame));
        if (p.in_library) return _URC_NO_REASON;
        here.found = &p.where;
        return _URC_NORMAL_STOP;
      },
      &s);
  return s.found;
}

source_location places::of_destructor(const exit_call& exit) {
  const auto [found, is_new] = destructors_.try_emplace(exit.argument, exit.where.function);
  if (std::string name = is_new ? variable_at(exit.argument) : ""; !name.empty()) {
    const std::size_t scope = name.rfind("::");
    name.insert(scope == std::string::npos ? 0 : scope + 2, "~");
    found->second = names_.insert(name).first->c_str();
  }
  source_location where = exit.where;
  where.function = found->second;
  return where;
}

}  // namespace fencepost::programs
