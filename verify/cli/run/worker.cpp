#include "run/worker.hpp"

#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/json.hpp"
#include "fencepost/verify/report.hpp"
#include "result_json/result_json.hpp"
#include "run/run_in_worker.hpp"

namespace fencepost::cli {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t most_output = 8192;

std::pair<descriptor, descriptor> make_pipe() {
  int ends[2];
  if (::pipe(ends) != 0) {
    throw std::runtime_error(std::string("cannot create a pipe: ") + std::strerror(errno));
  }
  return {descriptor(ends[0]), descriptor(ends[1])};
}

}  // namespace

worker::worker(std::size_t index, const job& job, const process_shares::share& share)
    : index_(index), job_(job), share_(share), began_(clock::now()) {
  auto [messages, to_parent] = make_pipe();
  auto [output, to_output] = make_pipe();
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (process_ == 0) run_in_worker(job, parent, share, to_parent.get(), to_output.get());
  messages_ = std::move(messages);
  output_ = std::move(output);
  ::fcntl(messages_.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
}

worker::~worker() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

bool worker::read(const worker_events& events) {
  read_output();
  char buffer[16384];
  for (;;) {
    const ssize_t count = ::read(messages_.get(), buffer, sizeof buffer);
    if (count == 0) return true;
    if (count < 0) return errno != EAGAIN && errno != EINTR;
    silence_ = {};
    unread_.append(buffer, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end; (end = unread_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      hear(unread_.substr(begin, end - begin), events);
    }
    unread_.erase(0, begin);
  }
}

void worker::ask_to_stop(milliseconds grace) {
  if (killed_at_) return;
  asked_ = true;
  killed_at_ = clock::now() + grace;
  ::kill(process_, SIGTERM);
}

void worker::check_limits(const worker_limits& limits, milliseconds passed) {
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

void worker::kill(why_ended why) {
  if (why_ == why_ended::by_itself) why_ = why;
  ::kill(process_, SIGKILL);
}

finished_job worker::finish() {
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

void worker::hear(const std::string& line, const worker_events& events) try {
  const json message = json::parse(line);
  if (message.contains("result")) {
    result_ = verify::result_from_json(message["result"]);
  } else if (message.contains("progress")) {
    const json& p = message["progress"];
    const auto fraction = [&](std::size_t i) {
      return p.at(i).is_number() ? p[i].get<double>() : 0;
    };
    last_ = {p.at(0).get<std::uint64_t>(), p.at(1).get<std::uint64_t>(), fraction(2), fraction(3)};
    if (message.contains("estimate")) last_.whole = verify::estimated_from(message["estimate"]);
    if (events.progressed) events.progressed(index_, last_);
  }
} catch (const std::exception&) {
  // Not our message: the scenario wrote to a file that it did not open. If no result comes, it has
  // crashed.
}

void worker::read_output() {
  char buffer[4096];
  ssize_t count = 0;
  while (output_.get() >= 0 && (count = ::read(output_.get(), buffer, sizeof buffer)) > 0) {
    text_.append(buffer, static_cast<std::size_t>(count));
    if (text_.size() > most_output) {
      dropped_ += text_.size() - most_output;
      text_.erase(0, text_.size() - most_output);
    }
  }
  if (count == 0) output_.close();  // otherwise poll() would return at once for ever
}

verify::result worker::without_result(int status) const {
  verify::result r;
  r.model = job_.how.model;
  if (why_ == why_ended::interrupted || why_ == why_ended::out_of_time) {
    r.limit = why_ == why_ended::interrupted ? "interrupted"
                                             : "the time limit; it did not stop by itself";
  } else if (why_ == why_ended::silent) {
    r = broken(job_.how, violation::no_progress,
               "no step for " + verify::duration(std::chrono::duration<double>(silence_).count()) +
                   ": a loop without an atomic access or spin_pause(), or a call that blocks");
  } else if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    std::string message =
        std::string("ended by signal ") + std::to_string(number) + " (" + ::strsignal(number) + ")";
    if (number == SIGKILL) message += ", perhaps by the system because memory ran out";
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

}  // namespace fencepost::cli
