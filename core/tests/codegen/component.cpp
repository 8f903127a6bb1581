// The deque of the kit. operations.hpp makes functions of it for the audit.
#include "fencepost/deque/tail_split.hpp"

namespace codegen {
using deque = fencepost::tail_split<long>;
using slot = deque::slot;
using word = fencepost::lace_split_word<fencepost::std_atomics>;
using point = fencepost::split_point;

inline bool push(deque& d, long task) { return d.try_push(task); }
inline slot* pop(deque& d) { return d.pop(); }
inline int steal(deque& d, void* thief, long& task) {
  const auto theft = d.steal(thief);
  if (theft.task != nullptr) task = theft.task->task.get();
  return static_cast<int>(theft.outcome);
}
inline void complete(slot& slot, long result) {
  slot.task.set(result);
  slot.complete();
}
inline bool completed(const slot& slot, long& result) {
  if (!slot.completed()) return false;
  result = slot.task.get();
  return true;
}
inline std::uint64_t load(const word& w) { return w.load().pack(); }
inline bool take(word& w, std::uint64_t seen) { return w.take(point::unpack(seen)); }
inline void raise(word& w, std::uint32_t to) { w.raise(0, to); }
inline std::uint32_t lower(word& w, std::uint32_t to) { return w.lower(0, to); }
}  // namespace codegen

#include "operations.hpp"
