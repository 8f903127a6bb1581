// chase_lev and tail_split, and a std::deque with a mutex.
#include "../../mutex_deque.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/deque/tail_split.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

constexpr std::uint32_t capacity = 1024;

struct on_chase_lev {
  chase_lev<item> deque{capacity};
  void push(item i) { deque.push(i); }
  std::optional<item> pop() { return deque.pop(); }
  std::optional<item> steal() {
    const auto theft = deque.steal();
    return theft.outcome == steal_outcome::stolen ? std::optional{theft.item} : std::nullopt;
  }
};

// A stolen task keeps its slot until the owner has observed its completion: pop() waits for that.
struct on_tail_split {
  tail_split<item> deque{capacity};
  void push(item i) { deque.push(i); }
  std::optional<item> pop() {
    if (deque.empty()) return std::nullopt;
    if (auto* const slot = deque.pop()) return slot->task.get();
    while (!deque.top().completed()) std_atomics::spin_pause();
    deque.retire();
    return 0;
  }
  std::optional<item> steal() {
    auto* const slot = deque.steal(this).task;
    if (slot == nullptr) return std::nullopt;
    const item i = slot->task.get();
    slot->complete();
    return i;
  }
  void settle() { pop(); }
};

[[maybe_unused]] const bool registered =
    register_deque<deque_loops<on_chase_lev>>("chase_lev") &&
    register_deque<deque_loops<on_tail_split>>("tail_split") &&
    register_deque<deque_loops<mutex_work_deque<item>>>("mutex+std::deque");

}  // namespace
}  // namespace fencepost::bench::peers
