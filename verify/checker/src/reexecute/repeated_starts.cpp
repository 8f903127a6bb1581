#include "reexecute/repeated_starts.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "execute/memory.hpp"

namespace fencepost::verify {

namespace {

// The thread's event, if it is kept in that start; null otherwise.
const kept_event* kept_in(const start& s, unsigned thread, unsigned number) {
  const auto& all = s.from.kept;
  if (thread >= all.size() || number > all[thread].size()) return nullptr;
  return &all[thread][number - 1];
}

// Nothing is compared if the kept event got nothing, or is of another kind.
bool agree(const kept_event& then, const kept_event& now) {
  return then.what != now.what || (then.got == now.got && then.writes == now.writes);
}

}  // namespace

void repeated_starts::begin_run() {
  repeated_.fill(~batch_set{0} >> (most_of_batch - batch_.size()));
  narrowed_.clear();
}

void repeated_starts::take_back(unsigned position) {
  const unsigned t = execution_.this_thread();
  const auto undone = [&](const narrowing& n) { return n.thread == t && n.position > position; };
  for (auto n = narrowed_.rbegin(); n != narrowed_.rend(); ++n)
    if (undone(*n)) repeated_[t] = n->before;
  std::erase_if(narrowed_, undone);
}

batch_set repeated_starts::by_all_threads() const noexcept {
  batch_set all = ~batch_set{0};
  for (const batch_set some : repeated_) all &= some;
  return all;
}

template <class F>
void repeated_starts::for_each_of_running(F&& f) const {
  for (batch_set left = repeated_[execution_.this_thread()]; left != 0; left &= left - 1)
    f(*batch_[static_cast<std::size_t>(std::countr_zero(left))], left & (~left + 1));
}

batch_set repeated_starts::without(unsigned number) const {
  batch_set some = 0;
  for_each_of_running([&](const start& s, batch_set bit) {
    if (kept_in(s, execution_.this_thread(), number) == nullptr) some |= bit;
  });
  return some;
}

void repeated_starts::narrow(batch_set to) {
  const engine_scope scope;
  batch_set& mine = repeated_[execution_.this_thread()];
  narrowed_.push_back({execution_.this_thread(), index_of(execution_.last()), mine});
  mine = to;
}

__attribute__((noinline)) void repeated_starts::compare_last(const kept_event& now) {
  execution_.mark();
  const unsigned t = execution_.this_thread();
  const unsigned number = execution_.number();
  batch_set same = without(number);
  if (same == repeated_[t]) return;
  for_each_of_running([&](const start& s, batch_set bit) {
    const kept_event* const then = kept_in(s, t, number);
    if (then == nullptr) return;
    if (agree(*then, now)) same |= bit;
  });
  if (same == 0) execution_.explores().give_up();
  if (same != repeated_[t]) narrow(same);
}

__attribute__((noinline)) void repeated_starts::want_what_was_got() {
  const unsigned number = execution_.number();
  if (without(number) != 0) return;
  const engine_scope scope;
  std::vector<value> all;
  bool each = true;
  for_each_of_running([&](const start& s, batch_set) {
    const kept_event& then = *kept_in(s, execution_.this_thread(), number);
    each = each && then.what == kept_event::kind::read;
    all.push_back(then.got);
  });
  if (!each) return;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  execution_.explores().want(*wanted_.insert(std::move(all)).first);
}

}  // namespace fencepost::verify
