// Makes some idle turns again, many times. Whether a turn is idle follows from the memory that is
// compared. The program may have changed other memory in it: a static variable, one that the body
// captures, a block from malloc. A loop that counts there has idle turns until something that it
// does depends on the count; turns must not be left out then, and the program is not verified.
//
// The turn is made beside the graph: each event gets what it got before. No other thread has done
// anything since the turn began, so a program that depends on nothing else does the same, and is
// then in the same state.

#include <algorithm>

#include "execute/front_end_state.hpp"
#include "execute/spin_loops.hpp"

namespace fencepost::verify {

// How often the turn that begins there is made again: often at first; later, in a sample, by other
// numbers, since a loop may count modulo something.
unsigned spin_loops::repetitions(const source_location& where) {
  constexpr unsigned at_first = 100;
  auto at = std::find_if(idle_at_.begin(), idle_at_.end(),
                         [&](const auto& known) { return known.first == where; });
  if (at == idle_at_.end()) at = idle_at_.emplace(at, where, 0);
  const std::uint64_t n = at->second++;
  if (n == 0) return at_first;
  const bool is_in_sample = n < 32 || (n & (n - 1)) == 0 || n % 1024 == 0;
  return is_in_sample ? 1 + static_cast<unsigned>(n % 7) : 0;
}

// True if no event of another thread was added after the first one of the turn that began there.
bool spin_loops::is_newest(const arrival& a) const {
  const event_id first = make_id(fibers_.running(), a.position + 1);
  const auto& trail = graph_.trail();
  const auto stop = std::find_if(trail.rbegin(), trail.rend(), [&](const entry& x) {
    return x.id == first || thread_of(x.id) != fibers_.running();
  });
  return stop != trail.rend() && stop->id == first;
}

// Called when the running thread has made an idle turn. Returns true if it makes it again.
bool spin_loops::begin_to_repeat(const arrival& a) {
  // A turn that stays is recorded and compared like everything else.
  const bool is_compared = tape_.comparing() || (tape_.on() && here().in_place);
  // A front end has state of its own, and all memory of its program is compared.
  const bool is_front_end = front_end_state::current != nullptr;
  if (!options_.repeat || trace_.on() || is_compared || is_front_end ||
      options_.judge_run != nullptr)
    return false;
  // Otherwise other threads may have changed since what the turn has read under a mutex.
  if (!is_newest(a)) return false;
  const unsigned times = repetitions(a.where);
  if (times == 0) return false;
  const unsigned self = fibers_.running();
  thread_turns& turns = here();
  const graph::log& l = graph_.thread(self);
  tape_.spoil();
  repeated_turn& r = turns.repeated.emplace();
  for (unsigned i = a.position + 1; i <= threads_[self].position; ++i) {
    r.events.push_back(l.events[i]);
    r.where.push_back(l.where[i]);
  }
  r.left = times * r.events.size();
  r.plains = turns.plains.size();
  r.next = a.state.next;
  return true;
}

void spin_loops::end_repeating() {
  const engine_scope scope;
  const unsigned self = fibers_.running();
  thread_turns& turns = here();
  for (auto& done = turns.plains; done.size() > turns.repeated->plains; done.pop_back())
    objects_.undo_access(self, done.back().at, done.back().write, done.back().before);
  turns.repeated.reset();
  turns.was_repeated = true;
}

tape::entry spin_loops::next_repeated() const {
  const repeated_turn& r = *here().repeated;
  const std::size_t i = r.done % r.events.size();
  return {.asked = r.events[i], .where = r.where[i]};
}

}  // namespace fencepost::verify
