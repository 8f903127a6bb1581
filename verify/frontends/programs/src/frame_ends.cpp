#include "frame_ends.hpp"

#include <unwind.h>

namespace fencepost::programs {

std::size_t frame_ends::ask(const void* return_address, const void* frame) {
  const auto begin = reinterpret_cast<std::uintptr_t>(frame);
  struct search {
    const void* wanted;
    std::uintptr_t begin;
    bool is_caller = false;  // the next frame is that of its caller
    std::uintptr_t end = 0;  // 0 if not found
  } s{return_address, begin};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* to) {
        auto& here = *static_cast<search*>(to);
        if (here.is_caller) {
          here.end = _Unwind_GetCFA(context);
          return _URC_NORMAL_STOP;
        }
        here.is_caller = _Unwind_GetIP(context) == reinterpret_cast<std::uintptr_t>(here.wanted);
        const bool is_beyond = _Unwind_GetCFA(context) > here.begin;
        return is_beyond && !here.is_caller ? _URC_NORMAL_STOP : _URC_NO_REASON;
      },
      &s);
  // Without unwinding information, only the two words are known.
  const std::size_t size = s.end > begin ? s.end - begin : 2 * sizeof(void*);
  return known_.emplace(return_address, size).first->second;
}

}  // namespace fencepost::programs
