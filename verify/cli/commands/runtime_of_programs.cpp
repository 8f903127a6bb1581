#include "commands/runtime_of_programs.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/usage.hpp"

namespace fencepost::cli {

namespace fs = std::filesystem;

void require_runtime(bool is_there) {
  const bool can_be = !std::string_view(FENCEPOST_PROGRAM_FLAGS).empty();
  if (can_be && is_there) return;
  throw usage_error(
      "programs cannot be checked here: this Fencepost is without " + std::string(runtime_name) +
      (can_be ? "; in a build folder, the target fencepost_program_runtime makes it" : ""));
}

fs::path runtime_folder() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path() / "../lib/fencepost";
  require_runtime(fs::exists(folder / runtime_name));
  return fs::canonical(folder);
}

void execute(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& w : words) pointers.push_back(const_cast<char*>(w.c_str()));
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  throw usage_error("cannot run '" + words.front() + "': " + std::strerror(errno));
}

answer ask(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe(ends) != 0)
    throw usage_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw usage_error(std::string("cannot fork: ") + std::strerror(errno));
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    try {
      execute(words);
    } catch (const usage_error& e) {
      std::fprintf(stderr, "fencepost: %s\n", e.what());
    }
    _exit(exit_usage);
  }
  close(ends[1]);
  answer a;
  char bytes[65536];
  for (ssize_t n = 0; (n = ::read(ends[0], bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) a.text.append(bytes, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) a.status = WEXITSTATUS(status);
  return a;
}

}  // namespace fencepost::cli
