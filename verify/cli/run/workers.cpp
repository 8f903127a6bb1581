// The parent forks one worker a job. A worker writes lines of JSON to a pipe: {"progress": [...]},
// again and again, and one {"result": ...}; its standard output and error go to a second pipe. A
// worker that ends without a result crashed.
#include "run/workers.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/usage.hpp"
#include "fencepost/verify/report.hpp"
#include "run/result_json.hpp"

namespace fencepost::cli {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t most_output = 8192;
constexpr milliseconds turn{100};

// Written by a signal handler; lock-free, so that this is allowed.
std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void stop_worker(int) { asked_to_stop.store(true); }

// ---- the worker's side ----

void send(int to, const json& message) {
  const std::string text = dump(message, -1) + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(to, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) ::_exit(1);  // the parent is gone
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

verify::result broken(const verify::options& how, violation kind, std::string message) {
  verify::result r;
  r.outcome = verify::verdict::violated;
  r.model = how.model;
  r.violation.emplace();
  r.violation->kind = kind;
  r.violation->message = std::move(message);
  return r;
}

verify::result check(const entry& what, const verify::options& how) {
  try {
    return what.run(how);
  } catch (const usage_error& e) {  // a checkpoint cannot be written
    verify::result r;
    r.model = how.model;
    r.limit = e.what();
    return r;
  } catch (const std::bad_alloc&) {
    return broken(how, violation::out_of_memory, "no memory left outside of the execution");
  } catch (const std::exception& e) {
    return broken(how, violation::exception, std::string("outside of the execution: ") + e.what());
  } catch (...) {
    return broken(how, violation::exception, "outside of the execution");
  }
}

[[noreturn]] void work(const job& job, [[maybe_unused]] pid_t parent,
                       const std::atomic<unsigned>& share, int to_parent, int output) {
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before it was asked for its death
#endif
  // An interrupt from the terminal reaches the whole group; the parent passes it on as SIGTERM.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  struct sigaction stop {};
  stop.sa_handler = stop_worker;
  stop.sa_flags = SA_RESTART;
  ::sigaction(SIGTERM, &stop, nullptr);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (const int nothing = ::open("/dev/null", O_RDONLY); nothing >= 0)
    ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);

  verify::options how = job.how;
  how.stop = &asked_to_stop;
  how.jobs_now = &share;
  how.on_progress = [to_parent](const verify::progress& p) {
    json message{{"progress", {p.executions, p.blocked, p.fraction, p.seconds}}};
    if (p.whole) message["estimate"] = to_json(*p.whole);
    send(to_parent, message);
  };
  const verify::result result = check(*job.what, how);
  std::fflush(nullptr);
  send(to_parent, {{"result", to_json(result)}});
  ::_exit(0);  // what the parent registered to run at exit is the parent's
}

// ---- the parent's side ----

class descriptor {
 public:
  explicit descriptor(int number = -1) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() { close(); }
  void close() noexcept {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int get() const noexcept { return number_; }

 private:
  int number_;
};

std::pair<descriptor, descriptor> make_pipe() {
  int ends[2];
  if (::pipe(ends) != 0) {
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  return {descriptor(ends[0]), descriptor(ends[1])};
}

enum class why_ended : std::uint8_t { by_itself, silent, out_of_time, interrupted };

// How many processes each worker may use. The workers look at it while they run.
class shares {
 public:
  using share = std::atomic<unsigned>;
  static_assert(share::is_always_lock_free);

  explicit shares(unsigned processes) : processes_(processes) {
    void* const at = ::mmap(nullptr, processes * sizeof(share), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    all_ = static_cast<share*>(at);
  }
  ~shares() { ::munmap(all_, processes_ * sizeof(share)); }
  shares(const shares&) = delete;
  shares& operator=(const shares&) = delete;

  // One that nobody has.
  share& take(const std::vector<const share*>& taken) {
    share* free = all_;
    while (std::find(taken.begin(), taken.end(), free) != taken.end()) ++free;
    free->store(1, std::memory_order_relaxed);
    return *free;
  }
  // So many workers are left: what the others had is theirs. A worker never gets less than before.
  void divide(const std::vector<const share*>& taken) {
    auto spare = processes_ % static_cast<unsigned>(taken.size());
    for (const share* const mine : taken) {
      const unsigned more = spare == 0 ? 0 : 1;
      spare -= more;
      share& s = all_[mine - all_];
      const unsigned least = s.load(std::memory_order_relaxed);
      s.store(std::max(least, processes_ / static_cast<unsigned>(taken.size()) + more),
              std::memory_order_relaxed);
    }
  }

 private:
  unsigned processes_;
  share* all_;
};

class worker {
 public:
  worker(std::size_t index, const job& job, const shares::share& share)
      : index_(index), job_(job), share_(share), began_(clock::now()) {
    auto [messages, to_parent] = make_pipe();
    auto [output, to_output] = make_pipe();
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0) {
      throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    if (process_ == 0) work(job, parent, share, to_parent.get(), to_output.get());
    messages_ = std::move(messages);
    output_ = std::move(output);
    ::fcntl(messages_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  }
  worker(worker&&) = delete;

  ~worker() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  std::size_t index() const noexcept { return index_; }
  const shares::share* share() const noexcept { return &share_; }
  int messages() const noexcept { return messages_.get(); }
  int output() const noexcept { return output_.get(); }

  // Reads what is there; true once the worker has ended.
  bool read(const worker_events& events) {
    read_output();
    char buffer[16384];
    for (;;) {
      const ssize_t count = ::read(messages_.get(), buffer, sizeof buffer);
      if (count == 0) return true;
      if (count < 0) return errno != EAGAIN && errno != EINTR;
      silence_ = {};
      unread_.append(buffer, static_cast<std::size_t>(count));
      std::size_t begin = 0;
      for (std::size_t end; (end = unread_.find('\n', begin)) != std::string::npos;
           begin = end + 1) {
        hear(unread_.substr(begin, end - begin), events);
      }
      unread_.erase(0, begin);
    }
  }

  void ask_to_stop(milliseconds grace) {
    if (killed_at_) return;
    asked_ = true;
    killed_at_ = clock::now() + grace;
    ::kill(process_, SIGTERM);
  }

  // `passed`: since the last call, in time that this process was running.
  void check_limits(const worker_limits& limits, milliseconds passed) {
    const milliseconds timeout = job_.how.timeout;
    silence_ += passed;
    if (killed_at_ && clock::now() > *killed_at_) {
      kill(why_ended::interrupted);
    } else if (timeout.count() > 0 && clock::now() > began_ + timeout + limits.grace) {
      kill(why_ended::out_of_time);
    } else if (silence_ > limits.silence) {
      kill(why_ended::silent);
    }
  }

  void kill(why_ended why) {
    if (why_ == why_ended::by_itself) why_ = why;
    ::kill(process_, SIGKILL);
  }

  finished_job finish() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    read_output();
    finished_job done;
    done.output = std::move(text_);
    if (dropped_ != 0) {
      done.output = "... " + verify::grouped(dropped_) + " bytes left out ...\n" + done.output;
    }
    done.result = result_ ? std::move(*result_) : without_result(status);
    if (asked_ && done.result.outcome == verify::verdict::incomplete) {
      done.result.limit = "interrupted";
    }
    return done;
  }

 private:
  void hear(const std::string& line, const worker_events& events) try {
    const json message = json::parse(line);
    if (message.contains("result")) {
      result_ = result_from_json(message["result"]);
    } else if (message.contains("progress")) {
      const json& p = message["progress"];
      const auto fraction = [&](std::size_t i) {
        return p.at(i).is_number() ? p[i].get<double>() : 0;
      };
      last_ = {p.at(0).get<std::uint64_t>(), p.at(1).get<std::uint64_t>(), fraction(2),
               fraction(3)};
      if (message.contains("estimate")) last_.whole = estimated_from(message["estimate"]);
      if (events.progressed) events.progressed(index_, last_);
    }
  } catch (const std::exception&) {
    // Not ours: the scenario wrote to a file that it did not open. Without a result it has crashed.
  }

  void read_output() {
    char buffer[4096];
    ssize_t count = 0;
    while (output_.get() >= 0 && (count = ::read(output_.get(), buffer, sizeof buffer)) > 0) {
      text_.append(buffer, static_cast<std::size_t>(count));
      if (text_.size() > most_output) {
        dropped_ += text_.size() - most_output;
        text_.erase(0, text_.size() - most_output);
      }
    }
    if (count == 0) output_.close();  // or poll() would return for it at once, for ever
  }

  verify::result without_result(int status) const {
    verify::result r;
    r.model = job_.how.model;
    if (why_ == why_ended::interrupted || why_ == why_ended::out_of_time) {
      r.limit = why_ == why_ended::interrupted ? "interrupted"
                                               : "the time limit; it did not stop by itself";
    } else if (why_ == why_ended::silent) {
      r = broken(job_.how, violation::no_progress,
                 "no step for " +
                     verify::duration(std::chrono::duration<double>(silence_).count()) +
                     ": a loop without an atomic access or spin_pause(), or a call that blocks");
    } else if (WIFSIGNALED(status)) {
      const int number = WTERMSIG(status);
      std::string message = std::string("ended by signal ") + std::to_string(number) + " (" +
                            ::strsignal(number) + ")";
      if (number == SIGKILL) message += ", perhaps by the system for want of memory";
      r = broken(job_.how, violation::crash, std::move(message));
    } else {
      r = broken(job_.how, violation::crash,
                 "the process ended with status " + std::to_string(WEXITSTATUS(status)) +
                     " in the middle of an execution");
    }
    r.executions = last_.executions;
    r.blocked = last_.blocked;
    r.fraction = last_.fraction;
    r.whole = last_.whole;
    r.seconds = std::chrono::duration<double>(clock::now() - began_).count();
    return r;
  }

  std::size_t index_;
  const job& job_;
  const shares::share& share_;
  clock::time_point began_;
  pid_t process_ = -1;
  descriptor messages_;
  descriptor output_;
  std::string unread_;
  std::string text_;
  std::size_t dropped_ = 0;
  std::optional<verify::result> result_;
  verify::progress last_;
  milliseconds silence_{0};
  std::optional<clock::time_point> killed_at_;
  bool asked_ = false;
  why_ended why_ = why_ended::by_itself;
};

}  // namespace

std::vector<finished_job> run_all(const std::vector<job>& jobs, const worker_limits& limits,
                                  const worker_events& events) {
  std::vector<finished_job> done(jobs.size());
  std::vector<std::unique_ptr<worker>> running;
  const interrupt_guard guard(interrupt_guard::second::is_counted);
  shares processes(std::max(limits.jobs, 1U));
  const auto taken = [&] {
    std::vector<const shares::share*> all;
    for (const auto& w : running) all.push_back(w->share());
    return all;
  };
  std::size_t next = 0;
  auto last_turn = clock::now();
  while (next < jobs.size() || !running.empty()) {
    while (!interrupted() && next < jobs.size() && running.size() < std::max(limits.jobs, 1U)) {
      running.push_back(std::make_unique<worker>(next, jobs[next], processes.take(taken())));
      if (events.started) events.started(next);
      ++next;
    }
    if (running.empty()) break;
    if (next == jobs.size()) processes.divide(taken());

    std::vector<pollfd> waiting;
    for (const auto& w : running) {
      waiting.push_back({w->messages(), POLLIN, 0});
      waiting.push_back({w->output(), POLLIN, 0});
    }
    ::poll(waiting.data(), waiting.size(), static_cast<int>(turn.count()));

    for (std::size_t i = 0; i < running.size();) {
      if (!running[i]->read(events)) {
        ++i;
        continue;
      }
      const std::size_t index = running[i]->index();
      done[index] = running[i]->finish();
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      if (events.finished) events.finished(index, done[index]);
    }

    // A turn that took longer was not waited for: this process was stopped, and so were the
    // workers.
    const auto now = clock::now();
    const auto passed =
        std::min(std::chrono::duration_cast<milliseconds>(now - last_turn), turn * 5);
    if (passed.count() > 0) last_turn = now;
    for (const auto& w : running) {
      w->check_limits(limits, passed);
      if (interrupted()) w->ask_to_stop(limits.grace);
      if (interrupts_seen() > 1) w->kill(why_ended::interrupted);
    }
    if (events.tick) events.tick();
  }
  for (; next < jobs.size(); ++next) {
    done[next].ran = false;
    done[next].result.model = jobs[next].how.model;
    done[next].result.limit = "interrupted before it began";
  }
  return done;
}

}  // namespace fencepost::cli
