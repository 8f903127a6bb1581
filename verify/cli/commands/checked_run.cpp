#include "commands/checked_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "base/end_with_parent.hpp"
#include "base/interrupts.hpp"
#include "base/usage.hpp"
#include "fencepost/verify/annotation.hpp"
#include "result_json/result_json.hpp"

namespace fencepost::cli {
namespace {

std::string content(std::FILE* f) {
  std::string all;
  std::rewind(f);
  char bytes[4096];
  for (std::size_t n = 0; (n = std::fread(bytes, 1, sizeof bytes, f)) > 0;) all.append(bytes, n);
  return all;
}

}  // namespace

temporary_file make_temporary_file() {
  temporary_file f(std::tmpfile(), &std::fclose);
  if (f == nullptr)
    throw usage_error(std::string("check: cannot create a temporary file: ") +
                      std::strerror(errno));
  return f;
}

checked_process::checked_process(std::vector<std::string> program, const std::string& settings,
                                 standard_error errors, std::FILE* shared)
    : errors_(errors == standard_error::is_kept ? make_temporary_file()
                                                : temporary_file(nullptr, &std::fclose)) {
  std::vector<char*> pointers;
  for (std::string& w : program) pointers.push_back(w.data());
  pointers.push_back(nullptr);
  const std::string all = settings + " report=" + std::to_string(fileno(report_.get()));
  setenv("FENCEPOST_CHECK", all.c_str(), 1);
  std::fflush(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) throw usage_error(std::string("check: cannot fork: ") + std::strerror(errno));
  if (process_ != 0) return;
  end_with(parent);
  dup2(fileno(text_.get()), STDOUT_FILENO);
  if (errors_ != nullptr) dup2(fileno(errors_.get()), STDERR_FILENO);
  fcntl(fileno(report_.get()), F_SETFD, 0);
  if (shared != nullptr) fcntl(fileno(shared), F_SETFD, 0);
  execv(pointers.front(), pointers.data());
  std::fprintf(stderr, "fencepost: check: cannot run '%s': %s\n", pointers.front(),
               std::strerror(errno));
  _exit(exit_usage);
}

checked_process::~checked_process() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

bool checked_process::has_ended() {
  if (process_ < 0) return true;
  int status = 0;
  if (waitpid(process_, &status, WNOHANG) == process_) {
    if (WIFEXITED(status)) status_ = WEXITSTATUS(status);
    process_ = -1;
    return true;
  }
  if (interrupted() && !is_told_) {
    kill(process_, SIGHUP);
    is_told_ = true;
  }
  return false;
}

checked_run checked_process::result() {
  checked_run done;
  done.status = status_;
  done.text = content(text_.get());
  if (errors_ != nullptr) done.errors = content(errors_.get());
  done.report = json::parse(content(report_.get()), nullptr, false);
  if (done.report.is_discarded()) done.report = json();
  return done;
}

void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

checked_run run_checked(std::vector<std::string> program, const std::string& settings) {
  checked_process one(std::move(program), settings, checked_process::standard_error::is_ours);
  while (!one.has_ended()) wait_a_little();
  return one.result();
}

std::string checked_run::verdict() const {
  if (status == exit_usage) return "not modelled";
  if (report.is_null()) return "incomplete";
  std::string word = report["verdict"];
  const json outcomes = report.value("outcomes", json::array());
  const auto skips = [](const json& o) {
    return o["outcome"].get<std::string>().starts_with("skipped");
  };
  if (word == "verified" && !outcomes.empty() &&
      std::all_of(outcomes.begin(), outcomes.end(), skips))
    word = "skipped";
  return word;
}

std::string checked_run::in_words() const {
  if (status == exit_usage) return "";
  if (report.is_null()) return interrupted() ? "interrupted" : "the program was ended by a signal";
  if (report.contains("violation")) {
    const verify::counterexample c = verify::counterexample_from_json(report["violation"]);
    const source_location at = verify::annotated_place(c);
    const std::string_view path = at.file;
    return std::string(to_string(c.kind)) + ": " + c.message +
           (at.line == 0 ? "" : fmt::format(" ({}:{})", path.substr(path.rfind('/') + 1), at.line));
  }
  if (report.contains("limit")) return report["limit"];
  const auto n = report["executions"].get<std::uint64_t>();
  return fmt::format("{} execution{}", n, n == 1 ? "" : "s");
}

}  // namespace fencepost::cli
