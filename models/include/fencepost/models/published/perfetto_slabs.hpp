// When Perfetto's task runner may delete a slab, as published (PERF-16, 25, 28, 33, 39).
//
// Posters use the last slab only, and the reader deletes slabs that are not the last. The counts
// protect posters that have read an old tail: a poster raises the count of the slab's bucket before
// it accesses the slab, and the reader deletes no slab whose count is not zero.
//
// The checker finds:
//   PERF-16  the count is raised after the tail was read: the slab may be deleted by then. Use
//            after free, even if every order is sequentially consistent
//   PERF-28  one count for all slabs, raised before the tail is read, is correct. The argument
//            does not carry over to buckets: the bucket is not known before the tail is read
//   PERF-33  with a second look at the tail after the count was raised, buckets are correct too,
//            and acquire and release are enough, in both: a poster that replaces a slab holds its
//            count meanwhile. If it does not, they are not enough (slab_queue/append_unheld)
//   PERF-39  the count is lowered after the task was published: this accesses a runner that may
//            be destroyed by then. The released code waits for all counts to be zero before Run()
//            returns
//
// Here a slab has one slot, which the poster that appends the slab takes; tasks are left out.
#pragma once

#include <atomic>
#include <memory>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace perfetto_slabs {

struct rules {
  bool count_first = false;  // before the tail is read
  bool second_look = false;  // reads the tail again after the count was raised
  bool append_held = true;   // the count is lowered only after the slab was replaced
  bool seq_cst = true;       // otherwise acquire and release
};

template <class P, rules Rules>
class slabs {
 public:
  slabs() = default;
  slabs(const slabs&) = delete;
  slabs& operator=(const slabs&) = delete;
  ~slabs() {
    for (slab* s = tail_.load(relaxed); s != first_;) {
      slab* const prev = s->prev.get();
      delete s;
      s = prev;
    }
    if (!first_deleted_) delete first_;
  }

  void post() {
    for (;;) {
      if constexpr (Rules.count_first) raise();
      slab* last = tail_.load(acquire);
      if constexpr (!Rules.count_first) raise();
      if (Rules.second_look && tail_.load(acquire) != last) {
        lower();
        continue;
      }
      // The one slot is taken: append.
      last->next_task_slot.fetch_add(1, relaxed);
      slab* const fresh = new slab;
      fresh->prev.set(last);
      if constexpr (!Rules.append_held) lower();
      const bool appended = tail_.compare_exchange_strong(last, fresh, release, relaxed);
      if constexpr (Rules.append_held) lower();
      if (appended) return;
      delete fresh;
    }
  }

  // The reader: the first slab's task was taken.
  void delete_first() {
    if (tail_.load(acquire) == first_ || count_.load(acquire) != 0) return;
    delete first_;
    first_deleted_ = true;
  }

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;
  static constexpr auto acquire =
      Rules.seq_cst ? std::memory_order_seq_cst : std::memory_order_acquire;
  static constexpr auto release =
      Rules.seq_cst ? std::memory_order_seq_cst : std::memory_order_release;

  struct slab {
    typename P::template atomic<unsigned> next_task_slot{1};
    typename P::template plain<slab*> prev{nullptr};
  };

  void raise() { count_.fetch_add(1, acquire); }
  void lower() { count_.fetch_sub(1, release); }

  slab* const first_ = new slab;
  bool first_deleted_ = false;
  typename P::template atomic<slab*> tail_{first_};
  typename P::template atomic<unsigned> count_{0};  // of the one bucket
};

// The first slab is full. Two posters append slabs; the reader deletes the first one, if it may.
template <class P, rules Rules>
struct stale_tail {
  slabs<P, Rules> list;
  void thread(unsigned index) {
    if (index == 0) {
      list.delete_first();
    } else {
      list.post();
    }
  }
};

}  // namespace perfetto_slabs

template <class P>
struct perfetto_tail_then_refcount : perfetto_slabs::stale_tail<P, perfetto_slabs::rules{}> {
  static constexpr auto about =
      scenario{.name = "published/perfetto_tail_then_refcount",
               .threads = 3,
               .claim =
                   "a poster that increments the count after reading the tail touches a freed "
                   "slab, even with sequential consistency",
               .expected = violation::use_after_free};
};

template <class P>
struct perfetto_second_look
    : perfetto_slabs::stale_tail<P, perfetto_slabs::rules{.second_look = true}> {
  static constexpr auto about =
      scenario{.name = "published/perfetto_second_look",
               .threads = 3,
               .claim = "a poster that reads the tail again touches no freed slab"};
};

template <class P>
struct perfetto_acquire_release
    : perfetto_slabs::stale_tail<P, perfetto_slabs::rules{.second_look = true, .seq_cst = false}> {
  static constexpr auto about =
      scenario{.name = "published/perfetto_acquire_release",
               .threads = 3,
               .claim = "with the second read, acquire and release suffice"};
};

template <class P>
struct perfetto_global_count
    : perfetto_slabs::stale_tail<P, perfetto_slabs::rules{.count_first = true}> {
  static constexpr auto about =
      scenario{.name = "published/perfetto_global_count",
               .threads = 3,
               .claim = "one count for all slabs, incremented before the tail is read, suffices"};
};

template <class P>
struct perfetto_global_count_acquire_release
    : perfetto_slabs::stale_tail<P, perfetto_slabs::rules{.count_first = true, .seq_cst = false}> {
  static constexpr auto about =
      scenario{.name = "published/perfetto_global_count_acquire_release",
               .threads = 3,
               .claim = "with one count, acquire and release suffice too"};
};

// The last task ends the runner, which is destroyed as soon as this task has been run.
template <class P>
struct perfetto_epilogue {
  static constexpr auto about = scenario{
      .name = "published/perfetto_epilogue",
      .threads = 2,
      .claim =
          "a poster that decrements the count after publishing the task touches a destroyed runner",
      .expected = violation::use_after_free};
  struct runner {
    typename P::template atomic<unsigned> count{0};
    typename P::template atomic<unsigned> tasks_written{0};
  };
  std::unique_ptr<runner> last = std::make_unique<runner>();
  void thread(unsigned index) {
    if (index == 0) {
      while (last->tasks_written.load(std::memory_order_acquire) == 0) P::spin_pause();
      last.reset();
    } else {
      runner& to = *last;
      to.count.fetch_add(1, std::memory_order_seq_cst);
      to.tasks_written.fetch_or(1, std::memory_order_release);
      to.count.fetch_sub(1, std::memory_order_seq_cst);
    }
  }
};

using perfetto_slabs_list =
    scenario_list<perfetto_tail_then_refcount, perfetto_second_look, perfetto_acquire_release,
                  perfetto_global_count, perfetto_global_count_acquire_release, perfetto_epilogue>;

}  // namespace fencepost::models::published
