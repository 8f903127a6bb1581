// Decides whether some order of concurrent operations is one that a sequential specification
// allows.
//
// A specification describes the object as a single thread would see it: a state, and for each
// operation the results that it may return, each with the state after it.
//
//   struct counter {
//     static constexpr std::string_view name = "a counter";
//     struct operation {};                   // there is only one: add one
//     using result = unsigned;               // ... and it returns how many there were
//     unsigned count = 0;
//
//     std::vector<possibility<counter>> apply(operation) const { return {{count, {count + 1}}}; }
//     static std::string text(operation, const result* r) {
//       return r == nullptr ? "add()" : "add() -> " + std::to_string(*r);
//     }
//     auto operator<=>(const counter&) const = default;
//   };
//
// The input is one list of operations for each thread, in the thread's order; each operation has
// the number of operations of each other thread that returned before it was called. Where that
// order comes from makes no difference here: it is happens-before under the model checker, and the
// order of a clock on real threads (linearizability.hpp).
//
// Source: J. M. Wing and C. Gong, "Testing and verifying concurrent objects" (1993), with the
// memoization of G. Lowe, "Testing for linearizability" (2017): if the search has failed before
// after the same operations and in the same state, it would fail again. Deciding is NP-hard: the
// time is exponential in the number of operations that are concurrent, and linear in the number of
// those that follow each other.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fencepost {

// A result that an operation may return, and the object after it.
template <class S>
struct possibility {
  typename S::result result;
  S after;
};

// What an operation may do depends only on the state of S. States are compared, and a
// default-constructed S is the initial state.
template <class S>
concept sequential_specification = std::semiregular<S> && std::totally_ordered<S> &&
    std::copyable<typename S::operation> && std::copyable<typename S::result> &&
    std::equality_comparable<typename S::result> &&
    requires(const S state, const typename S::operation& o, const typename S::result* r) {
  { S::name } -> std::convertible_to<std::string_view>;
  { state.apply(o) } -> std::same_as<std::vector<possibility<S>>>;
  { S::text(o, r) } -> std::same_as<std::string>;
};

// An operation that was called.
template <class S>
struct recorded {
  typename S::operation operation;
  // Empty if the operation has not returned, or an exception left it. It may then have taken
  // effect, with any result, or not.
  std::optional<typename S::result> result;
  // By thread, how many of its operations returned before this one was called; 0 for threads that
  // are missing. Earlier operations of the same thread come before it in any case.
  std::vector<std::size_t> after;
};

// By thread, in the order of its calls. Texts call the first thread main, as a counterexample does:
// it sets up the object, and inspects it when the others are done.
template <class S>
using recorded_history = std::vector<std::vector<recorded<S>>>;

struct linear_order {
  struct place {  // The position of an operation in the history.
    std::size_t thread, index;
    friend bool operator==(const place&, const place&) = default;
  };
  bool exists = false;
  std::vector<place> order;  // if none exists, the longest prefix of one that was found
  std::size_t states = 0;    // how many were explored
};

namespace detail {

template <class S>
class linear_order_search {
 public:
  explicit linear_order_search(const recorded_history<S>& threads)
      : threads_(threads), done_(threads.size()) {}

  linear_order run(const S& initial) {
    found_.exists = go_on(initial);
    if (found_.exists) found_.order = order_;
    return found_;
  }

 private:
  // True if the rest can follow, after the operations in done_ have led to this state.
  bool go_on(const S& state) {
    if (complete()) return true;
    if (!known_.emplace(done_, state).second) return false;
    ++found_.states;
    if (order_.size() > found_.order.size()) found_.order = order_;
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      if (may_be_next(thread) && take(thread, state)) return true;
    }
    return false;
  }

  bool complete() const {
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      const auto& all = threads_[thread];
      for (std::size_t i = done_[thread]; i < all.size(); ++i)
        if (all[i].result) return false;
    }
    return true;
  }

  // True if all operations that returned before the call of the thread's next one have been taken.
  bool may_be_next(std::size_t thread) const {
    if (done_[thread] == threads_[thread].size()) return false;
    const std::vector<std::size_t>& after = threads_[thread][done_[thread]].after;
    for (std::size_t other = 0; other < after.size(); ++other)
      if (done_[other] < after[other]) return false;
    return true;
  }

  // Continues with the thread's next operation. If that fails, restores the search.
  bool take(std::size_t thread, const S& state) {
    const recorded<S>& next = threads_[thread][done_[thread]];
    ++done_[thread];
    order_.push_back({thread, done_[thread] - 1});
    for (const possibility<S>& p : state.apply(next.operation)) {
      if ((!next.result || *next.result == p.result) && go_on(p.after)) return true;
    }
    order_.pop_back();
    if (!next.result && go_on(state)) return true;  // it has not taken effect
    --done_[thread];
    return false;
  }

  const recorded_history<S>& threads_;
  std::vector<std::size_t> done_;  // by thread: how many of its operations were taken
  std::vector<linear_order::place> order_;
  std::set<std::pair<std::vector<std::size_t>, S>> known_;
  linear_order found_;
};

inline std::string thread_name(std::size_t thread) {
  return thread == 0 ? "main" : "thread " + std::to_string(thread);
}

template <class S>
std::string text_of(const recorded<S>& r) {
  return S::text(r.operation, r.result ? &*r.result : nullptr);
}

// True if other threads have operations, and all of them returned before this one of main's.
template <class S>
bool is_last(const recorded_history<S>& threads, const recorded<S>& r) {
  bool any = false, all = true;
  for (std::size_t other = 1; other < threads.size(); ++other) {
    any = any || !threads[other].empty();
    all = all && (other < r.after.size() ? r.after[other] : 0) == threads[other].size();
  }
  return any && all;
}

// Returns the last operation of each other thread that came before this one, unless that follows
// because it came before another one that did. That main is first and last goes without saying.
template <class S>
std::vector<linear_order::place> comes_after(const recorded_history<S>& threads,
                                             linear_order::place of) {
  const auto known = [&](linear_order::place p, std::size_t thread) {
    const std::vector<std::size_t>& after = threads[p.thread][p.index].after;
    return thread < after.size() ? after[thread] : 0;
  };
  std::vector<linear_order::place> direct;
  for (std::size_t other = 0; other < threads.size(); ++other) {
    const std::size_t count = other == of.thread ? 0 : known(of, other);
    if (count == 0 || (of.index > 0 && known({of.thread, of.index - 1}, other) >= count)) continue;
    if (other == 0 && of.index == 0) continue;
    if (of.thread == 0 && count == threads[other].size()) continue;
    bool follows = false;
    for (std::size_t between = 0; between < threads.size(); ++between) {
      if (between == other || between == of.thread || known(of, between) == 0) continue;
      follows = follows || known({between, known(of, between) - 1}, other) >= count;
    }
    if (!follows) direct.push_back({other, count - 1});
  }
  return direct;
}

}  // namespace detail

template <sequential_specification S>
linear_order find_linear_order(const recorded_history<S>& threads, const S& initial = {}) {
  return detail::linear_order_search<S>(threads).run(initial);
}

// Returns "main: push(1); thread 1: pop() -> 1, pop(); main at the end: pop() -> empty", where
// thread 1's second pop has not returned.
template <sequential_specification S>
std::string in_words(const recorded_history<S>& threads) {
  if (threads.empty()) return "";
  const auto at_the_end = std::ranges::find_if(
      threads[0], [&](const recorded<S>& r) { return detail::is_last(threads, r); });
  std::string text;
  const auto add = [&text](const std::string& who, auto first, auto last) {
    if (first == last) return;
    text += (text.empty() ? "" : "; ") + who;
    for (auto r = first; r != last; ++r) text += (r == first ? ": " : ", ") + detail::text_of(*r);
  };
  add("main", threads[0].begin(), at_the_end);
  for (std::size_t thread = 1; thread < threads.size(); ++thread)
    add(detail::thread_name(thread), threads[thread].begin(), threads[thread].end());
  add("main at the end", at_the_end, threads[0].end());
  return text;
}

// Returns the order between operations of different threads, except for what follows from the rest.
template <sequential_specification S>
std::string order_in_words(const recorded_history<S>& threads) {
  std::string text;
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    for (std::size_t i = 0; i < threads[thread].size(); ++i) {
      for (const linear_order::place& p : detail::comes_after(threads, {thread, i})) {
        text += "; " + detail::thread_name(p.thread) + "'s " +
                detail::text_of(threads[p.thread][p.index]) + " comes before " +
                detail::thread_name(thread) + "'s " + detail::text_of(threads[thread][i]);
      }
    }
  }
  return text;
}

// Returns one sentence about a search that has found no order.
template <sequential_specification S>
std::string why_not_linearizable(const recorded_history<S>& threads, const linear_order& longest) {
  std::vector<std::size_t> placed(threads.size());
  std::string begin, rest;
  for (const linear_order::place& p : longest.order) {
    placed[p.thread] = p.index + 1;
    begin += (begin.empty() ? "" : ", ") + detail::text_of(threads[p.thread][p.index]);
  }
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    if (placed[thread] == threads[thread].size()) continue;
    rest += (rest.empty() ? "" : ", or ") + detail::thread_name(thread) + "'s " +
            detail::text_of(threads[thread][placed[thread]]);
  }
  return "no order of these operations is one of " + std::string(S::name) + ": " +
         in_words(threads) + order_in_words(threads) + ". After " +
         (begin.empty() ? "nothing" : begin) + " there is no place for " + rest;
}

}  // namespace fencepost
