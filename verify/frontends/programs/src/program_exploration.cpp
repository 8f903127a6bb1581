#include "program_exploration.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <utility>

#include "c_library.hpp"
#include "departure.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/report.hpp"
#include "heap.hpp"
#include "kept_sessions.hpp"
#include "progress_line.hpp"
#include "silence.hpp"
#include "tests.hpp"
#include "threads.hpp"

namespace fencepost::programs {

namespace {

using verify::engine;

struct main_call {
  main_function function;
  int count;
  char** arguments;
  int status;
};
void call_main(main_call& m) { m.status = m.function(m.count, m.arguments, environ); }

verify::result incomplete_result(verify::result r, const std::string& why) {
  r.outcome = verify::verdict::incomplete;
  r.violation.reset();
  r.limit = why;
  return r;
}

// Counts explorations in a row that ended because an execution used new memory, and that were each
// longer than all before: a loop seems to use more memory in each turn.
class longer_and_longer {
 public:
  void note(const verify::result& r, const source_location& new_memory) {
    if (new_memory.line == 0 || r.events <= events_) times_ = 0;
    ++times_;
    events_ = std::max(events_, r.events);
  }
  [[nodiscard]] bool is_without_end() const noexcept { return times_ > most; }
  [[nodiscard]] static std::string in_words(const source_location& new_memory) {
    return std::to_string(most) +
           " times in a row a longer execution used memory that no earlier one had used, the last "
           "time at " +
           new_memory.file + ":" + std::to_string(new_memory.line) +
           ": it seems that each turn of a loop allocates memory, at a new address; allocate "
           "before the loop";
  }

 private:
  static constexpr unsigned most = 64;
  unsigned times_ = 0;
  std::size_t events_ = 0;
};

}  // namespace

// For a main() that has called pthread_exit(): the program ends with the last of its other threads.
void program_exploration::await_other_threads() {
  destroy_specific();
  const entered waits;
  session_.take_up_writes();
  require_no_locks(session_);
  session_.end_storage();
  for (unsigned thread = 1; thread <= session_.threads().created(); ++thread)
    engine::current()->join(thread, {});
  session_.begin_storage();
}

// Runs one execution.
void program_exploration::run() {
  session& s = session_;
  char** argv = nullptr;
  {
    // Not `entered`, which needs the engine: the session does not know it yet.
    const verify::engine_scope begins;
    s.begin_execution(__builtin_frame_address(0));
    heap::begin_execution();
    tests::begin_execution();
    argv = arguments_.for_execution();
  }
  { const entered clears_frames; }
  for (const image::constructor c : s.program().constructors())
    c(arguments_.count(), argv, environ);
  main_call main{main_, arguments_.count(), argv, 0};
  const departure how =
      run_until_it_leaves([](void* m) { call_main(*static_cast<main_call*>(m)); }, &main);
  if (!s.threads().has_exited()) {
    end_thread();
    if (!how.returned) await_other_threads();
    end_program();
  }
  const entered ends;
  s.take_up_writes();
  if (main.status == 0) return;
  const std::string text = "main() returns " + std::to_string(main.status);
  engine::current()->fail(violation::assertion, text, {});
}

verify::result program_exploration::explore(verify::options o) {
  using std::chrono::steady_clock;
  const silence no_output;
  progress_line shown(no_output.error());
  o.on_progress = [&shown](const verify::progress& p) { shown.show(p); };
  o.stop = &session_.state().stopped();
  const auto end = steady_clock::now() + o.timeout;
  for (longer_and_longer growth;;) {
    session_.begin_exploration();
    const kept_sessions kept(session_, arguments_);
    verify::result r = verify::check(o, [&] { run(); });
    if (!session_.is_to_restart())
      return r.violation || session_.state().limit().empty()
                 ? r
                 : incomplete_result(std::move(r), session_.state().limit());
    if (exploration_state::interrupted()) return incomplete_result(std::move(r), "interrupted");
    const source_location& new_memory = session_.state().new_memory();
    growth.note(r, new_memory);
    if (growth.is_without_end())
      return incomplete_result(std::move(r), longer_and_longer::in_words(new_memory));
    if (o.timeout.count() == 0) continue;
    o.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(end - steady_clock::now());
    if (o.timeout.count() <= 0) return incomplete_result(std::move(r), "timeout");
  }
}

std::string program_exploration::replay(verify::options o, const verify::counterexample& c) {
  if (!c.no_path.empty()) return why_not_replayed(c);
  o.replay = c.path;
  o.priorities = c.priorities;
  const verify::result again = explore(o);
  return again.violation && again.violation->kind == c.kind ? ""
                                                            : "the violation was not reached again";
}

namespace {

using nanoseconds = std::int64_t;
std::atomic<nanoseconds> first_signal{0};

nanoseconds now() {  // not by the clock that the program sees
  timespec t{};
  FENCEPOST_BEHIND(clock_gettime)(CLOCK_MONOTONIC, &t);
  return nanoseconds{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

// A second signal ends the program. Signals that arrive at once are one: timeout(1) sends its
// signal to the program and then to its process group, which includes the program.
void interrupt(int number) {
  constexpr nanoseconds at_once = 200'000'000;
  const nanoseconds at = now();
  nanoseconds first = 0;
  if (first_signal.compare_exchange_strong(first, at)) return session::interrupt();
  if (at - first < at_once) return;
  std::signal(number, SIG_DFL);
  std::raise(number);  // once the handler has returned
}

}  // namespace

void heed_interrupts() {
  static_cast<void>(now());  // finds the library's clock, which a handler may not
  struct sigaction stop {};
  stop.sa_handler = interrupt;
  // Not on the stack of the program's running thread.
  stop.sa_flags = SA_ONSTACK | SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &stop, nullptr);
  }
}

}  // namespace fencepost::programs
