#include "divide/worker_process.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>
#include <stdexcept>

#include "divide/division_state.hpp"
#include "divide/message.hpp"

namespace fencepost::verify {

namespace {

enum class content : std::uint8_t { given, done };

void send(int to, const std::string& bytes) {
  std::string framed(sizeof(std::uint64_t), '\0');
  const std::uint64_t size = bytes.size();
  std::memcpy(framed.data(), &size, sizeof size);
  framed += bytes;
  for (std::size_t sent = 0; sent < framed.size();) {
    const ssize_t n = ::send(to, framed.data() + sent, framed.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw std::runtime_error(std::strerror(errno));
    sent += static_cast<std::size_t>(n);
  }
}

// Returns the next message, or nothing if it has not arrived completely.
std::optional<std::string> next_message(std::string& unread) {
  std::uint64_t size = 0;
  if (unread.size() < sizeof size) return {};
  std::memcpy(&size, unread.data(), sizeof size);
  if (unread.size() - sizeof size < size) return {};
  std::string bytes = unread.substr(sizeof size, size);
  unread.erase(0, sizeof size + size);
  return bytes;
}

// ---- in the worker process ----

class told_control final : public part_control {
 public:
  told_control(int to, division_state& all, unsigned number)
      : to_(to), all_(all), mine_(all.of[number]) {}

  bool is_over(const result& so_far) override {
    mine_.executions.store(so_far.executions, std::memory_order_relaxed);
    mine_.blocked.store(so_far.blocked, std::memory_order_relaxed);
    return all_.stop.load(std::memory_order_relaxed);
  }
  // True only now and then: reaching a part takes the runs on the way to it. By processor time: on
  // a busy machine this process may have done nothing since it last gave a part away.
  bool wants_a_part() override {
    if (!on_the_way_) {
      on_the_way_ = processor_time() - last_;
      last_ += *on_the_way_;
    }
    if (all_.wanted.load(std::memory_order_relaxed) <= 0) return false;
    constexpr int times = 10;
    return processor_time() - last_ > std::max(least, times * *on_the_way_);
  }
  void give(const part& p) override {
    last_ = processor_time();
    all_.wanted.fetch_sub(1, std::memory_order_relaxed);
    message_writer m;
    m(content::given);
    transfer(m, p);
    send(to_, m.bytes());
  }

 private:
  using duration = std::chrono::nanoseconds;
  static constexpr duration least = std::chrono::milliseconds(1);
  static duration processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + duration(now.tv_nsec);
  }
  int to_;
  division_state& all_;
  division_state::counts& mine_;
  duration last_ = processor_time();    // … when it reached its part, or gave one away
  std::optional<duration> on_the_way_;  // what reaching its part took
};

std::string wait_for_message(int from, std::string& unread) {
  for (;;) {
    if (std::optional<std::string> bytes = next_message(unread)) return *bytes;
    char buffer[4096];
    const ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(0);  // the parent is gone
    unread.append(buffer, static_cast<std::size_t>(n));
  }
}

[[noreturn]] void work(int socket, unsigned number, const explore_part& explore,
                       division_state& all) {
  std::string unread;
  try {
    for (;;) {
      const std::string bytes = wait_for_message(socket, unread);
      message_reader read(bytes);
      part p;
      transfer(read, p);
      told_control control(socket, all, number);
      const part_result done = explore(p, control);
      std::fflush(nullptr);
      message_writer m;
      m(content::done);
      transfer(m, done);
      send(socket, m.bytes());
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fencepost: a process that explored a part has ended: %s\n", e.what());
  }
  std::fflush(nullptr);
  ::_exit(1);  // what was registered to run at exit belongs to the parent
}

}  // namespace

// ---- in the process that started it ----

worker_process::worker_process(unsigned number, const explore_part& explore, division_state& all)
    : number_(number) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    throw std::runtime_error(std::string("cannot create a socket for a process: ") +
                             std::strerror(errno));
  std::fflush(nullptr);
  [[maybe_unused]] const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    const int why = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    throw std::runtime_error(std::string("no other process can be started: ") + std::strerror(why));
  }
  if (process_ == 0) {
    ::close(ends[0]);
#if defined(__linux__)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // the parent died before prctl()
#endif
    work(ends[1], number, explore, all);
  }
  ::close(ends[1]);
  socket_ = ends[0];
}

worker_process::~worker_process() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    reap();
  }
  ::close(socket_);
}

void worker_process::explore(const part& p) {
  now_ = p;
  message_writer m;
  transfer(m, p);
  try {
    send(socket_, m.bytes());
  } catch (const std::runtime_error&) {  // the process is gone: hear() finds out
  }
}

std::optional<worker_process::heard> worker_process::hear() {
  read();
  const std::optional<std::string> bytes = next_message(unread_);
  if (!bytes) return {};
  message_reader m(*bytes);
  content what{};
  m(what);
  heard h;
  if (what == content::given) {
    transfer(m, h.given.emplace());
  } else {
    transfer(m, h.done.emplace());
    now_.reset();
  }
  return h;
}

void worker_process::read() {
  char buffer[16384];
  while (end_.empty()) {
    const ssize_t n = ::recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n > 0)
      unread_.append(buffer, static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
      reap();
    else if (errno == EAGAIN)
      return;
  }
}

void worker_process::reap() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  end_ = WIFSIGNALED(status) ? std::string("signal ") + std::to_string(WTERMSIG(status)) + " (" +
                                   ::strsignal(WTERMSIG(status)) + ")"
                             : std::string("status ") + std::to_string(WEXITSTATUS(status));
}

}  // namespace fencepost::verify
