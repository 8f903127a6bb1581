#include "fencepost/stress/stress_run.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "team.hpp"
#include "thread_sanitizer.hpp"

namespace fencepost::stress {
namespace {

using namespace std::chrono_literals;

// ---- the process of the run ----

[[noreturn]] void work(const subject& what, const options& how, shared_state& shared,
                       pid_t watcher) {
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != watcher) ::_exit(1);  // the watcher died before prctl()
  // An interrupt from the terminal reaches the whole group; the watcher passes it on.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  count_reports_in(shared.races);

  const processors machine = processors::of_this_machine();
  const clock::time_point began = clock::now();
  std::vector<std::unique_ptr<team>> teams;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < shared.teams; ++t) {
    teams.push_back(std::make_unique<team>(what, how, machine, shared, t, began));
  }
  for (unsigned t = 0; t < shared.teams; ++t) {
    for (unsigned index = 0; index < shared.threads; ++index) {
      threads.emplace_back([&team = *teams[t], index] { team.work(index); });
    }
  }
  for (std::thread& thread : threads) thread.join();
  std::fflush(nullptr);
  ::_exit(0);  // without the functions that the watcher registered to run at exit
}

// ---- the process that watches it ----

struct unmap {
  std::size_t size;
  void operator()(shared_state* shared) const noexcept { ::munmap(shared, size); }
};
using mapped_state = std::unique_ptr<shared_state, unmap>;

mapped_state map_state(unsigned teams, unsigned threads) {
  const std::size_t size = shared_state::size(teams, threads);
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  mapped_state shared(static_cast<shared_state*>(at), unmap{size});
  shared->teams = teams;
  shared->threads = threads;
  return shared;
}

struct sums {
  std::uint64_t samples = 0;
  std::uint64_t life = 0;  // changes as long as any thread makes progress
};

sums sum(shared_state& shared) {
  sums s;
  for (unsigned i = 0; i < shared.count(); ++i) {
    const lane& l = shared.lanes()[i];
    s.samples += l.samples.load(std::memory_order_relaxed);
    s.life += l.at.load(std::memory_order_relaxed) + l.steps.load(std::memory_order_relaxed) +
              static_cast<std::uint64_t>(l.what.load(std::memory_order_relaxed));
  }
  s.life += s.samples;
  return s;
}

// Returns "thread 0 in thread(), thread 2 in thread()", for the first team with a stuck thread.
// Threads that are ahead of another one wait for it, and are not stuck.
std::string who_is_stuck(shared_state& shared) {
  std::string text;
  for (unsigned t = 0; t < shared.teams && text.empty(); ++t) {
    std::uint32_t least = ~std::uint32_t{0};
    for (unsigned index = 0; index < shared.threads; ++index) {
      if (shared.at(t, index).what.load(std::memory_order_relaxed) == doing::running) {
        least = std::min(least, shared.at(t, index).at.load(std::memory_order_relaxed));
      }
    }
    for (unsigned index = 0; index < shared.threads; ++index) {
      const char* where = nullptr;
      switch (shared.at(t, index).what.load(std::memory_order_relaxed)) {
        case doing::beginning: where = "before()"; break;
        case doing::running:
          if (shared.at(t, index).at.load(std::memory_order_relaxed) == least) where = "thread()";
          break;
        case doing::ending: where = "after()"; break;
        case doing::waiting:
        case doing::done: break;
      }
      if (where == nullptr) continue;
      if (!text.empty()) text += ", ";
      text += "thread " + std::to_string(index) + " in " + where;
    }
  }
  return text.empty() ? "the threads do not meet" : text;
}

std::string seconds_in_words(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + (seconds == 1 ? " second" : " seconds");
}

// Reads what the process left in the shared state. The process must have ended.
void read_state(shared_state& shared, clock::time_point began, result& r) {
  r.samples = sum(shared).samples;
  const auto add = [&](std::string_view text, std::uint64_t count) {
    const auto found = std::find_if(r.outcomes.begin(), r.outcomes.end(),
                                    [&](const seen_outcome& o) { return o.result == text; });
    if (found != r.outcomes.end()) {
      found->count += count;
    } else if (count != 0) {
      r.outcomes.push_back({std::string(text), count});
    }
  };
  for (unsigned i = 0; i < shared.count(); ++i) {
    lane& l = shared.lanes()[i];
    const std::size_t used = std::min<std::size_t>(l.outcomes_used.load(), l.outcomes.size());
    for (std::size_t n = 0; n < used; ++n) add(l.outcomes[n].text.get(), l.outcomes[n].count);
    add("(any other)", l.other_outcomes);
  }
  std::sort(r.outcomes.begin(), r.outcomes.end(),
            [](const auto& a, const auto& c) { return a.result < c.result; });
  const std::size_t used = std::min<std::size_t>(shared.broken_used.load(), shared.broken.size());
  for (std::size_t n = 0; n < used; ++n) {
    const broken_cell& cell = shared.broken[n];
    r.broken.push_back({cell.kind, std::string(cell.what.get()), std::string(cell.file.get()),
                        std::string(cell.function.get()), cell.line, cell.count, cell.after});
  }
  if (const std::uint64_t races = shared.races.count.load(); races != 0) {
    broken_claim c{.kind = violation::data_race, .count = races};
    c.what = "ThreadSanitizer reports it on the standard error";
    c.after = std::chrono::duration<double>(shared.races.first.load() - began).count();
    r.broken.push_back(std::move(c));
  }
}

class watched_process {
 public:
  explicit watched_process(pid_t process) : process_(process) {}
  watched_process(const watched_process&) = delete;
  watched_process& operator=(const watched_process&) = delete;
  ~watched_process() {
    if (process_ > 0) end();
  }
  // Returns the status of the process, as waitpid() reports it.
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = 0;
    return status;
  }
  int end() {
    ::kill(process_, SIGKILL);
    return wait();
  }

 private:
  pid_t process_;
};

std::optional<broken_claim> how_it_ended(int status) {
  broken_claim c{.kind = violation::crash, .count = 1};
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    c.what = "signal " + std::to_string(signal) + ", " + ::strsignal(signal);
    return c;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    c.what = "the process ended with status " + std::to_string(WEXITSTATUS(status));
    return c;
  }
  return std::nullopt;
}

}  // namespace

result run(const subject& what, const options& how,
           const std::function<void(std::uint64_t)>& on_progress) {
  const unsigned wanted = how.threads != 0 ? how.threads : processors::of_this_machine().count();
  const unsigned teams = std::max(1U, wanted / what.about.threads);
  const mapped_state shared = map_state(teams, what.about.threads);
  int ends[2];
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);
  const pid_t watcher = ::getpid();
  const clock::time_point began = clock::now();
  const pid_t process = start_process();
  if (process < 0) {
    const int why = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    throw std::system_error(why, std::generic_category(), "cannot start a process");
  }
  if (process == 0) {
    ::close(ends[0]);
    work(what, how, *shared, watcher);
  }
  watched_process child(process);
  ::close(ends[1]);

  // The process holds the other end of the pipe, and never writes: poll() returns once the process
  // has ended.
  std::optional<int> status;
  std::optional<broken_claim> stuck;
  std::uint64_t life = 0;
  auto silence = 0ns;
  auto stopping = 0ns;
  clock::time_point looked = began;
  while (!status) {
    pollfd ended{ends[0], POLLIN, 0};
    const bool over = ::poll(&ended, 1, 100) > 0;
    const clock::time_point now = clock::now();
    // Time in which both processes were stopped does not count as silence.
    const auto passed = std::min<clock::duration>(now - looked, 200ms);
    looked = now;
    const sums s = sum(*shared);
    if (over) {
      status = child.wait();
      break;
    }
    if (on_progress) on_progress(s.samples);
    silence = s.life == life ? silence + passed : 0ns;
    life = s.life;
    if (how.stop != nullptr && how.stop->load()) shared->stop.store(true);
    if (shared->stop.load()) stopping += passed;
    if (std::chrono::duration<double>(silence).count() > how.stuck_after) {
      const double since = std::chrono::duration<double>(now - began - silence).count();
      stuck = {.kind = violation::liveness,
               .what = "no thread has returned for " + seconds_in_words(how.stuck_after) + ": " +
                       who_is_stuck(*shared),
               .count = 1,
               .after = since};
      child.end();
      break;
    }
    if (stopping > 3s) {
      child.end();
      break;
    }
  }
  ::close(ends[0]);

  result r;
  r.seed = how.seed;
  r.seconds = std::chrono::duration<double>(clock::now() - began).count();
  read_state(*shared, began, r);
  if (stuck) r.broken.push_back(*stuck);
  if (status) {
    // An exception ends the process, and a race changes its exit status.
    const bool explained = std::any_of(r.broken.begin(), r.broken.end(), [](const broken_claim& c) {
      return c.kind == violation::exception || c.kind == violation::data_race;
    });
    auto end = how_it_ended(*status);
    if (end && !explained) {
      end->after = r.seconds;
      r.broken.push_back(std::move(*end));
    }
  }
  return r;
}

}  // namespace fencepost::stress
