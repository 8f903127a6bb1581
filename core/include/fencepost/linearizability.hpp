// Linearizability: what the threads of a scenario did to an object, and whether some order of it is
// one of the object's sequential specification (linear_order.hpp).
//
//   template <class P>
//   struct all_count {
//     static constexpr auto about = scenario{.name = "counter/all_count", .threads = 2,
//                                            .claim = "what threads add is linearizable"};
//     concurrent_counter<P> subject;
//     history<counter> operations{about.threads};
//     void thread(unsigned index) { operations.run(index, {}, [&] { return subject.add(); }); }
//     void after() { require_linearizable(operations); }
//   };
//
// The order must keep to what came before what, which depends on who runs the scenario:
//
//   the checker    All that one operation did happens before the other is called. That is the order
//                  of every clock: in each of them the first could have come back in time. Nothing
//                  is added to the execution.
//   real threads   The first came back before the other was called, by the system's steady clock;
//                  a full fence makes what it has stored visible to all by then.
//   Relacy         as the checker, by Relacy's clocks.
//
// Who may call: run() and run_steps(), the thread of the index; the others, main, when the threads
// are done. A history takes memory from operator new, and makes no thread wait for another.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/linear_order.hpp"
#include "fencepost/scenario.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost {

template <sequential_specification S>
class history {
 public:
  using operation = typename S::operation;
  using result = typename S::result;

  // Of so many threads, and of main.
  explicit history(unsigned threads) : lanes_(threads + std::size_t{1}) {}

  // In the place of an index: who is there before and after all threads.
  static constexpr unsigned main = ~0u;

  // Calls f, which does the operation, on the thread of this index; gives what f gives. Should an
  // exception come out of f, the operation may have been done or not.
  template <class F>
  result run(unsigned thread, const operation& o, F&& f);

  struct step {
    operation what;
    result came_to;
  };
  // For what is more than one step of the specification: f returns them, a std::vector<step>, and
  // each was done at some moment between the call and the return, in this order. Should an
  // exception come out of f, nothing was done.
  template <class F>
  void run_steps(unsigned thread, F&& f);

  // What was done, as the search takes it: first what was done before and after all.
  recorded_history<S> ordered() const;

 private:
  using moment = runner::moment;
  struct entry {
    recorded<S> record;
    moment called, returned;
    bool pending;
  };
  using lane = std::vector<entry>;

  static moment called() {
    return current_runner != nullptr ? current_runner->called() : runner::by_clock();
  }
  static moment returned(moment called) {
    return current_runner != nullptr ? current_runner->returned(called) : runner::by_clock();
  }
  static bool is_before(moment returned, moment called) {
    return current_runner != nullptr ? current_runner->is_before(returned, called)
                                     : returned < called;
  }

  // Notes when an operation comes back, by an exception too.
  class until_it_returns {
   public:
    explicit until_it_returns(entry& e) : entry_(e) {}
    ~until_it_returns() {
      entry_.returned = history::returned(entry_.called);
      entry_.pending = false;
    }
    until_it_returns(const until_it_returns&) = delete;
    until_it_returns& operator=(const until_it_returns&) = delete;

   private:
    entry& entry_;
  };

  lane& lane_of(unsigned thread) { return lanes_[thread == main ? 0 : thread + std::size_t{1}]; }

  std::vector<lane> lanes_;
};

template <sequential_specification S>
template <class F>
auto history<S>::run(unsigned thread, const operation& o, F&& f) -> result {
  lane& own = lane_of(thread);
  own.push_back({{o, {}, {}}, 0, 0, true});
  entry& e = own.back();
  e.called = called();
  const until_it_returns note(e);
  e.record.result = std::forward<F>(f)();
  return *e.record.result;
}

template <sequential_specification S>
template <class F>
void history<S>::run_steps(unsigned thread, F&& f) {
  const moment begin = called();
  const std::vector<step> steps = std::forward<F>(f)();
  const moment end = returned(begin);
  for (const step& s : steps) {
    lane_of(thread).push_back({{s.what, s.came_to, {}}, begin, end, false});
  }
}

template <sequential_specification S>
recorded_history<S> history<S>::ordered() const {
  recorded_history<S> threads(lanes_.size());
  for (std::size_t t = 0; t < lanes_.size(); ++t) {
    std::vector<std::size_t> after(lanes_.size());
    for (const entry& e : lanes_[t]) {
      // Who came before one operation of a thread came before its next ones.
      for (std::size_t other = 0; other < lanes_.size(); ++other) {
        const lane& theirs = lanes_[other];
        std::size_t& count = after[other];
        while (other != t && count < theirs.size() && !theirs[count].pending &&
               is_before(theirs[count].returned, e.called)) {
          ++count;
        }
      }
      threads[t].push_back(e.record);
      threads[t].back().after = after;
    }
  }
  return threads;
}

// That some order of the operations is one of the specification. After all threads.
template <sequential_specification S>
void require_linearizable(const history<S>& operations, const S& initial = {},
                          source_location where = source_location::current()) {
  if (current_runner == nullptr) return;
  const recorded_history<S> threads = operations.ordered();
  const linear_order found = find_linear_order(threads, initial);
  if (found.exists) return;
  const std::string why = why_not_linearizable(threads, found);
  current_runner->broken(why.c_str(), where);
}

}  // namespace fencepost
