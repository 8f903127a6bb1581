#include "run/run_in_worker.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/end_with_parent.hpp"
#include "base/json.hpp"
#include "base/usage.hpp"
#include "result_json/result_json.hpp"

namespace fencepost::cli {
namespace {

// Written by a signal handler; lock-free, so that this is allowed.
std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void stop_worker(int) { asked_to_stop.store(true); }

void send(int to, const json& message) {
  const std::string text = dump(message, -1) + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(to, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) ::_exit(1);  // the parent is gone
    if (written > 0) done += static_cast<std::size_t>(written);
  }
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

}  // namespace

verify::result broken(const verify::options& how, violation kind, std::string message) {
  verify::result r;
  r.outcome = verify::verdict::violated;
  r.model = how.model;
  r.violation.emplace();
  r.violation->kind = kind;
  r.violation->message = std::move(message);
  return r;
}

void run_in_worker(const job& job, pid_t parent, const std::atomic<unsigned>& share, int to_parent,
                   int output) {
  end_with(parent);
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
  ::_exit(0);  // exit handlers that the parent registered are the parent's
}

}  // namespace fencepost::cli
