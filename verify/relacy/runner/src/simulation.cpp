// Runs Relacy's schedulers with a limit, and translates its results to the kit's.
#include "fencepost/relacy/simulation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace fencepost::relacy::detail {
namespace {

constexpr fencepost::violation kind_of(rl::test_result_e r) noexcept {
  switch (r) {
    case rl::test_result_success:
    case rl::test_result_until_condition_hit: return violation::none;
    case rl::test_result_user_assert_failed: return violation::assertion;
    case rl::test_result_data_race:
    case rl::test_result_unitialized_access: return violation::data_race;
    case rl::test_result_access_to_freed_memory: return violation::use_after_free;
    case rl::test_result_double_free: return violation::double_free;
    case rl::test_result_memory_leak:
    case rl::test_result_resource_leak: return violation::leak;
    case rl::test_result_deadlock:
    case rl::test_result_livelock: return violation::liveness;
    default: return violation::misuse;
  }
}

// Ends a simulation after so many iterations or so much time. Relacy's own limit is only for its
// random scheduler.
class limit {
 public:
  explicit limit(const options& o) : options_(o), began_(clock::now()) {}

  // Called between iterations; `all`: the scheduler has no more. Returns true to stop.
  bool turn(bool all) {
    ++done_;
    if (options_.progress != nullptr) options_.progress->store(done_, std::memory_order_relaxed);
    complete_ = all && options_.scheduler != scheduler::random;
    if (all || done_ >= options_.iterations) return true;
    return options_.timeout.count() > 0 && done_ % 256 == 0 &&
           clock::now() - began_ > options_.timeout;
  }
  std::uint64_t done() const noexcept { return done_; }
  bool complete() const noexcept { return complete_; }
  double seconds() const { return std::chrono::duration<double>(clock::now() - began_).count(); }

 private:
  using clock = std::chrono::steady_clock;
  const options& options_;
  clock::time_point began_;
  std::uint64_t done_ = 0;
  bool complete_ = false;
};

// Globals, since Relacy creates suites and schedulers itself. Simulations run one after the other.
limit* current_limit = nullptr;
const steps* current_steps = nullptr;

template <class Scheduler>
struct limited : Scheduler {
  using Scheduler::Scheduler;
  bool iteration_end() {
    const bool all = Scheduler::iteration_end();
    return current_limit->turn(all);
  }
};

// The order of operations by Relacy's clocks. The moment of a return is the thread's own time; that
// of a call is the index of a copy of its whole clock. A call without room for a copy comes after
// nothing.
class operation_clocks {
 public:
  void clear() noexcept { used_ = 0; }

  runner::moment called() noexcept {
    const rl::thread_info_base* const self = rl::ctx().threadx_;
    if (self == nullptr || used_ == clocks_.size()) return none;
    const auto threads =
        std::min(static_cast<std::size_t>(rl::ctx().get_thread_count()), most_threads);
    clock& c = clocks_[used_];
    c.own = time_of(*self);
    std::copy_n(self->acq_rel_order_, threads, c.of.begin());
    std::fill(c.of.begin() + static_cast<std::ptrdiff_t>(threads), c.of.end(), 0);
    return used_++;
  }
  // If the thread has done nothing since the call, its next event counts.
  runner::moment returned(runner::moment called) const noexcept {
    const rl::thread_info_base* const self = rl::ctx().threadx_;
    if (self == nullptr || called == none) return none;
    const runner::moment now = time_of(*self);
    return now == clocks_[called].own ? now + 1 : now;
  }
  bool is_before(runner::moment returned, runner::moment called) const noexcept {
    if (returned == none || called == none) return false;
    const std::size_t thread = returned >> 48U;
    return thread < most_threads && clocks_[called].of[thread] >= (returned & 0xffff'ffff'ffffU);
  }

 private:
  static constexpr std::size_t most_threads = 8;
  static constexpr runner::moment none = ~runner::moment{0};
  struct clock {
    runner::moment own;
    std::array<rl::timestamp_t, most_threads> of;
  };
  static runner::moment time_of(const rl::thread_info_base& t) noexcept {
    return static_cast<runner::moment>(t.index_) << 48U | t.own_acq_rel_order_;
  }

  std::array<clock, 64> clocks_;
  std::size_t used_ = 0;
};
operation_clocks clocks;

// A violated claim ends the simulation, and so does a forbidden outcome. Outcomes are not counted.
struct claims final : runner {
  void broken(const char* what, source_location where) override {
    auto& kept = current_execution.message;
    const std::string_view text{what};
    *std::copy_n(text.begin(), std::min(text.size(), kept.size() - 1), kept.begin()) = 0;
    rl::ctx().fail_test(kept.data(), rl::test_result_user_assert_failed, info(where));
  }
  void record(std::string_view outcome) override {
    if (allows(current_steps->about->outcomes, outcome)) return;
    broken("an outcome that is forbidden", source_location::current());
  }
  moment called() override { return clocks.called(); }
  moment returned(moment called) override { return clocks.returned(called); }
  bool is_before(moment returned, moment called) override {
    return clocks.is_before(returned, called);
  }
};

template <int Threads>
struct suite : rl::test_suite<suite<Threads>, Threads> {
  suite() {
    const scenario& about = *current_steps->about;
    current_execution = {};
    clocks.clear();
    current_execution.timeouts_left = about.timeouts;
    current_execution.spurious_wakeups = about.spurious_wakeups > 0;
    current_execution.spurious_failures = about.spurious_failures > 0;
    current_steps->construct();
  }
  ~suite() { current_steps->destroy(); }
  suite(const suite&) = delete;

  void before() { guarded(current_steps->before); }
  void thread(unsigned index) {
    if (index < current_steps->about->threads) guarded(current_steps->thread, index);
  }
  void after() { guarded(current_steps->after); }

 private:
  template <class... Arguments>
  static void guarded(void (*body)(Arguments...), Arguments... arguments) {
    try {
      return body(arguments...);
    } catch (...) {
      current_execution.exception = true;
    }
    // Outside of the handler: a fiber that is abandoned in one leaves it active for all others.
    rl::ctx().fail_test("an exception left a thread", rl::test_result_user_assert_failed,
                        info(source_location::current()));
  }
};

template <int Threads>
rl::test_result_e simulate(rl::test_params& p, std::ostream& state, bool again) {
  using tested = suite<Threads>;
  switch (p.search_type) {
    case rl::sched_bound:
      return rl::run_test<tested, limited<rl::context_bound_scheduler<Threads>>>(p, state, again);
    case rl::sched_full:
      return rl::run_test<tested, limited<rl::full_search_scheduler<Threads>>>(p, state, again);
    default: return rl::run_test<tested, limited<rl::random_scheduler<Threads>>>(p, state, again);
  }
}

rl::test_result_e simulate(rl::test_params& p, std::ostream& state, bool again) {
  switch (current_steps->about->threads) {
    case 1:  // with another thread that does nothing: Relacy's arrays do not suit one thread
    case 2: return simulate<2>(p, state, again);
    case 3: return simulate<3>(p, state, again);
    case 4: return simulate<4>(p, state, again);
    default: throw std::logic_error("a scenario of more threads than four");
  }
}

}  // namespace

result run(const steps& s, const options& o) {
  // Makes the library allocate what it allocates once and keeps: inside a simulation it would leak.
  std::ostringstream() << 1 << 1.0;

  claims listening;
  runner* const outer = std::exchange(current_runner, &listening);
  std::ostream nowhere(nullptr);
  // Relacy's own string streams: memory that an ordinary one allocates while a simulation runs
  // would belong to the simulation.
  rl::ostringstream history, state, nothing;
  rl::test_params params;
  params.search_type = o.scheduler == scheduler::bound  ? rl::sched_bound
                       : o.scheduler == scheduler::full ? rl::sched_full
                                                        : rl::sched_random;
  params.iteration_count = o.iterations;
  params.context_bound = o.context_bound;
  params.output_stream = &nowhere;
  params.progress_stream = &nowhere;

  result r;
  limit first(o);
  current_limit = &first;
  current_steps = &s;
  const rl::test_result_e found = simulate(params, state, false);
  r.seconds = first.seconds();
  r.iterations = first.done();
  if (found == rl::test_result_success) {
    r.verdict = first.complete() ? verdict::complete : verdict::holds;
    r.cut_short = !first.complete() && r.iterations < o.iterations;
  } else if (current_execution.inexpressible != nullptr) {
    r.verdict = verdict::skipped;
    r.message = current_execution.inexpressible;
  } else {
    r.verdict = verdict::violated;
    ++r.iterations;
    r.kind = current_execution.exception ? violation::exception : kind_of(found);
    r.message = current_execution.message[0] != 0 ? current_execution.message.data()
                                                  : rl::test_result_str(found);
    // Runs the same iteration again, and records its history.
    const options once{.scheduler = o.scheduler, .iterations = 1};
    limit second(once);
    current_limit = &second;
    params.initial_state = state.str();
    params.collect_history = true;
    params.output_stream = &history;
    simulate(params, nothing, true);
    r.history = history.str();
  }
  current_limit = nullptr;
  current_steps = nullptr;
  current_runner = outer;
  return r;
}

}  // namespace fencepost::relacy::detail
