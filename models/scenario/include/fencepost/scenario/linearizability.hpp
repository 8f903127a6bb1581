// Linearizability: records what the threads of a scenario did to an object, and checks whether some
// order of it is one of the object's sequential specification (linear_order.hpp).
//
//   template <class P>
//   struct all_count {
//     static constexpr auto about = scenario{.name = "counter/all_count", .threads = 2,
//                                            .claim = "concurrent additions are linearizable"};
//     concurrent_counter<P> subject;
//     history<counter> operations{about.threads};
//     void thread(unsigned index) { operations.run(index, {}, [&] { return subject.add(); }); }
//     void after() { require_linearizable(operations); }
//   };
//
// The order must respect which operations came before which others, as the runner defines it:
//
//   the checker    Everything that the first operation did happens before the call of the other.
//                  This is the order of every clock: by each of them the first could have returned
//                  in time. Nothing is added to the execution.
//   real threads   The first returned before the other was called, by the system's steady clock;
//                  a full fence makes what it has stored visible to all threads by then.
//   Relacy         As under the checker, by Relacy's clocks.
//
// Threads: the thread with the index calls run() and run_steps(); main calls the others, when the
// threads are done. A history takes memory from operator new, and makes no thread wait for another.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/scenario/linear_order.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost {

namespace detail {

// During its lifetime, what the thread does is not part of the scenario.
class aside {
 public:
  aside() { tell(true); }
  ~aside() { tell(false); }
  aside(const aside&) = delete;
  aside& operator=(const aside&) = delete;

 private:
  static void tell(bool begins) {
    if (current_runner != nullptr) current_runner->aside(begins);
  }
};

}  // namespace detail

template <sequential_specification S>
class history {  // The operations of each thread, and their results.
 public:
  using operation = typename S::operation;
  using result = typename S::result;

  // For so many threads, and main.
  explicit history(unsigned threads) {
    const detail::aside own;
    lanes_.resize(threads + std::size_t{1});
  }
  ~history() {
    const detail::aside own;
    lanes_ = {};
  }
  history(const history&) = delete;
  history& operator=(const history&) = delete;

  // Used in place of an index, for operations before and after all threads.
  static constexpr unsigned main = ~0u;

  // Calls f, which performs the operation on the thread with this index, and returns its result. If
  // an exception leaves f, the operation may have taken effect or not.
  template <class F>
  result run(unsigned thread, const operation& o, F&& f);

  // For a call that is more than one step of the specification. Calls f(did): with
  // did(operation, result) f reports that a step took effect, at some moment between the call and
  // the return of f, and after the steps that f has reported before.
  template <class F>
  void run_steps(unsigned thread, F&& f);

  // Returns what was done, in the form that the search takes: main's operations come first.
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

  // When it is destroyed, also by an exception, the operations noted since its construction return.
  class until_return {
   public:
    until_return(lane& own, moment called) : lane_(own), first_(own.size()), called_(called) {}
    ~until_return() {
      const moment now = history::returned(called_);
      for (std::size_t i = first_; i < lane_.size(); ++i) {
        lane_[i].returned = now;
        lane_[i].pending = false;
      }
    }
    until_return(const until_return&) = delete;
    until_return& operator=(const until_return&) = delete;

    void note(const operation& o, const std::optional<result>& r) {
      const detail::aside own;
      lane_.push_back({{o, r, {}}, called_, 0, true});
    }
    void note_result(const result& r) {
      const detail::aside own;
      lane_.back().record.result = r;
    }

   private:
    lane& lane_;
    const std::size_t first_;
    const moment called_;
  };

  lane& lane_of(unsigned thread) { return lanes_[thread == main ? 0 : thread + std::size_t{1}]; }

  std::vector<lane> lanes_;
};

template <sequential_specification S>
template <class F>
auto history<S>::run(unsigned thread, const operation& o, F&& f) -> result {
  until_return noted(lane_of(thread), called());
  noted.note(o, std::nullopt);
  result r = std::forward<F>(f)();
  noted.note_result(r);
  return r;
}

template <sequential_specification S>
template <class F>
void history<S>::run_steps(unsigned thread, F&& f) {
  until_return noted(lane_of(thread), called());
  std::forward<F>(f)([&](const operation& o, const result& r) { noted.note(o, r); });
}

template <sequential_specification S>
recorded_history<S> history<S>::ordered() const {
  recorded_history<S> threads(lanes_.size());
  for (std::size_t t = 0; t < lanes_.size(); ++t) {
    std::vector<std::size_t> after(lanes_.size());
    for (const entry& e : lanes_[t]) {
      // What came before one operation of a thread came before the thread's next ones too.
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

// Requires that some order of the operations is one of the specification. To be called when all
// threads are done.
template <sequential_specification S>
void require_linearizable(const history<S>& operations, const S& initial = {},
                          source_location where = source_location::current()) {
  if (current_runner == nullptr) return;
  std::string why;
  {
    const detail::aside own;
    const recorded_history<S> threads = operations.ordered();
    const linear_order found = find_linear_order(threads, initial);
    if (!found.exists) why = why_not_linearizable(threads, found);
  }
  if (!why.empty()) current_runner->broken(why.c_str(), where);
}

}  // namespace fencepost
