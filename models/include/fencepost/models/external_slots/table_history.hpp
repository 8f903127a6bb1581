// A table of submissions that records its operations, and its claims about such a history.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "fencepost/models/external_slots/record.hpp"
#include "fencepost/models/external_slots/specification.hpp"
#include "fencepost/queue/external_slots.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::external_slots_scenarios {

// Records the operations of each thread, in the steps that `submissions` has.
template <class P, unsigned Threads, unsigned Slots>
class recorded_table {
 public:
  static constexpr unsigned main = history<submissions>::main;

  void submit(unsigned number, unsigned thread) {
    operations_.run_steps(thread, [&](const auto& did) {
      if (!slots_.try_submit(records_[number])) return did({action::reserve}, answer::full);
      did({action::reserve}, answer::done);
      did({action::show, number}, answer::done);
    });
  }
  bool take(unsigned thread, std::uint32_t begin = 0) {
    const record<P>* taken = nullptr;
    operations_.run_steps(thread, [&](const auto& did) {
      taken = slots_.take(begin);
      if (taken == nullptr) return found_none(thread, did);
      did({action::take, static_cast<unsigned>(taken - records_.data())}, answer::done);
      did({action::give_back}, answer::done);
    });
    return taken != nullptr;
  }
  void any(unsigned thread) {
    operations_.run(thread, {action::any}, [&] { return slots_.any() ? answer::yes : answer::no; });
  }

  // Called at the end: the remaining records become part of the history.
  void is_explained() {
    while (take(main)) continue;
    any(main);
    require_linearizable(operations_, submissions{.slots = Slots});
  }

 private:
  using action = submissions::action;
  using answer = submissions::answer;

  template <class Did>
  void found_none(unsigned thread, const Did& did) {
    if (thread != main) return;
    did({action::look, looks_}, answer::done);
    did({action::found_none, looks_++}, answer::none);
  }

  external_slots<record<P>, P, Slots> slots_;
  std::array<record<P>, 40> records_;
  history<submissions> operations_{Threads};
  unsigned looks_ = 0;
};

template <class P>
struct two_workers_recorded {
  recorded_table<P, 3, 2> table;
  void before() { table.submit(0, table.main); }
  void thread(unsigned index) {
    if (index == 0) {
      table.submit(1, index);
      table.submit(2, index);
      table.any(index);
    } else {
      table.take(index, index);
    }
  }
  void after() { table.is_explained(); }
};
template <class P>
struct linearizable : two_workers_recorded<P> {
  static constexpr auto about =
      scenario{.name = "external_slots/linearizable",
               .threads = 3,
               .claim = "the results of a submitter and two workers are linearizable"};
};

// The submitters find the table full, and take from it.
template <class P>
struct linearizable_when_full {
  static constexpr auto about =
      scenario{.name = "external_slots/linearizable_when_full",
               .threads = 3,
               .claim = "the same for three threads that submit to and take from one slot"};
  recorded_table<P, 3, 1> table;
  void thread(unsigned index) {
    table.submit(index, index);
    table.take(index);
    if (index == 0) table.any(index);
  }
  void after() { table.is_explained(); }
};

}  // namespace fencepost::models::external_slots_scenarios
