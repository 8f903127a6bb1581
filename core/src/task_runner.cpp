// The runner's thread: what it runs in a turn, and when it sleeps.
#include "fencepost/runtime/task_runner.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "die.hpp"
#include "fencepost/exceptions.hpp"
#include "watch_list.hpp"
#if defined(_WIN32)
#include "waited_handles.hpp"
namespace fencepost::detail {
using waited_objects = waited_handles;
}
#else
#include "polled_descriptors.hpp"
namespace fencepost::detail {
using waited_objects = polled_descriptors;
}
#endif

namespace fencepost {
namespace {

// The wake points of destroyed runners, for use by later ones. They are never freed: see
// task_inbox.hpp. There are as many as the largest number of runners at one time.
template <class Point>
class wake_points {
 public:
  static Point& take() {
    wake_points& pool = instance();
    const std::lock_guard lock{pool.mutex_};
    if (!pool.free_.empty()) {
      Point* const used = pool.free_.back();
      pool.free_.pop_back();
      used->event.clear();  // of a late signal to its previous runner
      return *used;
    }
    pool.all_.reserve(pool.all_.size() + 1);
    pool.free_.reserve(pool.all_.size() + 1);  // so that give_back() does not allocate
    pool.all_.push_back(std::make_unique<Point>());
    return *pool.all_.back();
  }
  static void give_back(Point& unused) noexcept {
    wake_points& pool = instance();
    const std::lock_guard lock{pool.mutex_};
    pool.free_.push_back(&unused);
  }

 private:
  // Lives to the end of the process: threads may post while static objects are destroyed.
  static wake_points& instance() {
    static wake_points* const pool = new wake_points;
    return *pool;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Point>> all_;
  std::vector<Point*> free_;
};

// How often the runner yields and looks for work before it sleeps. Once as a rule: a thread on its
// processor that is about to post does so meanwhile. More often after a sleep that a post ended
// within short_sleep: the next post is likely to come as soon, and some microseconds of looking
// cost less than a sleep and a wake-up.
constexpr unsigned looks = 1, looks_after_a_short_sleep = 16;
constexpr std::chrono::microseconds short_sleep{50};

unsigned checked_batch(unsigned batch) {
  if (batch == 0) {
    detail::raise<std::invalid_argument>(
        "fencepost::task_runner: a batch of 0 runs nothing; use 1 or more");
  }
  return batch;
}

}  // namespace

template <task_runner_features Features>
class basic_task_runner<Features>::watches : public detail::watch_list<detail::waited_objects> {
 public:
  using detail::watch_list<detail::waited_objects>::watch_list;
};

// Exists while run() or run_until_idle() is on the stack.
template <task_runner_features Features>
class basic_task_runner<Features>::running_scope {
 public:
  running_scope(basic_task_runner& self, const char* what) : self_(self) {
    self.enter(what);
    if (self.watched_) self.watched_->runs_here();
    if constexpr (Features.trace)
      before_ = std::exchange(traced_atomics::trace::current, &self.trace_);
    // [running.begin] relaxed, alone: only for the message of a wrong use.
    self.running_.store(true, std::memory_order_relaxed);
  }
  ~running_scope() {
    if constexpr (Features.trace) traced_atomics::trace::current = before_;
    if (self_.quitting_) self_.run_.end();
    self_.quitting_ = false;
    // [running.end] relaxed, alone: the same.
    self_.running_.store(false, std::memory_order_relaxed);
  }
  running_scope(const running_scope&) = delete;
  running_scope& operator=(const running_scope&) = delete;

 private:
  basic_task_runner& self_;
  [[maybe_unused]] worker_trace<Features.trace>* before_ =
      nullptr;  // the trace of the worker whose job runs this runner
};

template <task_runner_features Features>
basic_task_runner<Features>::basic_task_runner(options chosen)
    : batch_(checked_batch(chosen.batch)),
      wake_(&wake_points<wake>::take()),
      inbox_(*wake_),
      looks_(looks) {
  delayed_.reserve(chosen.delayed);
  watches_ = std::make_unique<watches>(wake_->event.descriptor());
  if (chosen.watched_by != nullptr) watched_.emplace(*chosen.watched_by, chosen.watched_as);
  if constexpr (Features.trace) trace_.keep(chosen.traced_as, chosen.trace_events);
}

template <task_runner_features Features>
basic_task_runner<Features>::~basic_task_runner() {
  // [destroy] relaxed, alone: only for the message of a wrong use.
  if (running_.load(std::memory_order_relaxed)) {
    detail::die(
        "task_runner",
        "destroyed while run() is running; call quit(), and destroy it when run() has returned");
  }
  // Tasks and watches may post when they are destroyed.
  while (!inbox_.empty() || !delayed_.empty() || !watches_->none()) {
    while (inbox_.pop()) {
    }
    delayed_tasks<task> delayed;
    delayed_.swap(delayed);
    watches_->clear();
  }
}

template <task_runner_features Features>
void basic_task_runner<Features>::give_back::operator()(wake* unused) const noexcept {
  wake_points<wake>::give_back(*unused);
}

template <task_runner_features Features>
void basic_task_runner<Features>::refuse_empty(const char* where) {
  detail::raise<std::invalid_argument>(std::string("fencepost::task_runner::") + where +
                                       ": the callable is empty; pass one that can be called");
}

#if defined(__cpp_lib_jthread)
template <task_runner_features Features>
auto basic_task_runner<Features>::checked_period(clock::duration period) -> clock::duration {
  if (period > clock::duration::zero()) return period;
  detail::raise<std::invalid_argument>(
      "fencepost::task_runner::post_repeating: the period is not positive; give the time between "
      "two runs, or let the task post itself again");
}
#endif

template <task_runner_features Features>
void basic_task_runner<Features>::start_watch(detail::watched_object<waitable> object, watch&& f) {
  if (const std::string fault = watches::fault_of(object); !fault.empty())
    detail::raise<std::invalid_argument>("fencepost::task_runner::add_watch: " + fault);
  if (on_runner_thread()) {
    watches_->add(object, std::move(f));
  } else {
    post([this, object, added = std::move(f)]() mutable {
      watches_->add(object, std::move(added));
    });
  }
}

template <task_runner_features Features>
void basic_task_runner<Features>::remove_watch(waitable descriptor, watch_for what) {
  const detail::watched_object<waitable> object{descriptor, what};
  if (on_runner_thread()) {
    watches_->remove(object);
  } else {
    post([this, object] { watches_->remove(object); });
  }
}

template <task_runner_features Features>
void basic_task_runner<Features>::enter(const char* what) {
  const void* nobody = nullptr;
  // [enter.thread] relaxed, relaxed on failure, alone: a thread finds its own address only if it
  // wrote it; see on_runner_thread().
  if (!thread_.compare_exchange_strong(nobody, this_thread(), std::memory_order_relaxed,
                                       std::memory_order_relaxed) &&
      nobody != this_thread()) {
    detail::raise<std::logic_error>(std::string("fencepost::task_runner::") + what +
                                    ": called on a thread other than the runner's; call it on the "
                                    "thread that first called run() or run_until_idle()");
  }
  // [enter.running] relaxed, alone: if it is true, this thread wrote it.
  if (running_.load(std::memory_order_relaxed)) {
    detail::raise<std::logic_error>(std::string("fencepost::task_runner::") + what +
                                    ": called within a task; return from the task instead");
  }
}

template <task_runner_features Features>
void basic_task_runner<Features>::run() {
  const running_scope scope{*this, "run"};
  while (turn(true)) {
  }
}

template <task_runner_features Features>
void basic_task_runner<Features>::run_until_idle() {
  const running_scope scope{*this, "run_until_idle"};
  while (turn(false) && !nothing_left()) {
  }
}

template <task_runner_features Features>
bool basic_task_runner<Features>::is_idle() {
  // [is_idle] relaxed, alone: as in enter().
  const void* const thread = thread_.load(std::memory_order_relaxed);
  if (thread != nullptr && thread != this_thread()) {
    detail::raise<std::logic_error>(
        "fencepost::task_runner::is_idle: only the runner's thread can tell; post a task that "
        "calls it");
  }
  return nothing_left();
}

// Runs posted and delayed tasks that are ready, and polls. False if quit() has ended this run.
template <task_runner_features Features>
bool basic_task_runner<Features>::turn(bool may_sleep) {
  run_posted();
  if (!quitting_) run_delayed();
  if (!quitting_) poll(may_sleep);
  return !quitting_;
}

template <task_runner_features Features>
void basic_task_runner<Features>::run_one(task& next, [[maybe_unused]] const char* name) {
  [[maybe_unused]] const auto recorded = trace_.begin(trace_kind::task, name);
  if (!watched_) [[likely]] {
    next();
    return;
  }
  const watchdog::task running{*watched_};
  next();
}

template <task_runner_features Features>
void basic_task_runner<Features>::run_posted() {
  for (unsigned done = 0; done < batch_ && !quitting_; ++done) {
    // Before the item is out of the queue: this may throw.
    [[maybe_unused]] const std::size_t dropped = delayed_.make_room();
    counters_.count(&task_runner_counts::dropped, dropped);
    std::optional<item> next = inbox_.pop();
    if (!next) return;
    if (next->due <= when_ready) {
      const bool ready = next->due == when_ready;
      counters_.count(ready ? &task_runner_counts::watches : &task_runner_counts::tasks);
      run_one(next->run, ready ? "watch" : "task");
    } else {
      counters_.count(&task_runner_counts::delayed);
      delayed_.push(next->due, std::move(next->run));
    }
  }
}

template <task_runner_features Features>
void basic_task_runner<Features>::run_delayed() {
  if (delayed_.empty()) return;
  const auto now = clock::now();
  for (unsigned done = 0; done < batch_ && !quitting_; ++done) {
    std::optional<task> next = delayed_.pop(now);
    if (!next) return;
    counters_.count(&task_runner_counts::timers);
    run_one(*next, "timer");
  }
}

// True if nothing can be run now, perhaps because a post is not finished.
template <task_runner_features Features>
bool basic_task_runner<Features>::nothing_ready() {
  return !inbox_.ready() && (delayed_.empty() || delayed_.next_due() > clock::now());
}

// True if nothing is left to run now. That nothing is ready is not enough: behind an unfinished
// post there may be a finished one.
template <task_runner_features Features>
bool basic_task_runner<Features>::nothing_left() {
  return inbox_.empty() && nothing_ready();
}

// Yields, looks_ times at most, until there is something to run. True if there is.
template <task_runner_features Features>
bool basic_task_runner<Features>::work_comes() {
  const auto begin = clock::now();
  for (unsigned left = looks_; left != 0; --left) {
    std::this_thread::yield();
    if (!nothing_ready()) return true;
    // Other threads keep the processor for longer; once woken, a sleeper would not wait for them.
    if (clock::now() - begin >= short_sleep) return false;
  }
  return false;
}

template <task_runner_features Features>
void basic_task_runner<Features>::poll(bool may_sleep) {
  // The runner waits for a post that is not finished, which ends the sleep.
  may_sleep = may_sleep || !inbox_.empty();
  const bool nothing = nothing_ready() && !(may_sleep && work_comes());
  bool slept = false;
  if (!nothing || !may_sleep) {
    if (watches_->none()) return;  // there is nothing to poll
    watches_->wait(0);
  } else {
    struct awake_after {
      basic_task_runner& self;
      ~awake_after() { self.inbox_.awake(); }
    } const after{*this};
    // Begins before another thread can observe that it must wake this one.
    [[maybe_unused]] const auto recorded = trace_.begin(trace_kind::park, "park");
    const int time = inbox_.prepare_sleep() ? milliseconds_to_sleep() : 0;
    slept = time != 0;
    counters_.count_if(slept, &task_runner_counts::parks);
    const auto begin = clock::now();
    watches_->wait(time);
    const bool soon = clock::now() - begin < short_sleep;
    const bool posted = watches_->event_signalled();
    looks_ = posted && soon ? looks_after_a_short_sleep : looks;
  }
  if (watches_->event_signalled()) {
    counters_.count_if(slept, &task_runner_counts::wakes);
    wake_->event.clear();
  }
  post_ready();
}

template <task_runner_features Features>
void basic_task_runner<Features>::post_ready() {
  watches_->for_each_ready([this](const detail::watched_object<waitable>& object,
                                  std::uint64_t identity, typename watches::readiness how) {
    inbox_.push(item{
        when_ready, task{[this, object, identity, how] { watches_->run(object, identity, how); }}});
    counters_.count(&task_runner_counts::ready);
  });
}

// The time until a delayed task is due, rounded up; -1: until woken. A sleep that is too long for
// the system is divided: the next turn finds that nothing is due, and sleeps again.
template <task_runner_features Features>
int basic_task_runner<Features>::milliseconds_to_sleep() const noexcept {
  if (delayed_.empty()) return -1;
  const auto now = clock::now();
  const auto due = delayed_.next_due();
  if (due <= now) return 0;
  const auto rest = (due - now) / std::chrono::milliseconds(1);
  return rest < std::numeric_limits<int>::max() ? static_cast<int>(rest) + 1
                                                : std::numeric_limits<int>::max();
}

template class basic_task_runner<task_runner_features{}>;
template class basic_task_runner<task_runner_features{.trace = true}>;
template class basic_task_runner<task_runner_features{.statistics = true}>;
template class basic_task_runner<task_runner_features{.trace = true, .statistics = true}>;

}  // namespace fencepost
