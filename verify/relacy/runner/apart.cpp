// The parent forks one child for each job; the child writes its result to memory that both share.
#include "apart.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace fencepost::relacy {
namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds grace{5000};
constexpr std::chrono::milliseconds turn{2};

// Keeps the end of a text that is too long: that is where a history goes wrong.
struct text_of_both {
  char bytes[96 * 1024];
  std::size_t size = 0;

  void set(const std::string& text) {
    size = std::min(text.size(), sizeof bytes);
    std::memcpy(bytes, text.data() + text.size() - size, size);
  }
  std::string get() const { return {bytes, size}; }
};

struct shared {
  std::atomic<std::uint64_t> progress{0};
  std::atomic<bool> there{false};
  relacy::verdict verdict{};
  bool cut_short = false;
  std::uint64_t iterations = 0;
  double seconds = 0;
  violation kind{};
  text_of_both message, history;
};

class child {
 public:
  child(std::size_t index, const job& j) : index_(index), job_(j), began_(clock::now()) {
    void* memory =
        ::mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::runtime_error(std::string("cannot share memory: ") + std::strerror(errno));
    both_ = new (memory) shared;
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0)
      throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (process_ == 0) work(parent);
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  ~child() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::munmap(both_, sizeof(shared));
  }

  std::size_t index() const noexcept { return index_; }

  bool ended() {
    if (clock::now() - began_ > job_.how.timeout + grace && !hung_) {
      hung_ = true;
      ::kill(process_, SIGKILL);
    }
    const pid_t got = ::waitpid(process_, &status_, hung_ ? 0 : WNOHANG);
    if (got != process_) return false;
    process_ = -1;
    return true;
  }

  result finish() const {
    result r;
    if (both_->there.load()) {
      r.verdict = both_->verdict;
      r.cut_short = both_->cut_short;
      r.iterations = both_->iterations;
      r.seconds = both_->seconds;
      r.kind = both_->kind;
      r.message = both_->message.get();
      r.history = both_->history.get();
      return r;
    }
    r.verdict = verdict::broken;
    r.iterations = both_->progress.load();
    r.seconds = std::chrono::duration<double>(clock::now() - began_).count();
    if (hung_) {
      r.message = "did not end";
    } else if (WIFSIGNALED(status_)) {
      r.message = std::string("ended by signal ") + std::to_string(WTERMSIG(status_)) + " (" +
                  ::strsignal(WTERMSIG(status_)) + ")";
    } else {
      r.message = "ended with status " + std::to_string(WEXITSTATUS(status_));
    }
    return r;
  }

 private:
  [[noreturn]] void work(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    options how = job_.how;
    how.progress = &both_->progress;
    try {
      const result r = job_.what->run(how);
      both_->verdict = r.verdict;
      both_->cut_short = r.cut_short;
      both_->iterations = r.iterations;
      both_->seconds = r.seconds;
      both_->kind = r.kind;
      both_->message.set(r.message);
      both_->history.set(r.history);
      both_->there.store(true);
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);  // without the functions that the parent registered to run at exit
  }

  std::size_t index_;
  const job& job_;
  clock::time_point began_;
  shared* both_ = nullptr;
  pid_t process_ = -1;
  int status_ = 0;
  bool hung_ = false;
};

}  // namespace

std::vector<result> run_apart(const std::vector<job>& jobs, unsigned processes,
                              const std::function<void(std::size_t, const result&)>& finished) {
  std::vector<result> results(jobs.size());
  std::vector<std::unique_ptr<child>> running;
  std::size_t next = 0;
  while (next < jobs.size() || !running.empty()) {
    while (next < jobs.size() && running.size() < std::max(processes, 1U)) {
      running.push_back(std::make_unique<child>(next, jobs[next]));
      ++next;
    }
    std::this_thread::sleep_for(turn);
    std::erase_if(running, [&](const std::unique_ptr<child>& c) {
      if (!c->ended()) return false;
      results[c->index()] = c->finish();
      if (finished) finished(c->index(), results[c->index()]);
      return true;
    });
  }
  return results;
}

}  // namespace fencepost::relacy
