// Random programs of all operations of a task runner, called by tasks and from outside, against its
// turns on plain containers. The test sets the time, so that there is one order of execution, and
// the two must agree on all of it.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "fencepost/runtime/task_runner.hpp"
#include "virtual_time.hpp"

namespace fencepost::task_runner_model {
namespace {

using microseconds = std::chrono::microseconds;

constexpr int pipes = 3;
constexpr microseconds never = microseconds::max();

using log_lines = std::vector<std::string>;

// What both runners record of a sleep: that it takes whole milliseconds; or that only another
// thread can end it, which then calls quit().
constexpr std::string_view sleeps_on = "sleeps until another thread quits";
std::string sleeps(std::int64_t milliseconds) { return "sleeps " + std::to_string(milliseconds); }

// The real runner. With `elsewhere`, another thread makes the call, and has returned when this
// does.
class subject {
 public:
  explicit subject(unsigned batch, log_lines& log)
      : time_{[this, &log](int milliseconds) {
          if (milliseconds < 0 || milliseconds == std::numeric_limits<int>::max()) {
            log.emplace_back(sleeps_on);
            quit(true);
          } else {
            log.push_back(sleeps(milliseconds));
            time_.pass(std::chrono::milliseconds{milliseconds});
          }
        }},
        runner_{{.batch = batch}} {
    for (auto& ends : pipes_) {
      if (::pipe(ends.data()) != 0) throw std::runtime_error{"no pipe is to be had"};
    }
  }
  ~subject() {
    for (int pipe = 0; pipe < pipes; ++pipe) {
      hang_up(pipe);
      ::close(read_end(pipe));
    }
  }
  subject(const subject&) = delete;
  subject& operator=(const subject&) = delete;

  template <class F>
  void post(F&& f, bool elsewhere) {
    on(elsewhere, [&] { runner_.post(std::forward<F>(f)); });
  }
  template <class F>
  void post_delayed(F&& f, microseconds delay, bool elsewhere) {
    on(elsewhere, [&] { runner_.post_delayed(std::forward<F>(f), delay); });
  }
  template <class F>
  void add_watch(int pipe, F&& f, bool elsewhere) {
    on(elsewhere, [&] { runner_.add_watch(read_end(pipe), std::forward<F>(f)); });
  }
  void remove_watch(int pipe, bool elsewhere) {
    on(elsewhere, [&] { runner_.remove_watch(read_end(pipe)); });
  }
  void quit(bool elsewhere) {
    on(elsewhere, [&] { runner_.quit(); });
  }
  void run() { runner_.run(); }
  void run_until_idle() { runner_.run_until_idle(); }
  bool is_idle() { return runner_.is_idle(); }

  void pass(microseconds time) { time_.pass(time); }
  void write(int pipe) {
    if (write_end(pipe) >= 0) RC_ASSERT((::write(write_end(pipe), "x", 1) == 1));
  }
  void read(int pipe) {
    char byte = 0;
    RC_ASSERT((::read(read_end(pipe), &byte, 1) == 1));
  }
  void hang_up(int pipe) {
    if (write_end(pipe) >= 0) ::close(std::exchange(write_end(pipe), -1));
  }

 private:
  template <class F>
  static void on(bool elsewhere, F&& f) {
    if (elsewhere) {
      std::thread{f}.join();
    } else {
      f();
    }
  }
  int read_end(int pipe) const { return pipes_[static_cast<unsigned>(pipe)][0]; }
  int& write_end(int pipe) { return pipes_[static_cast<unsigned>(pipe)][1]; }

  virtual_time time_;
  std::array<std::array<int, 2>, pipes> pipes_{};
  task_runner runner_;
};

// The specification: all tasks in one queue, and one turn after another as the page describes them.
class reference {
 public:
  using task = std::function<void()>;
  using watch = std::function<void(watch_events)>;

  reference(unsigned batch, log_lines& log) : batch_{batch}, log_{log} {}

  void post(task f, bool) { posted_.push_back({std::nullopt, std::move(f)}); }
  void post_delayed(task f, microseconds delay, bool) {
    const microseconds due = delay == never ? never : now_ + std::max(delay, microseconds{0});
    posted_.push_back({due, std::move(f)});
  }
  void add_watch(int pipe, watch f, bool elsewhere) {
    // Until it has run, the runner has no thread: every caller is another thread.
    if (elsewhere || !has_thread_) {
      return post(
          [this, pipe, f = std::move(f)]() mutable { add_watch(pipe, std::move(f), false); },
          false);
    }
    if (find(pipe) != watches_.end()) throw std::invalid_argument{"watched already"};
    watches_.push_back({pipe, next_watch_++, std::move(f)});
  }
  void remove_watch(int pipe, bool elsewhere) {
    if (elsewhere || !has_thread_) {
      return post([this, pipe] { remove_watch(pipe, false); }, false);
    }
    if (const auto at = find(pipe); at != watches_.end()) watches_.erase(at);
  }
  void quit(bool) {
    post([this, run = run_] { quitting_ |= run == run_; }, false);
  }
  void run() { turns(true); }
  void run_until_idle() { turns(false); }
  bool is_idle() const {
    return posted_.empty() && (delayed_.empty() || delayed_.begin()->first > now_);
  }

  void pass(microseconds time) { now_ += time; }
  void write(int pipe) {
    if (!at(pipe).hung_up) ++at(pipe).bytes;
  }
  void read(int pipe) { --at(pipe).bytes; }
  void hang_up(int pipe) { at(pipe).hung_up = true; }

 private:
  struct item {
    std::optional<microseconds> due;  // not set: at once
    task run;
  };
  struct watched {
    int pipe;
    int identity;  // another watch of the same pipe may have replaced it
    watch run;
    bool pending = false;
  };
  struct pipe_state {
    int bytes = 0;
    bool hung_up = false;
  };

  void turns(bool may_sleep) {
    if (running_) throw std::logic_error{"within a task"};
    struct scope {
      reference& self;
      ~scope() {
        self.run_ += self.quitting_;
        self.running_ = self.quitting_ = false;
      }
    } const running{*this};
    running_ = has_thread_ = true;
    do {
      turn(may_sleep);
    } while (!quitting_ && (may_sleep || !is_idle()));
  }
  void turn(bool may_sleep) {
    for (unsigned n = 0; n < batch_ && !quitting_ && !posted_.empty(); ++n) {
      item next = std::move(posted_.front());
      posted_.pop_front();
      if (next.due) {
        delayed_.emplace(*next.due, std::move(next.run));  // behind those with the same time
      } else {
        next.run();
      }
    }
    const microseconds now = now_;
    for (unsigned n = 0; n < batch_ && !quitting_ && !delayed_.empty(); ++n) {
      if (delayed_.begin()->first > now) break;
      const task next = std::move(delayed_.extract(delayed_.begin()).mapped());
      next();
    }
    if (quitting_) return;
    const bool nothing_left = is_idle();
    if (!poll() && nothing_left && may_sleep) sleep();
  }
  // Posts the watches that are ready. Returns true if there are any.
  bool poll() {
    bool ready = false;
    for (auto& each : watches_) {
      const pipe_state& state = at(each.pipe);
      if (each.pending || (state.bytes == 0 && !state.hung_up)) continue;
      ready = each.pending = true;
      post([this, pipe = each.pipe, identity = each.identity,
            events = watch_events{.readable = state.bytes != 0,
                                  .hung_up = state.hung_up}] { run_watch(pipe, identity, events); },
           false);
    }
    return ready;
  }
  void sleep() {
    if (delayed_.empty() || delayed_.begin()->first == never) {
      log_.emplace_back(sleeps_on);
      quit(true);
    } else {
      const auto whole =
          std::chrono::floor<std::chrono::milliseconds>(delayed_.begin()->first - now_);
      const auto slept = whole + std::chrono::milliseconds{1};
      log_.push_back(sleeps(slept.count()));
      pass(slept);
    }
  }
  void run_watch(int pipe, int identity, watch_events events) {
    const auto entry = find(pipe);
    if (entry == watches_.end() || entry->identity != identity) return;
    watch f = std::move(entry->run);
    struct scope {
      reference& self;
      int pipe, identity;
      watch& f;
      ~scope() {
        const auto still = self.find(pipe);
        if (still == self.watches_.end() || still->identity != identity) return;
        still->run = std::move(f);
        still->pending = false;
      }
    } const after{*this, pipe, identity, f};
    f(events);
  }

  std::vector<watched>::iterator find(int pipe) {
    return std::find_if(watches_.begin(), watches_.end(),
                        [pipe](const watched& each) { return each.pipe == pipe; });
  }
  pipe_state& at(int pipe) { return pipes_[static_cast<unsigned>(pipe)]; }

  const unsigned batch_;
  log_lines& log_;
  microseconds now_{0};
  std::deque<item> posted_;
  std::multimap<microseconds, task> delayed_;
  std::vector<watched> watches_;
  int next_watch_ = 0;
  std::array<pipe_state, pipes> pipes_;
  bool quitting_ = false, running_ = false, has_thread_ = false;
  int run_ = 0;  // how many runs were ended by quit()
};

enum class deed : std::uint8_t {
  post,
  post_delayed,
  add_watch,
  remove_watch,
  write,
  hang_up,
  pass,
  quit,
  fail,
  ask,
  run,
  run_until_idle
};

// A step of a program.
struct action {
  deed what = deed::post;
  bool elsewhere = false;  // by another thread
  int pipe = 0;
  microseconds time{0};        // the delay, or the time that passes
  std::vector<action> then{};  // what the posted task does, or the watch when it first runs
};

std::ostream& operator<<(std::ostream& out, const action& one) {
  static constexpr std::array names{"post",  "post_delayed", "add_watch", "remove_watch",
                                    "write", "hang_up",      "pass",      "quit",
                                    "throw", "is_idle",      "run",       "run_until_idle"};
  out << names[static_cast<unsigned>(one.what)];
  const auto what = one.what;
  if (what >= deed::add_watch && what <= deed::hang_up) out << " pipe " << one.pipe;
  if (what == deed::post_delayed || what == deed::pass) {
    one.time == never ? out << " never" : out << ' ' << one.time.count() << " us";
  }
  if (one.elsewhere) out << " elsewhere";
  if (!one.then.empty()) {
    out << " {";
    for (const action& each : one.then) out << ' ' << each << ';';
    out << " }";
  }
  return out;
}

rc::Gen<action> any_action(int depth) {
  return rc::gen::exec([depth] {
    action one;
    one.what = *rc::gen::weightedElement<deed>({{6, deed::post},
                                                {6, deed::post_delayed},
                                                {4, deed::add_watch},
                                                {2, deed::remove_watch},
                                                {6, deed::write},
                                                {1, deed::hang_up},
                                                {3, deed::pass},
                                                {1, deed::quit},
                                                {1, deed::fail},
                                                {2, deed::ask},
                                                {depth == 2 ? 4u : 1u, deed::run},
                                                {depth == 2 ? 6u : 1u, deed::run_until_idle}});
    one.elsewhere = *rc::gen::weightedElement<bool>({{3, false}, {1, true}});
    one.pipe = *rc::gen::inRange(0, pipes);
    one.time = *rc::gen::elementOf(std::vector<microseconds>{
        microseconds{-1}, microseconds{0}, microseconds{1}, microseconds{999}, microseconds{1000},
        microseconds{1001}, microseconds{2500}, never});
    if (depth > 0) {
      one.then =
          *rc::gen::scale(0.15, rc::gen::container<std::vector<action>>(any_action(depth - 1)));
    }
    return one;
  });
}

// Executes a program, and records what happens.
template <class Runner>
class player {
 public:
  explicit player(unsigned batch) : runner_{std::make_unique<Runner>(batch, log_)} {}

  log_lines play(const std::vector<action>& program) && {
    for (const action& step : program) {
      try {
        perform(step);
      } catch (const std::invalid_argument&) {
        log_.emplace_back("invalid_argument");
      } catch (const std::logic_error&) {
        log_.emplace_back("logic_error");
      } catch (const std::runtime_error&) {
        log_.emplace_back("runtime_error");
      }
      log_.push_back(std::to_string(alive_.use_count() - 1) + " are left");
    }
    runner_.reset();
    log_.push_back(std::to_string(alive_.use_count() - 1) + " are left at the end");
    return std::move(log_);
  }

 private:
  void perform(const action& one) {
    const int number = number_++;
    switch (one.what) {
      case deed::post: return runner_->post(task(one, number), one.elsewhere);
      case deed::post_delayed:
        return runner_->post_delayed(task(one, number), one.time, one.elsewhere);
      case deed::add_watch: return runner_->add_watch(one.pipe, watch(one, number), one.elsewhere);
      case deed::remove_watch: return runner_->remove_watch(one.pipe, one.elsewhere);
      case deed::write: return runner_->write(one.pipe);
      case deed::hang_up: return runner_->hang_up(one.pipe);
      case deed::pass:
        return runner_->pass(one.time == never ? microseconds{1}
                                               : std::max(one.time, microseconds{0}));
      case deed::quit: return runner_->quit(one.elsewhere);
      case deed::fail: throw std::runtime_error{"as it was told"};
      case deed::ask:
        return log_.emplace_back(runner_->is_idle() ? "is idle" : "is not idle"), void();
      case deed::run: return runner_->run();
      case deed::run_until_idle: return runner_->run_until_idle();
    }
  }
  void perform_all(const std::vector<action>& all) {
    for (const action& each : all) perform(each);
  }
  auto task(const action& one, int number) {
    return [this, &one, number, alive = alive_] {
      log_.push_back("task " + std::to_string(number));
      perform_all(one.then);
    };
  }
  auto watch(const action& one, int number) {
    return [this, &one, number, alive = alive_, first = true](watch_events events) mutable {
      log_.push_back("watch " + std::to_string(number) + (events.readable ? " readable" : "") +
                     (events.hung_up ? " hung up" : "") + (events.error ? " error" : "") +
                     (events.closed ? " closed" : ""));
      if (events.readable) {
        runner_->read(one.pipe);
      } else {
        runner_->remove_watch(one.pipe, false);  // otherwise it would run for ever
      }
      if (std::exchange(first, false)) perform_all(one.then);
    };
  }

  log_lines log_;
  int number_ = 0;
  const std::shared_ptr<int> alive_ = std::make_shared<int>(0);  // shared by tasks and watches
  std::unique_ptr<Runner> runner_;
};

void agrees_with_the_reference(unsigned batch) {
  const auto program = *rc::gen::scale(0.5, rc::gen::container<std::vector<action>>(any_action(2)));
  RC_ASSERT((player<subject>{batch}.play(program) == player<reference>{batch}.play(program)));
}

RC_GTEST_PROP(task_runner_model, one_task_a_turn_agrees_with_the_reference, ()) {
  agrees_with_the_reference(1);
}
RC_GTEST_PROP(task_runner_model, batches_of_two_agree_with_the_reference, ()) {
  agrees_with_the_reference(2);
}
RC_GTEST_PROP(task_runner_model, batches_of_five_agree_with_the_reference, ()) {
  agrees_with_the_reference(5);
}

}  // namespace
}  // namespace fencepost::task_runner_model
