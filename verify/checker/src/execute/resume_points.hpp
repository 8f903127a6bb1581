// Snapshots of the program at the choices of a run: its threads, with their stacks, and its memory.
// The next run differs from the last one by a choice, and continues from there: nothing before it
// is run again.
//
// What the checker knows is restored: the threads, what they have allocated, the lifetimes of
// objects; and what the front end keeps (front_end_state.hpp). What a body changes elsewhere is
// not: foreign_memory.hpp detects that, and resuming.hpp then ends resuming.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "execute/fibers.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/outcomes.hpp"
#include "execute/spin_loops.hpp"
#include "execute/wait_lists.hpp"
#include "explore/exploration.hpp"
#include "explore/symmetry.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class resume_points {
 public:
  struct parts {
    const graph& events;
    const exploration& search;
    symmetry& symmetric;
    arena& memory;
    lifetimes& objects;
    wait_lists& waiting;
    spin_loops& loops;
    outcomes& recorded;
    fibers& stacks;
    model_threads& threads;
  };
  explicit resume_points(const parts& p)
      : graph_(p.events),
        exploration_(p.search),
        symmetry_(p.symmetric),
        arena_(p.memory),
        objects_(p.objects),
        wait_lists_(p.waiting),
        loops_(p.loops),
        outcomes_(p.recorded),
        fibers_(p.stacks),
        threads_(p.threads) {}

  // Keeps the state of the program. The thread is about to get the result of the event that was
  // added last, whose entries on the trail begin at `trail_index`. Nothing is kept where that would
  // cost more than running the events since the last point that was kept.
  void keep(unsigned thread, std::size_t trail_index);
  // Restores the program to where the coming run first differs from the last one, or before. Each
  // thread that has events to come follows the graph. Returns false, and changes nothing, if there
  // is no such point.
  bool put_back(bool frames_are_compared);
  void clear() noexcept { used_ = 0; }
  [[nodiscard]] bool any() const noexcept { return used_ != 0; }
  [[nodiscard]] bool ever_put_back() const noexcept { return ever_put_back_; }

 private:
  struct piece {
    char* begin;
    std::size_t size;
    unsigned thread;  // the only one that may change it; max_threads: any may
  };
  struct resume_point {
    exploration::choice_name choice;
    std::size_t trail_index = 0;
    unsigned thread = 0;
    model_threads::saved threads;
    std::vector<fibers::suspended> stacks;
    arena::saved memory;
    lifetimes::saved objects;
    wait_lists::saved waiting;
    spin_loops::saved loops;
    symmetry::saved symmetric;
    outcomes::saved recorded;
    std::vector<piece> pieces;
    std::vector<char> bytes;  // of all pieces, one after the other
  };

  [[nodiscard]] bool can_be_kept(unsigned thread) const;
  std::size_t collect_pieces();
  void drop_gone() noexcept;
  // True if the graph has the event whose result the thread of the point is about to get.
  [[nodiscard]] bool is_in_graph(const resume_point&) const;
  // Drops the points whose choice is gone. Returns the index of the youngest one that the coming
  // run passes through.
  [[nodiscard]] std::optional<std::size_t> latest() noexcept;

  const graph& graph_;
  const exploration& exploration_;
  symmetry& symmetry_;
  arena& arena_;
  lifetimes& objects_;
  wait_lists& wait_lists_;
  spin_loops& loops_;
  outcomes& outcomes_;
  fibers& fibers_;
  model_threads& threads_;
  std::vector<std::unique_ptr<resume_point>> all_;  // by choice, the youngest last
  std::size_t used_ = 0;                            // how many; the rest are kept for their memory
  std::vector<piece> pieces_;
  bool ever_put_back_ = false;
};

}  // namespace fencepost::verify
