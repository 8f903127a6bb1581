#include "divide/estimator.hpp"

#include <fcntl.h>
#include <sys/mman.h>
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
#include <ctime>
#include <new>
#include <thread>
#include <vector>

#include "explore/estimate.hpp"

namespace fencepost::verify {

namespace {

constexpr std::size_t most_probes = 2'000;
constexpr auto turn = std::chrono::milliseconds(5);

std::chrono::duration<double> processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// What the body prints has been printed by the processes that explore.
void print_nothing() {
  const int nothing = ::open("/dev/null", O_WRONLY);
  if (nothing < 0) return;
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
}

}  // namespace

// The values of probes of one tree: void if the tree turns out to be another one.
struct estimator::shared {
  std::atomic<double> allowed{0};  // seconds
  std::atomic<std::size_t> probes{0};
  std::atomic<double> values[most_probes];
};

estimator::estimator(const probe& make) {
  void* const at =
      ::mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return;
  shared_ = new (at) shared;
  [[maybe_unused]] const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ != 0) return;
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before prctl()
#endif
  print_nothing();
  const std::function<void()> pause = [this] {
    while (processor_time().count() > shared_->allowed.load(std::memory_order_relaxed))
      std::this_thread::sleep_for(turn);
  };
  std::size_t n = 0;
  try {
    for (std::uint64_t seed = 1; n < most_probes; ++seed) {
      const std::optional<double> x = make(seed, pause);
      if (x) shared_->values[n].store(*x, std::memory_order_relaxed);
      n = x ? n + 1 : 0;
      // release, with probes(): the process that reads the number also sees the values.
      shared_->probes.store(n, std::memory_order_release);
    }
  } catch (const std::exception&) {  // these are all the probes there will be
  }
  ::_exit(0);  // what was registered to run at exit belongs to the parent
}

estimator::~estimator() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (shared_ != nullptr) ::munmap(shared_, sizeof(shared));
}

void estimator::allow(std::chrono::duration<double> time) noexcept {
  if (shared_ != nullptr) shared_->allowed.store(time.count(), std::memory_order_relaxed);
}

std::size_t estimator::probes() const noexcept {
  return shared_ == nullptr ? 0 : shared_->probes.load(std::memory_order_acquire);
}

void estimator::wait(std::size_t wanted, std::chrono::duration<double> patience) const {
  using steady = std::chrono::steady_clock;
  const auto began = steady::now();
  const auto is_gone = [this] {
    siginfo_t end{};
    return ::waitid(P_PID, static_cast<id_t>(process_), &end, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           end.si_pid != 0;
  };
  while (process_ > 0 && probes() < std::min(wanted, most_probes) && !is_gone() &&
         steady::now() - began < patience)
    std::this_thread::sleep_for(turn);
}

std::optional<estimated> estimator::now() const {
  std::vector<double> values(probes());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = shared_->values[i].load(std::memory_order_relaxed);
  return estimate_from(values);
}

}  // namespace fencepost::verify
