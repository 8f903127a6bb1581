// What the split deque claims, one scenario a claim, on both of its words.
//
// "tail_split/…" runs on iso_split_word, "tail_split_lace/…" on lace_split_word. Tasks are numbers;
// thread 0 is the owner, the others are thieves. faults.hpp has what must be violated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fencepost/deque/tail_split.hpp"
#include "fencepost/models/tail_split/specification.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/scenario/scenario_name.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::models {

namespace tail_split_scenarios {

template <template <class> class Word>
inline constexpr text component{"tail_split"};
template <>
inline constexpr text component<lace_split_word>{"tail_split_lace"};

// A deque that counts how often each thread obtained each task. A row of the count is one
// thread's own, and plain memory: reading it is for after().
template <class P, template <class> class Word, unsigned Threads, unsigned Tasks,
          unsigned Capacity = Tasks>
class counted_deque {
 public:
  bool try_push(unsigned task) { return deque_.try_push(task); }
  void push(unsigned task) { require(try_push(task), "there is room"); }

  // The owner pops a task, or gets a stolen one back when its thief has completed it.
  void pop() {
    if (!pop_own()) await_thief();
  }
  // False: it is stolen, and stays until await_thief().
  bool pop_own() {
    const auto* slot = deque_.pop();
    if (slot != nullptr) count(0, slot->task.get());
    return slot != nullptr;
  }
  void await_thief() {
    while (!deque_.top().completed()) P::spin_pause();
    deque_.retire();
  }

  // The thief of this number tries to steal a task, once.
  steal_outcome steal(unsigned thread) {
    const auto [result, slot] = deque_.steal(this);
    if (slot != nullptr) {
      count(thread, slot->task.get());
      slot->complete();
    }
    return result;
  }

  void answer() { deque_.answer(); }
  void share_all() { deque_.share_all(); }
  // Leaves the empty deque so that what is pushed next is private.
  void unshare() {
    push(0);
    require(deque_.pop() != nullptr, "no thief is active");
  }

  void each_once() const {
    for (unsigned task = 0; task < Tasks; ++task) {
      unsigned times = 0;
      for (const auto& row : obtained_) times += row[task];
      require(times != 0, "no task is lost");
      require(times < 2, "no task is obtained twice");
    }
    require(deque_.empty(), "the deque is empty at the end");
  }

 private:
  void count(unsigned thread, unsigned task) {
    require(task < Tasks, "every task obtained was pushed");
    ++obtained_[thread][task];
  }

  tail_split<unsigned, P, Word> deque_{Capacity};
  unsigned obtained_[Threads][Tasks] = {};
};

template <class P, template <class> class Word>
struct steal_against_pop {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "steal_against_pop">,
               .threads = 2,
               .claim = "every task is obtained exactly once, by the owner or by the thief"};
  counted_deque<P, Word, 2, 5> deque;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < 5; ++task) deque.push(task);
      for (unsigned task = 0; task < 5; ++task) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < 4; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P, template <class> class Word>
struct last_task_contended {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "last_task_contended">,
               .threads = 3,
               .claim = "the last task goes to exactly one of the owner and two thieves",
               .symmetric = {.first = 1, .count = 2}};
  counted_deque<P, Word, 3, 1> deque;
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// At first task 0 and 1 are private, and a thief has asked: the next push shares both.
template <class P, template <class> class Word>
struct grow_against_steal {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "grow_against_steal">,
               .threads = 2,
               .claim = "sharing more tasks while a thief steals loses and duplicates none"};
  counted_deque<P, Word, 2, 3> deque;
  void before() {
    deque.unshare();
    deque.push(0);
    deque.push(1);
    require(deque.steal(1) == steal_outcome::no_work, "nothing is shared yet");
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(2);
      for (unsigned task = 0; task < 3; ++task) deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// At first all tasks are shared; the owner takes them back one half after the other.
template <class P, template <class> class Word, unsigned Tasks, unsigned Steals>
struct shrink_race {
  counted_deque<P, Word, 2, Tasks> deque;
  void before() {
    for (unsigned task = 0; task < Tasks; ++task) deque.push(task);
    deque.share_all();
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < Tasks; ++task) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < Steals; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// Seven tasks, five steals: the thief may get past the middle before the owner lowers the split to
// it, and leave enough for the owner to share a part of that, and for that to happen again.
template <class P, template <class> class Word>
struct shrink_against_steal : shrink_race<P, Word, 7, 5> {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "shrink_against_steal">,
               .threads = 2,
               .claim = "a task that the owner takes back is never stolen too"};
};

// The same with two thieves.
template <class P, template <class> class Word>
struct shrink_against_two_thieves {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "shrink_against_two_thieves">,
      .threads = 3,
      .claim = "a task that the owner takes back is never stolen too, however many others are",
      .symmetric = {.first = 1, .count = 2}};
  counted_deque<P, Word, 3, 5> deque;
  void before() {
    for (unsigned task = 0; task < 5; ++task) deque.push(task);
    deque.share_all();
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < 5; ++task) deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// One thief steals once, the other twice; in two_thieves_larger, with a task more, each twice.
template <class P, template <class> class Word>
struct two_thieves {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "two_thieves">,
               .threads = 3,
               .claim = "an owner and two thieves obtain every task exactly once"};
  counted_deque<P, Word, 3, 4> deque;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < 4; ++task) deque.push(task);
      for (unsigned task = 0; task < 4; ++task) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < index; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// The word goes from (0, 1) to (0, 0) or (1, 1) and back to (0, 1), with another task in the slot:
// a thief that was slow between reading it and its exchange takes the second task, whole.
// Indices are numbers of slots and never wrap around; this is how a value of the word recurs.
template <class P, template <class> class Word>
struct word_comes_back {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "word_comes_back">,
      .threads = 2,
      .claim = "a slow thief takes the task that is now in the slot, never a stale one (ABA)"};
  counted_deque<P, Word, 2, 2> deque;
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.pop();
      deque.push(1);
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// While task 0 is at its thief's, the owner goes on above it, and afterwards in its place.
template <class P, template <class> class Word>
struct push_above_stolen {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "push_above_stolen">,
               .threads = 2,
               .claim = "tasks pushed above stolen ones can be stolen and popped like any other"};
  counted_deque<P, Word, 2, 3> deque;
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      const bool own = deque.pop_own();
      deque.push(1);
      deque.pop();
      if (!own) deque.await_thief();
      deque.push(2);
      deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P, template <class> class Word>
struct full_deque_loses_nothing {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "full_deque_loses_nothing">,
               .threads = 2,
               .claim = "a full deque refuses a task and keeps those it has"};
  counted_deque<P, Word, 2, 3, 2> deque;  // three tasks, two slots
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.push(1);
      require(!deque.try_push(2), "a full deque refuses, stolen tasks included");
      deque.pop();
      require(deque.try_push(2), "there is room again");
      deque.pop();
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// Slots that are made one at a time, when the deque comes to need them.
template <class Slot>
class one_by_one {
 public:
  explicit one_by_one(std::uint32_t capacity) : capacity_{capacity} {
    require(capacity <= most, "there is room for the slots");
  }
  one_by_one(const one_by_one&) = delete;
  one_by_one& operator=(const one_by_one&) = delete;
  ~one_by_one() { std::destroy_n(first(), made_); }
  Slot* first() noexcept { return reinterpret_cast<Slot*>(bytes_); }
  Slot* last_made() noexcept { return first() + made_; }
  std::uint32_t capacity() const noexcept { return capacity_; }
  bool extend() {
    if (made_ == capacity_) return false;
    std::construct_at(last_made());
    ++made_;
    return true;
  }

 private:
  static constexpr std::uint32_t most = 2;
  alignas(Slot) std::byte bytes_[most * sizeof(Slot)];
  std::uint32_t made_ = 0;
  std::uint32_t capacity_;
};

template <class P, template <class> class Word>
struct slots_made_late {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "slots_made_late">,
               .threads = 2,
               .claim = "a thief observes a slot that was just constructed, completely"};
  tail_split<unsigned, P, Word, one_by_one> deque{2};
  unsigned thefts = 0, pops = 0;
  void thread(unsigned index) {
    if (index != 0) {
      for (unsigned attempt = 0; attempt < 2; ++attempt) {
        if (auto* slot = deque.steal(this).task) {
          thefts += slot->task.get();
          slot->complete();
        }
      }
      return;
    }
    require(deque.try_push(1), "there is room for one");
    require(deque.try_push(10), "there is room for two");
    require(!deque.try_push(100), "there is no room for three");
    for (unsigned task = 0; task < 2; ++task) {
      if (auto* slot = deque.pop()) {
        pops += slot->task.get();
      } else {
        while (!deque.top().completed()) P::spin_pause();
        deque.retire();
      }
    }
  }
  void after() { require(thefts + pops == 11, "each task is obtained exactly once"); }
};

// The second slot is made while the first holds a stolen task. As all is stolen then, thieves ask
// for nothing: the push itself has to share.
template <class P, template <class> class Word>
struct made_above_stolen {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "made_above_stolen">,
               .threads = 2,
               .claim = "a task in a slot constructed above stolen ones can be stolen at once",
               .spurious_failures = 0};
  tail_split<unsigned, P, Word, one_by_one> deque{2};
  unsigned thefts = 0;  // the thief's
  bool steal() {
    auto* slot = deque.steal(this).task;
    if (slot == nullptr) return false;
    ++thefts;
    slot->complete();
    return true;
  }
  void before() {
    require(deque.try_push(1), "there is room for one");
    require(steal(), "the first can be stolen");
    require(deque.pop() == nullptr, "every task is stolen");
  }
  void thread(unsigned index) {
    if (index == 0) {
      require(deque.try_push(10), "there is room for two");
    } else {
      steal();
    }
  }
  void after() { require(thefts == 2 || steal(), "the second can be stolen"); }
};

// The owner and a thief meet before and after a frame; around it one task is there to be stolen.
template <class P, template <class> class Word>
struct frame_hides_and_gives_back {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "frame_hides_and_gives_back">,
               .threads = 2,
               .claim =
                   "a frame hides earlier tasks, its own can be stolen, and the earlier ones "
                   "return at its end"};
  using deque_type = tail_split<unsigned, P, Word>;
  deque_type deque{3};
  barrier<P, barrier_options{.counts_leavers = false}> meeting{2, spin_for_ever};
  unsigned obtained[2][3] = {};

  void thread(unsigned index) {
    if (index == 0) {
      push(0);
      push(1);
      meeting.wait();
      auto hidden = deque.enter_frame();
      meeting.wait();
      push(2);
      pop();
      require(deque.empty(), "the frame's deque is empty");
      meeting.wait();
      deque.leave_frame(hidden);
      meeting.wait();
      pop();
      pop();
    } else {
      meeting.wait();
      meeting.wait();
      steal();
      require(obtained[1][0] + obtained[1][1] == 0, "a hidden task is not stolen");
      meeting.wait();
      meeting.wait();
      steal();
    }
  }
  void push(unsigned task) { require(deque.try_push(task), "there is room"); }
  void pop() {
    if (auto* slot = deque.pop()) {
      ++obtained[0][slot->task.get()];
    } else {
      while (!deque.top().completed()) P::spin_pause();
      deque.retire();
    }
  }
  void steal() {
    if (auto* slot = deque.steal(this).task) {
      ++obtained[1][slot->task.get()];
      slot->complete();
    }
  }
  void after() {
    for (unsigned task = 0; task < 3; ++task) {
      require(obtained[0][task] + obtained[1][task] == 1, "each task is obtained exactly once");
    }
    require(deque.empty(), "the deque is empty at the end");
  }
};

// A thief runs the task and overwrites it with the result.
template <class P, template <class> class Word>
struct result_reaches_owner {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "result_reaches_owner">,
      .threads = 2,
      .claim = "a thief observes the complete task, and the owner the thief's complete result"};
  tail_split<unsigned, P, Word> deque{1};
  void thread(unsigned index) {
    if (index != 0) {
      if (auto* slot = deque.steal(this).task) {
        slot->task.set(slot->task.get() + 1);
        slot->complete();
      }
      return;
    }
    require(deque.try_push(20), "there is room");
    if (auto* slot = deque.pop()) {
      require(slot->task.get() == 20, "the task is the one that was pushed");
      return;
    }
    while (!deque.top().completed()) P::spin_pause();
    require(deque.top().task.get() == 21, "the result is the one of the thief");
    deque.retire();
  }
};

// One slot, two tasks that come in turn: each may be stolen.
template <class P, template <class> class Word>
struct slot_is_used_again {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "slot_is_used_again">,
      .threads = 2,
      .claim = "the result in a slot is that of its last task, even if earlier ones were stolen"};
  tail_split<unsigned, P, Word> deque{1};
  void thread(unsigned index) {
    for (unsigned task = 0; task < 2; ++task) {
      if (index == 0) {
        run(20 + task);
      } else if (auto* slot = deque.steal(this).task) {
        slot->task.set(slot->task.get() + 10);
        slot->complete();
      }
    }
  }
  void run(unsigned task) {
    require(deque.try_push(task), "there is room");
    if (auto* slot = deque.pop()) {
      require(slot->task.get() == task, "the task is the one that was pushed");
      return;
    }
    while (!deque.top().completed()) P::spin_pause();
    require(deque.top().task.get() == task + 10, "the result is the one of the thief");
    deque.retire();
  }
};

// The owner of a stolen task waits until it knows the thief, and the thief until it is known.
template <class P, template <class> class Word>
struct owner_finds_thief {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "owner_finds_thief">,
      .threads = 2,
      .claim = "the slot of a stolen task eventually names its thief, which is fully constructed"};
  struct worker {
    typename P::template plain<unsigned> number;
    typename P::template atomic<bool> found{false};
  };
  tail_split<unsigned, P, Word> deque{1};
  worker thief;

  void before() {
    thief.number.set(7);
    require(deque.try_push(0), "there is room");
  }
  void thread(unsigned index) {
    if (index != 0) {
      auto* slot = deque.steal(&thief).task;
      if (slot == nullptr) return;
      while (!thief.found.load(std::memory_order_relaxed)) P::spin_pause();
      slot->complete();
    } else if (deque.pop() == nullptr) {
      auto& stolen = deque.top();
      while (stolen.thief() == nullptr) P::spin_pause();
      auto& found = *static_cast<worker*>(stolen.thief());
      require(found.number.get() == 7, "the slot names the thief that stole the task");
      found.found.store(true, std::memory_order_relaxed);
      while (!stolen.completed()) P::spin_pause();
      deque.retire();
    }
  }
};

// The owner waits for a stolen task by stealing from its thief: the name that it finds in the slot
// leads to the thief's worker, and so to a task that the thief pushed meanwhile.
template <class P, template <class> class Word>
struct leapfrog {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "leapfrog">,
               .threads = 2,
               .claim = "the owner of a stolen task finds its thief, and can help it"};
  struct worker {
    tail_split<unsigned, P, Word> deque{1};
    unsigned ran = 0;
  };
  worker owner, thief;

  void before() { require(owner.deque.try_push(1), "there is room"); }
  void thread(unsigned index) {
    if (index == 0) {
      const unsigned result = sync(owner);
      require(result == 1 || result == 11 || result == 111, "the result is complete");
    } else if (auto* parent = owner.deque.steal(&thief).task) {
      require(thief.deque.try_push(10), "there is room");
      parent->task.set(parent->task.get() + sync(thief));
      parent->complete();
    }
  }
  // Runs the worker's only task, or gets its result from the thief, and helps the thief meanwhile.
  static unsigned sync(worker& self) {
    if (auto* slot = self.deque.pop()) {
      ++self.ran;
      return slot->task.get();
    }
    auto& stolen = self.deque.top();
    while (!stolen.completed() && stolen.thief() == nullptr) P::spin_pause();
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
      if (auto* name = stolen.thief()) help(self, *static_cast<worker*>(name));
    }
    while (!stolen.completed()) P::spin_pause();
    const unsigned result = stolen.task.get();
    self.deque.retire();
    return result;
  }
  static void help(worker& self, worker& thief) {
    if (auto* slot = thief.deque.steal(&self).task) {
      ++self.ran;
      slot->task.set(slot->task.get() + 100);
      slot->complete();
    }
  }
  void after() {
    require(owner.ran + thief.ran == 1, "the task pushed last runs exactly once");
    require(owner.deque.empty() && thief.deque.empty(), "every task is done");
  }
};

// Both tasks are private at first. A thief that has asked and steals once more may be in vain, for
// the other thief was faster; but then something has been shared since.
template <class P, template <class> class Word>
struct request_is_answered {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "request_is_answered">,
               .threads = 3,
               .claim = "an owner with private tasks that answers requests forgets none",
               .symmetric = {.first = 1, .count = 2}};
  counted_deque<P, Word, 3, 2> deque;
  bool asked[3] = {};  // by thread; plain memory of its own

  void before() {
    deque.unshare();
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.answer();
      deque.answer();
    } else {
      asked[index] = deque.steal(index) == steal_outcome::no_work;
    }
  }
  void after() {
    const bool any_asked = asked[1] || asked[2];
    const bool any_stole = !asked[1] || !asked[2];
    deque.answer();
    const steal_outcome result = deque.steal(1);
    require(!any_asked || any_stole || result != steal_outcome::no_work,
            "the requesting thief is answered");
    deque.pop();
    deque.pop();
    deque.each_once();
  }
};

// The thief may ask while the one task that there is is being taken back: it is answered with the
// next.
template <class P, template <class> class Word>
struct request_waits_for_work {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "request_waits_for_work">,
               .threads = 2,
               .claim = "a request that finds nothing to share is answered by the next push"};
  counted_deque<P, Word, 2, 2> deque;
  bool asked = false;  // the thief's own, as its row of the count
  void before() {
    deque.unshare();
    deque.push(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.pop();
      deque.push(1);
    } else {
      asked = deque.steal(1) == steal_outcome::no_work;
    }
  }
  void after() {
    deque.answer();
    require(!asked || deque.steal(1) != steal_outcome::no_work, "the request was answered");
    deque.pop();
    deque.each_once();
  }
};

// A deque that writes down what is done to it, by thread.
template <class P, template <class> class Word, unsigned Threads, unsigned Capacity>
class recorded_deque {
 public:
  static constexpr unsigned owner = 0, main = history<split_deque>::main;

  void push(unsigned task, unsigned thread = owner) {
    operations_.run(thread, {action::push, task}, [&]() -> result {
      return {deque_.try_push(task) ? answer::done : answer::full};
    });
  }
  void share_all() { deque_.share_all(); }

  // Takes a task, or waits for a stolen one and retires it.
  void pop(unsigned thread = owner) {
    if (deque_.empty()) return;
    const result r = operations_.run(thread, {action::pop}, [&]() -> result {
      const auto* slot = deque_.pop();
      if (slot == nullptr) return {answer::gone};
      return {answer::task, slot->task.get()};
    });
    if (r.kind != answer::gone) return;
    while (!deque_.top().completed()) P::spin_pause();
    operations_.run(thread, {action::retire}, [&]() -> result {
      deque_.retire();
      return {};
    });
  }
  void steal(unsigned thread) {
    decltype(deque_.steal(this).task) slot = nullptr;
    operations_.run(thread, {action::steal}, [&]() -> result {
      const auto theft = deque_.steal(this);
      slot = theft.task;
      switch (theft.outcome) {
        case steal_outcome::no_work: return {answer::no_work};
        case steal_outcome::retry: return {answer::busy};
        case steal_outcome::stolen: return {answer::stolen, slot->task.get()};
        case steal_outcome::stolen_last: return {answer::stolen_last, slot->task.get()};
      }
      return {};
    });
    if (slot != nullptr) slot->complete();
  }

  // At the end: what is left is a part of the history.
  void is_explained() {
    while (!deque_.empty()) pop(main);
    require_linearizable(operations_, split_deque{.capacity = Capacity});
  }

 private:
  using action = split_deque::action;
  using answer = split_deque::answer;
  using result = split_deque::result;

  tail_split<unsigned, P, Word> deque_{Capacity};
  history<split_deque> operations_{Threads};
};

// Two slots for three tasks; what is stolen is retired, and the deque starts over.
template <class P, template <class> class Word>
struct linearizable {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "linearizable">,
               .threads = 2,
               .claim = "the results of an owner and a thief are linearizable"};
  recorded_deque<P, Word, 2, 2> deque;
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
      deque.push(2);
      deque.push(3);
      deque.pop();
      deque.pop();
      deque.push(4);
      deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < 3; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.is_explained(); }
};

// Everything is shared at first, and the owner takes it back.
template <class P, template <class> class Word, unsigned Steals = 1>
struct all_are_after_two_tasks {
  recorded_deque<P, Word, 3, 2> deque;
  void before() {
    deque.push(1, deque.main);
    deque.push(2, deque.main);
    deque.share_all();
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.pop();
      deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < Steals; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.is_explained(); }
};
template <class P, template <class> class Word>
struct linearizable_with_two_thieves : all_are_after_two_tasks<P, Word, 2> {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "linearizable_with_two_thieves">,
               .threads = 3,
               .claim = "the results of an owner and two thieves are linearizable"};
};

}  // namespace tail_split_scenarios

namespace detail {
template <template <class> class Word>
using tail_split_list_on = scenario_list<
    with_word<tail_split_scenarios::last_task_contended, Word>::template scenario,
    with_word<tail_split_scenarios::steal_against_pop, Word>::template scenario,
    with_word<tail_split_scenarios::grow_against_steal, Word>::template scenario,
    with_word<tail_split_scenarios::shrink_against_steal, Word>::template scenario,
    with_word<tail_split_scenarios::shrink_against_two_thieves, Word>::template scenario,
    with_word<tail_split_scenarios::two_thieves, Word>::template scenario,
    with_word<tail_split_scenarios::word_comes_back, Word>::template scenario,
    with_word<tail_split_scenarios::push_above_stolen, Word>::template scenario,
    with_word<tail_split_scenarios::full_deque_loses_nothing, Word>::template scenario,
    with_word<tail_split_scenarios::slots_made_late, Word>::template scenario,
    with_word<tail_split_scenarios::made_above_stolen, Word>::template scenario,
    with_word<tail_split_scenarios::frame_hides_and_gives_back, Word>::template scenario,
    with_word<tail_split_scenarios::result_reaches_owner, Word>::template scenario,
    with_word<tail_split_scenarios::slot_is_used_again, Word>::template scenario,
    with_word<tail_split_scenarios::owner_finds_thief, Word>::template scenario,
    with_word<tail_split_scenarios::leapfrog, Word>::template scenario,
    with_word<tail_split_scenarios::request_is_answered, Word>::template scenario,
    with_word<tail_split_scenarios::request_waits_for_work, Word>::template scenario,
    with_word<tail_split_scenarios::linearizable, Word>::template scenario,
    with_word<tail_split_scenarios::linearizable_with_two_thieves, Word>::template scenario>;
}  // namespace detail

using tail_split_claims_list = lists<detail::tail_split_list_on<iso_split_word>,
                                     needs_halves<detail::tail_split_list_on<lace_split_word>>>;

}  // namespace fencepost::models
