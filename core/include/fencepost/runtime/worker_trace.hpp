// What the workers of a runtime did, and when: recorded by each worker for itself while it runs,
// and read when its thread has ended. chrome_trace.hpp writes it to a file. The one worker of a
// task_runner is the thread that runs it.
//
//   task   |-------- job --------|        what the worker found and ran
//   span      |-- resize --|              what the program has named, within it
//   park                           |---|  slept
//   steal, wake   |   |                   at a moment: from which worker, and which one
//
// A task that its own worker takes back, by sync() or join(), is a part of the one that has spawned
// it: it costs about as much as a call, and has no event. A thread that is not a worker records
// nothing, not even a wake: the end of the woken worker's sleep shows when that was.
//
// Tracing is chosen at compile time: worker_trace<false>, which is the default of the runtimes, has
// no members and does nothing.
//
// Threads: the thread of the worker records; construction, keep() and result() come before it has
// started or after it was joined; result() may be called on that thread too. So nothing here is
// shared, and nothing is atomic.
//
// Progress: wait-free. Costs: one call of steady_clock::now() for a moment and two for an event
// that lasts, and a store of 32 bytes: nothing is allocated, and no instruction is locked. Memory:
// 32 bytes for each event that is kept, allocated and touched by keep().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"

namespace fencepost {

enum class trace_kind : std::uint8_t {
  task,   // ran what it had found: a job, a stolen task, an external one, a timer, a watch
  wait,   // a task waited for another; what the worker ran meanwhile lies within
  span,   // what the program has named
  park,   // slept until it was woken
  steal,  // a moment: took a task of the worker `other`
  wake,   // a moment: woke the worker `other`; nobody: a thread that is not named
};

struct trace_event {  // One event of a worker.
  static constexpr std::uint32_t nobody = 0xffff'ffff;

  std::int64_t begin = 0, end = 0;  // nanoseconds of the steady clock; the same for a moment
  const char* name = "";
  std::uint32_t other = nobody;
  trace_kind kind = trace_kind::span;
};

struct thread_trace {               // What was kept of one worker.
  std::string name;                 // of its thread
  std::vector<trace_event> events;  // in the order of their ends; the last ones, if some are lost
  std::uint64_t lost = 0;           // the number of earlier events, for which there was no room
};

struct runtime_trace {  // All workers of a runtime, by their indices. A value: yours to change.
  std::string name;     // what chrome_trace.hpp calls the runtime
  std::vector<thread_trace> threads;
};

template <bool Tracing>
class worker_trace;

template <>
class worker_trace<false> {  // Records nothing.
 public:
  struct [[nodiscard, maybe_unused]] span{};  // Nothing.

  span begin(trace_kind, const char*) noexcept { return {}; }
  void moment(trace_kind, const char*, std::uint32_t = trace_event::nobody) noexcept {}
  thread_trace result() const { return {}; }
};

template <>
class worker_trace<true> {  // The trace of one worker.
 public:
  // Records what lasts from its construction to its destruction; on one thread, in a scope.
  class [[nodiscard]] span {
   public:
    span(worker_trace* of, trace_kind kind, const char* name) noexcept
        : of_{of}, kind_{kind}, name_{name}, begin_{of != nullptr ? now() : 0} {}
    ~span() {
      if (of_ != nullptr) of_->record({begin_, now(), name_, trace_event::nobody, kind_});
    }
    span(const span&) = delete;
    span& operator=(const span&) = delete;

   private:
    worker_trace* const of_;  // null: records nothing
    const trace_kind kind_;
    const char* const name_;
    const std::int64_t begin_;
  };

  // Makes room for the last `events` events. `runtime` identifies the runtime of the worker, for
  // traced_atomics. Throws std::invalid_argument for 0 events, and std::bad_alloc.
  void keep(std::string name, std::size_t events, const void* runtime = nullptr) {
    if (events == 0) {
      detail::raise<std::invalid_argument>(
          "worker_trace: trace_events is 0, and no event would be kept; for no trace use a runtime "
          "that does not record one");
    }
    events_ = std::make_unique<trace_event[]>(events);
    room_ = events;
    name_ = std::move(name);
    runtime_ = runtime;
  }
  const void* runtime() const noexcept { return runtime_; }

  // `name` must have static storage, or live as long as what result() returns.
  span begin(trace_kind kind, const char* name) noexcept { return {this, kind, name}; }
  void moment(trace_kind kind, const char* name,
              std::uint32_t other = trace_event::nobody) noexcept {
    const std::int64_t at = now();
    record({at, at, name, other, kind});
  }

  thread_trace result() const {
    thread_trace all{name_, {}, recorded_ > room_ ? recorded_ - room_ : 0};
    const auto first = events_.get();
    if (recorded_ >= room_) all.events.assign(first + next_, first + room_);
    all.events.insert(all.events.end(), first, first + next_);
    return all;
  }

 private:
  static std::int64_t now() noexcept {
    return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
  }
  void record(const trace_event& event) noexcept {
    events_[next_] = event;
    ++recorded_;
    if (++next_ == room_) next_ = 0;
  }

  std::unique_ptr<trace_event[]> events_;
  std::size_t room_ = 0, next_ = 0;
  std::uint64_t recorded_ = 0;
  std::string name_;
  const void* runtime_ = nullptr;
};

// The traces of all workers of `core`, as those of the runtime `name`.
template <class Core>
runtime_trace trace_of_workers(const char* name, Core& core) {
  runtime_trace all{name, {}};
  for (std::uint32_t index = 0; index < core.workers(); ++index) {
    all.threads.push_back(core.at(index).trace().result());
  }
  return all;
}

// The policy for a thread_pool that records what its workers do: basic_thread_pool<traced_atomics>.
// A traced_task_runner reports to the same `trace`.
struct traced_atomics : default_atomics {
  struct trace {  // Records what the components of a worker report; on other threads, nothing.
    static inline constinit thread_local worker_trace<true>* current = nullptr;

    static worker_trace<true>::span park() noexcept { return {current, trace_kind::park, "park"}; }
    // The number is that of a worker of `runtime`; the trace of another runtime leaves it out.
    static void woke(const void* runtime, std::uint32_t worker) noexcept {
      if (current == nullptr) return;
      const bool ours = current->runtime() == runtime;
      current->moment(trace_kind::wake, "wake", ours ? worker : trace_event::nobody);
    }
  };
};

}  // namespace fencepost
