#include "execute/resume_points.hpp"

#include <cstring>

#include "execute/front_end_state.hpp"

namespace fencepost::verify {

using state = model_thread::state;

namespace {

// Copying this many bytes, and back, takes about as long as running one event.
constexpr std::size_t bytes_an_event = 4096;
// The same in a compiled program, with its plain accesses, each of which is a call.
constexpr std::size_t bytes_an_event_of_front_end = 32768;
// The cost of beginning a run and its threads, in events.
constexpr std::size_t from_the_beginning = 16;
// The thread of a piece that any thread may change.
constexpr unsigned of_all = max_threads;

// True of a thread that never continues in this run.
bool stays(state at) {
  return at == state::unused || at == state::finished || at == state::blocked ||
         at == state::spinning || at == state::gave_up;
}

bool can_front_end_resume() {
  return front_end_state::current == nullptr || front_end_state::current->can_resume();
}

std::size_t cost_of_an_event() {
  return front_end_state::current == nullptr ? bytes_an_event : bytes_an_event_of_front_end;
}

// True of a thread that has yielded where it adds to the graph.
bool goes_on(state at) { return at == state::frontier || at == state::parked; }

}  // namespace

bool resume_points::can_be_kept(unsigned thread) const {
  if (!can_front_end_resume()) return false;
  for (unsigned t = 0; t < threads_.created(); ++t) {
    const state at = threads_[t].at;
    if (fibers_.is_handling_exceptions(t)) return false;
    if (t == thread) continue;
    if (!stays(at) && !goes_on(at)) return false;
  }
  return loops_.can_save();
}

// Collects what the program may change from here on, and returns its size. The stack of a thread
// that never continues is included: other threads may use what is on it.
std::size_t resume_points::collect_pieces() {
  pieces_.clear();
  std::size_t size = 0;
  const auto add = [&](char* begin, std::size_t n, unsigned thread = of_all) {
    pieces_.push_back({begin, n, thread});
    size += n;
  };
  for (unsigned t = 0; t < threads_.created(); ++t) {
    const state at = threads_[t].at;
    if (at == state::unused || at == state::finished) continue;
    const fibers::bytes stack = fibers_.used_stack(t);
    add(stack.begin, stack.size);
    if (stays(at)) continue;
    const fibers::bytes engine = fibers_.used_engine_stack(t);
    add(engine.begin, engine.size, t);
  }
  arena_.for_each_used(add);
  if (front_end_state::current != nullptr)
    for (const std::span<char> m : front_end_state::current->memory()) add(m.data(), m.size());
  return size;
}

void resume_points::drop_gone() noexcept {
  while (used_ > 0 && !exploration_.has(all_[used_ - 1]->choice)) --used_;
}

// It does not if the event was part of a turn that was taken back.
bool resume_points::is_in_graph(const resume_point& m) const {
  return m.threads.all[m.thread].position < graph_.thread(m.thread).length();
}

std::optional<std::size_t> resume_points::latest() noexcept {
  drop_gone();
  for (std::size_t n = used_; n-- > 0;) {
    const resume_point& m = *all_[n];
    if (exploration_.unchanged_since(m.choice, m.trail_index) && is_in_graph(m)) return n;
  }
  return {};
}

void resume_points::keep(unsigned thread, std::size_t trail_index) {
  if (!can_be_kept(thread)) return;
  const std::size_t size_of_pieces = collect_pieces();
  const std::size_t size =
      size_of_pieces + loops_.saved_size() + objects_.constructed().size() * sizeof(object);
  const std::optional<std::size_t> before = latest();
  const std::size_t events =
      before ? trail_index - all_[*before]->trail_index + 1 : trail_index + from_the_beginning;
  if (size > events * cost_of_an_event()) return;
  if (used_ == all_.size()) all_.push_back(std::make_unique<resume_point>());
  resume_point& m = *all_[used_];
  m.choice = exploration_.youngest();
  m.trail_index = trail_index;
  m.thread = thread;
  threads_.save(m.threads);
  m.stacks.clear();
  for (unsigned t = 0; t < threads_.created(); ++t) m.stacks.push_back(fibers_.state_of(t));
  arena_.save(m.memory);
  objects_.save(m.objects);
  wait_lists_.save(m.waiting);
  loops_.save(m.loops);
  symmetry_.save(m.symmetric);
  m.recorded = outcomes_.save();
  m.pieces = pieces_;
  m.bytes.resize(size_of_pieces);
  char* to = m.bytes.data();
  for (const piece& p : m.pieces) {
    std::memcpy(to, p.begin, p.size);
    to += p.size;
  }
  if (front_end_state::current != nullptr) front_end_state::current->keep(used_, fibers_);
  ++used_;
}

bool resume_points::put_back(bool frames_are_compared) {
  if (!can_front_end_resume()) return false;
  const std::optional<std::size_t> which = latest();
  if (!which) return false;
  const resume_point* const m = all_[*which].get();
  ever_put_back_ = true;
  const char* from = m->bytes.data();
  for (const piece& p : m->pieces) {
    if (p.thread == of_all || fibers_.last_resumed(p.thread) != m->stacks[p.thread].resumed)
      std::memcpy(p.begin, from, p.size);
    from += p.size;
  }
  // Before it is no longer known which threads have run since.
  if (front_end_state::current != nullptr) front_end_state::current->put_back(*which, fibers_);
  threads_.put_back(m->threads);
  loops_.put_back(m->loops);
  for (unsigned t = 0; t < threads_.created(); ++t)
    fibers_.put_back(t, m->stacks[t], frames_are_compared);
  arena_.put_back(m->memory);
  objects_.put_back(m->objects);
  wait_lists_.put_back(m->waiting);
  symmetry_.put_back(m->symmetric);
  outcomes_.put_back(m->recorded);
  for (unsigned t = 0; t < threads_.created(); ++t) {
    if (threads_[t].at == state::parked)
      threads_[t].at = state::frontier;  // its next turn is the first
    const bool on = goes_on(threads_[t].at) || t == m->thread;
    if (on && threads_[t].position < graph_.thread(t).length()) threads_.follow_again(t);
  }
  return true;
}

}  // namespace fencepost::verify
