// Claims of the inbox about tasks that the runner posts to itself.
#pragma once

#include <atomic>
#include <utility>

#include "fencepost/models/task_runner/one_inbox.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::task_runner_scenarios {

// Returns the next task, once it is ready: an unfinished post may precede it.
template <class P, class Inbox>
unsigned next_of(Inbox& inbox) {
  while (!inbox.ready()) P::spin_pause();
  return inbox.pop()->written->get();
}

// The runner posts to itself after it has learnt of another's post, and the other posts after it
// has learnt of the runner's. Both announce their posts before the tasks have run.
template <class P, template <class> class Runner>
struct own_tasks_keep_the_order {
  static constexpr auto about = scenario{
      .name = "task_runner/own_tasks_keep_the_order",
      .threads = 2,
      .claim =
          "if one post happens before another, one by the runner and one not, its task runs first",
      .timeouts = 0};
  typename Runner<P>::wake wake;
  typename Runner<P>::inbox inbox{wake};
  typename P::template plain<unsigned> written[4];
  typename P::template atomic<unsigned> posted{0};

  void thread(unsigned index) {
    if (index == 0) {
      push(0);
      if (posted.load(std::memory_order_acquire) != 0) {
        push(2);
        require(next() != 2 && next() != 2, "both earlier tasks run before the last");
        require(next() == 2, "the last task runs last");
      } else {
        posted.store(1, std::memory_order_release);
        require(next() != 3, "the runner's task runs before the one posted after it");
      }
    } else {
      const unsigned number = posted.load(std::memory_order_acquire) != 0 ? 3 : 1;
      written[number].set(number);
      inbox.post(note<P>{&written[number]});
      if (number == 1) posted.store(2, std::memory_order_release);
    }
  }
  void push(unsigned number) {
    written[number].set(number);
    inbox.push(note<P>{&written[number]});
  }
  unsigned next() { return next_of<P>(inbox); }
};

// The first of two posts has its ticket, but is not finished when the second begins; the runner
// learns of the second, and posts to itself.
template <class P, template <class> class Runner>
struct own_task_behind_an_unfinished_post {
  static constexpr auto about = scenario{
      .name = "task_runner/own_task_behind_an_unfinished_post",
      .threads = 3,
      .claim =
          "the runner's own task runs after those posted earlier, even if none of them is ready",
      .timeouts = 0};
  typename Runner<P>::wake wake;
  typename Runner<P>::inbox inbox{wake};
  typename P::template plain<unsigned> written[3];
  typename P::template atomic<bool> drawn{false}, posted{false};

  void thread(unsigned index) {
    written[index].set(index);
    if (index == 1) return inbox.post(note<P>{&written[1], &drawn});
    if (index == 2) {
      while (!drawn.load(std::memory_order_relaxed)) P::spin_pause();
      inbox.post(note<P>{&written[2]});
      return posted.store(true, std::memory_order_release);
    }
    while (!posted.load(std::memory_order_acquire)) P::spin_pause();
    inbox.push(note<P>{&written[0]});
    require(next_of<P>(inbox) == 1 && next_of<P>(inbox) == 2, "the tasks posted earlier run first");
    require(next_of<P>(inbox) == 0, "the runner's own task runs last");
  }
};

// The runner's own buffer has one slot: its second and third task go to the queue, among others.
template <class P, template <class> class Runner>
struct own_tasks_overflow {
  static constexpr auto about =
      scenario{.name = "task_runner/own_tasks_overflow",
               .threads = 2,
               .claim = "the runner's own tasks keep their order when they overflow its buffer",
               .timeouts = 0};
  typename Runner<P>::wake wake;
  typename Runner<P>::inbox inbox{wake};
  typename P::template plain<unsigned> written[4];

  void thread(unsigned index) {
    if (index == 1) return put(3, false);
    put(0, true);
    put(1, true);
    require(next_own() == 0, "the first is the first");
    put(2, true);
    require(next_own() == 1, "the second is the second");
    require(next_own() == 2, "the third is the third");
  }
  void put(unsigned number, bool own) {
    written[number].set(number);
    note<P> item{&written[number]};
    own ? inbox.push(std::move(item)) : inbox.post(std::move(item));
  }
  unsigned next() { return next_of<P>(inbox); }
  unsigned next_own() {
    const unsigned number = next();
    return number == 3 ? next() : number;
  }
};

}  // namespace fencepost::models::task_runner_scenarios
