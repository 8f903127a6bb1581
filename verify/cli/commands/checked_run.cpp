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
#include <memory>
#include <string_view>
#include <thread>

#include "base/interrupts.hpp"
#include "base/usage.hpp"
#include "fencepost/verify/annotation.hpp"
#include "result_json/result_json.hpp"

namespace fencepost::cli {
namespace {

using temporary = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

temporary temporary_file() {
  temporary f(std::tmpfile(), &std::fclose);
  if (f == nullptr)
    throw usage_error(std::string("check: no temporary file: ") + std::strerror(errno));
  return f;
}

std::string content(std::FILE* f) {
  std::string all;
  std::rewind(f);
  char bytes[4096];
  for (std::size_t n = 0; (n = std::fread(bytes, 1, sizeof bytes, f)) > 0;) all.append(bytes, n);
  return all;
}

// An interrupt of this process is one of the program, too.
int wait_for_program(pid_t child) {
  bool told = false;
  for (int status = 0;;) {
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : int{exit_incomplete};
    if (interrupted() && !told) {
      kill(child, SIGHUP);
      told = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

checked_run run_checked(std::vector<std::string> program, const std::string& settings) {
  const temporary text = temporary_file(), report = temporary_file();
  std::vector<char*> pointers;
  for (std::string& w : program) pointers.push_back(w.data());
  pointers.push_back(nullptr);
  const std::string all = settings + " report=" + std::to_string(fileno(report.get()));
  setenv("FENCEPOST_CHECK", all.c_str(), 1);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw usage_error(std::string("check: cannot fork: ") + std::strerror(errno));
  if (child == 0) {
    dup2(fileno(text.get()), STDOUT_FILENO);
    fcntl(fileno(report.get()), F_SETFD, 0);
    execv(pointers.front(), pointers.data());
    std::fprintf(stderr, "fencepost: check: cannot run '%s': %s\n", pointers.front(),
                 std::strerror(errno));
    _exit(exit_usage);
  }
  checked_run done;
  done.status = wait_for_program(child);
  done.text = content(text.get());
  done.report = json::parse(content(report.get()), nullptr, false);
  if (done.report.is_discarded()) done.report = json();
  return done;
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
