// Decides which thread runs next: first those that follow the graph, until each is where the graph
// ends for it, then one that adds to the graph.
#pragma once

#include <vector>

#include "execute/model_threads.hpp"
#include "execute/spin_loops.hpp"
#include "explore/loop_sites.hpp"
#include "explore/priorities.hpp"
#include "explore/sampler.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class scheduler {
 public:
  scheduler(const graph& g, model_threads& t, spin_loops& l, sampler& s, const loop_sites& sites,
            const priorities& p)
      : graph_(g), threads_(t), loops_(l), sampler_(s), sites_(sites), priorities_(p) {}

  void begin_run() noexcept {
    owner_ = nobody;
    reschedule_ = false;
  }

  // What to do next to let a thread, and those that it needs, follow the graph.
  struct step {
    enum class kind : std::uint8_t {
      resume,    // `thread`
      done,      // the thread is where the graph ends for it
      diverged,  // `thread` needs what `other` does not do
    };
    kind what = kind::done;
    unsigned thread = 0;
    unsigned other = 0;
  };
  void begin_to_follow();
  step next_needed();

  // Called when all threads are where the graph ends: returns the one that adds to it, or `nobody`.
  unsigned next();
  static constexpr unsigned nobody = max_threads;

  // True if it is the turn of the running thread, which is about to add an event.
  [[nodiscard]] bool keeps_turn(unsigned running, const event& e) const {
    return threads_.following() == (threads_[running].following ? 1U : 0U) && !reschedule_ &&
           (owner_ == running && all_come_late_ ? threads_.runnable(e) : goes_first(running, e));
  }
  // The thread is about to add this event.
  void set_owner(unsigned thread, const event& e) noexcept {
    owner_ = thread;
    all_come_late_ = comes_late(e);
  }
  // The thread is about to be resumed to add events.
  void begin_turn(unsigned thread) noexcept {
    set_owner(thread, *threads_[thread].wants);
    reschedule_ = false;
  }
  // Another thread may have to go first now.
  void reschedule() noexcept { reschedule_ = true; }

 private:
  struct needing {  // a thread that is resumed because another one needs it
    unsigned thread;
    unsigned next;           // if it joins others: the next thread to try, otherwise `nobody`
    bool found_some = true;  // whether some of those tried last could continue
  };
  [[nodiscard]] bool comes_late(const event& e) const noexcept {
    return e.reads() || !priorities_.reads_come_late();
  }
  [[nodiscard]] bool goes_first(unsigned running, const event&) const;
  [[nodiscard]] bool may_go_first(unsigned thread) const;
  [[nodiscard]] unsigned pick() const;
  unsigned pick_at_random();
  bool may_go_on(unsigned thread);

  const graph& graph_;
  model_threads& threads_;
  spin_loops& loops_;
  sampler& sampler_;
  const loop_sites& sites_;
  const priorities& priorities_;
  unsigned owner_ = nobody;     // the thread whose turn it is to add events
  bool all_come_late_ = false;  // when it became the owner, so did the events of all candidates
  bool reschedule_ = false;
  std::vector<needing> driven_;
};

}  // namespace fencepost::verify
