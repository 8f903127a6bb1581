// What a scenario tells its runner: the model checker, real threads, or Relacy.
//
// A scenario is one claim about a component, one class template on the atomics policy:
//
//   template <class P>
//   struct message_arrives {
//     static constexpr auto about = scenario{.name = "mailbox/message_arrives", .threads = 2,
//                                            .claim = "a message is whole when it is read"};
//     mailbox<int, P> box;
//     void before();                  // one thread, first (optional)
//     void thread(unsigned index);    // threads 0 … threads-1, concurrently
//     void after();                   // one thread, last (optional)
//   };
//
// It is constructed, run and destroyed once for each execution. A scenario that asks what can
// happen, as a litmus test does, records it with outcome(), and says of each result whether it is
// allowed:
//
//   static constexpr known_outcome known[] = {{"0, 0", expect::interesting, "store buffering"},
//                                             {"0, 1"}, {"1, 0"}, {"1, 1"}};
//   static constexpr auto about = scenario{.name = "mailbox/both_look", .outcomes = known};
#pragma once

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include "fencepost/source_location.hpp"

namespace fencepost {

// What can be wrong with an execution.
enum class violation : std::uint8_t {
  none,
  assertion,       // require() failed
  data_race,       // two conflicting accesses, one of them plain, unordered by happens-before
  liveness,        // a thread waits for something that can no longer happen
  use_after_free,  // access to an object or a block whose lifetime is over
  double_free,     // a block released twice
  invalid_free,    // release of something that was never allocated
  leak,            // a block still allocated at the end
  exception,       // an exception left a thread
  crash,           // a signal: segmentation fault, abort, division by zero
  stack_overflow,  // the stack of a thread was used up
  out_of_memory,   // the memory limit of the execution was reached
  no_progress,     // a loop that reads no atomic, and never ends
  nondeterminism,  // the same execution behaved differently when it was run again
  misuse,          // a call that the contract of the policy forbids, such as unlocking a free mutex
};

constexpr std::string_view to_string(violation v) noexcept {
  switch (v) {
    case violation::none: return "none";
    case violation::assertion: return "assertion";
    case violation::data_race: return "data race";
    case violation::liveness: return "liveness";
    case violation::use_after_free: return "use after free";
    case violation::double_free: return "double free";
    case violation::invalid_free: return "invalid free";
    case violation::leak: return "leak";
    case violation::exception: return "exception";
    case violation::crash: return "crash";
    case violation::stack_overflow: return "stack overflow";
    case violation::out_of_memory: return "out of memory";
    case violation::no_progress: return "no progress";
    case violation::nondeterminism: return "nondeterminism";
    case violation::misuse: return "misuse";
  }
  return "?";
}

// The verdict on a result that outcome() records.
enum class expect : std::uint8_t {
  allowed,
  interesting,  // allowed, and worth a look: weak, or rare
  forbidden,
};

constexpr std::string_view to_string(expect e) noexcept {
  switch (e) {
    case expect::allowed: return "allowed";
    case expect::interesting: return "interesting";
    case expect::forbidden: return "forbidden";
  }
  return "?";
}

struct known_outcome {      // A result that an execution may have, and what it means.
  std::string_view result;  // as outcome() records it: "1, 0"
  expect verdict = expect::allowed;
  std::string_view description = {};
};

// True if a scenario with these known outcomes may have this one. A scenario without known outcomes
// may have any.
constexpr bool allows(std::span<const known_outcome> known, std::string_view result) noexcept {
  for (const known_outcome& k : known) {
    if (k.result == result) return k.verdict != expect::forbidden;
  }
  return known.empty();
}

// Threads first … first + count - 1.
struct thread_range {
  unsigned first = 0;
  unsigned count = 0;
};

struct scenario {
  std::string_view name;                 // component/what_it_shows
  unsigned threads = 2;                  // concurrent threads, in addition to the main thread
  std::string_view claim = {};           // one sentence
  violation expected = violation::none;  // none: the claim holds; otherwise how it is violated

  // Bounds and modes of the exploration; runners on real threads ignore them.
  unsigned spurious_failures = 1;     // of weak compare-exchanges, per execution
  unsigned spurious_wakeups = 1;      // of condition variables and futexes, per execution
  bool reuse_addresses = false;       // the thread that freed an address may get it again (ABA)
  bool reuse_across_threads = false;  // … any thread may
  bool typed_memory = false;          // atomics in freed memory may be read: see the guide
  unsigned timeouts = 1;              // of timed waits, per execution; 0: they never time out
  bool nightly = false;  // larger bounds: may take minutes, and is left out unless asked for

  // These threads run the same code, and it makes no difference to the claim which of them is
  // which; each may have a row, a node or a number of its own. Of executions that differ only by
  // which of them is which, the checker explores one.
  thread_range symmetric = {};

  // What outcome() may record. If there are any, all others are forbidden, as in jcstress; under
  // the checker an execution with a forbidden outcome is a violation (assertion).
  std::span<const known_outcome> outcomes = {};
};

// A runner that wants reports of violated claims and outcomes installs itself for each thread.
struct runner {
  virtual void broken(const char* what, source_location where) = 0;
  virtual void record(std::string_view outcome) = 0;

  // The order of operations, for linearizability.hpp. called(): the calling thread calls an
  // operation. returned(): the operation that it called then has returned. is_before(): true if one
  // operation returned before another one, of another thread, was called. By default the clock
  // decides.
  using moment = std::uint64_t;
  virtual moment called() { return by_clock(); }
  virtual moment returned(moment /*called*/) { return by_clock(); }
  virtual bool is_before(moment returned, moment called) { return returned < called; }
  // What a thread does between aside(true) and aside(false) is not part of the scenario: its
  // allocations do not count.
  virtual void aside(bool /*begins*/) {}

  // The fences: an operation has not returned while its stores are still on their way to others.
  static moment by_clock() {
    // [clock.before] seq_cst, with [clock.after]: what an operation did is observed by each that
    // begins later by the clock. kept unexercised: the checker knows which comes before which.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    // [clock.after] seq_cst, with [clock.before]: as before. kept unexercised: the checker knows
    // it.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return static_cast<moment>(std::chrono::nanoseconds(now).count());
  }

 protected:
  ~runner() = default;
};

inline thread_local runner* current_runner = nullptr;

// States what must be true here. Any thread may call it; under the checker a failure ends the
// execution.
inline void require(bool condition, const char* what_broke = "requirement",
                    source_location where = source_location::current()) {
  if (!condition && current_runner != nullptr) current_runner->broken(what_broke, where);
}

namespace detail {

// Appends integers without a stream, which would take most of the time on real threads.
template <class Value>
void append_outcome(std::string& text, const Value& value) {
  if (!text.empty()) text += ", ";
  if constexpr (std::is_integral_v<decltype(+value)>) {
    char digits[24];
    text.append(digits, std::to_chars(digits, std::end(digits), +value).ptr);
  } else {
    std::ostringstream stream;
    stream << +value;
    text += stream.str();
  }
}

}  // namespace detail

// Records a result of this execution, as in a litmus test: "1, 0". Under the checker, what several
// threads record is joined in the order of the threads: "1, 0; 0, 1".
template <class... Values>
void outcome(const Values&... values) {
  if (current_runner == nullptr) return;
  std::string text;
  (detail::append_outcome(text, values), ...);
  current_runner->record(text);
}

}  // namespace fencepost
