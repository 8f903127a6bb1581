// Races with turns that are left out.
//
// When a turn is left out, its accesses are lost, and so is a race that they may be part of: the
// turn may read data whose writer learns, through relaxed accesses, of what comes after the loop.
// So the first idle turn stays, and the next one is left out if it accesses nothing that those
// before it did not. If an access of either turn races, the graph without the other turn still has
// the race. Keeping a turn would cost too much for data that no other thread accesses, or that
// others access only before this thread's beginning or after its end. Whether another thread
// accesses data in between shows during the exploration, which then restarts.

#include "execute/silent_sections.hpp"
#include "execute/spin_loops.hpp"

namespace fencepost::verify {

using state = model_thread::state;

// Calls f for what is accessed from an arrival on, except for the read there, with which the next
// turn begins as well.
template <class F>
void spin_loops::for_each_access(const arrival& from, unsigned position, std::size_t plains,
                                 F&& f) const {
  const thread_turns& turns = here();
  for (unsigned i = from.position + 2; i <= position; ++i) {
    const event& e = graph_.thread(fibers_.running()).events[i];
    for (unsigned k = 0; k < e.fields(); ++k) f(e.loc[k], false);
  }
  for (std::size_t i = from.plains; i < plains; ++i) f(turns.plains[i].at, turns.plains[i].write);
}

bool spin_loops::adds_access(std::size_t begin) const {
  const thread_turns& turns = here();
  const arrival& a = turns.arrivals[begin];
  std::size_t first = begin;  // the first of the idle turns before this one
  for (std::size_t i = 0; i < begin && first == begin; ++i)
    if (turns.arrivals[i].where == a.where && same_state(turns.arrivals[i].state)) first = i;
  bool adds = false;
  for_each_access(
      a, threads_[fibers_.running()].position, turns.plains.size(), [&](location l, bool write) {
        if (!contention_.at(l)) return;
        bool known = false;
        for_each_access(turns.arrivals[first], a.position, a.plains,
                        [&](location m, bool w) { known = known || (m == l && (w || !write)); });
        adds = adds || !known;
      });
  return adds;
}

void spin_loops::note_left_out(const arrival& from) {
  const std::uint64_t self = std::uint64_t{1} << fibers_.running();
  bool found = sites_.undo() && note_undone(from);
  for (unsigned i = from.position + 1; i <= threads_[fibers_.running()].position; ++i) {
    const event& e = graph_.thread(fibers_.running()).events[i];
    if (!takes_mutex(graph_, e)) continue;
    if (sites_.add_lock()) run_.restart();  // reads of mutexes have not been noted so far
    found = contention_.add_locked(e.loc[0], self, [&] { return exploration_.path(); }) || found;
  }
  for_each_access(from, threads_[fibers_.running()].position, here().plains.size(),
                  [&](location l, bool write) {
                    found = contention_.add_left_out(l, self, write, [&] {
                      return exploration_.path();
                    }) || found;
                  });
  if (found) run_.restart();
}

// A thread that reads a mutex in another way than lock() might find it held.
void spin_loops::note_watched(const event& e) {
  if (!learns_of_holders(graph_, e)) return;
  const engine_scope scope;
  bool found = false;
  for (unsigned k = 0; k < e.fields(); ++k)
    found =
        contention_.add_watched(e.loc[k], fibers_.running(), [&] { return exploration_.path(); }) ||
        found;
  if (found) run_.restart();
}

void spin_loops::add_plain(location l, bool write, lifetimes::before_access before) {
  const engine_scope scope;
  here().plains.push_back({l, write, before});
}

// The threads that may run meanwhile, a bit each. They are the same until the thread yields or adds
// an event.
std::uint64_t spin_loops::threads_meanwhile() {
  const unsigned self = fibers_.running();
  const since_when now{fibers_.last_resumed(self), threads_[self].position};
  if (meanwhile_since_ == now) return meanwhile_;
  const clock& hb = graph_.thread(self).view[threads_[self].position].hb;
  std::uint64_t others = 0;
  bool alone = true;  // then threads that have never existed can only begin later
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    if (t == self) continue;
    const state at = threads_[t].at;
    const bool later = at == state::unused && thread_of(threads_.creator(t)) == self;
    const bool before = at == state::finished && hb.covers(make_id(t, graph_.thread(t).length()));
    if (!later && !before) others |= std::uint64_t{1} << t;
    alone = alone && (at == state::unused || before);
  }
  if (!alone && graph_.threads() < max_threads) others |= ~std::uint64_t{0} << graph_.threads();
  meanwhile_since_ = now;
  return meanwhile_ = others;
}

void spin_loops::add_meanwhile(location l) {
  const std::uint64_t others = threads_meanwhile();
  if (others == 0) return;
  const engine_scope scope;
  if (contention_.add_meanwhile(l, others, [&] { return exploration_.path(); })) run_.restart();
}

}  // namespace fencepost::verify
