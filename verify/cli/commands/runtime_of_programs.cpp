#include "commands/runtime_of_programs.hpp"

#include <spawn.h>
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
      "programs cannot be checked: this installation of Fencepost lacks " +
      std::string(runtime_name) +
      (can_be ? "; in a build folder, build the target fencepost_program_runtime" : ""));
}

fs::path runtime_folder() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path() / "../lib/fencepost";
  require_runtime(fs::exists(folder / runtime_name));
  return fs::canonical(folder);
}

namespace {

// Returns the argument vector for exec.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& w : words) pointers.push_back(const_cast<char*>(w.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void cannot_run(const std::string& program, int error) {
  throw usage_error("cannot run '" + program + "': " + std::strerror(error));
}

}  // namespace

void execute(const std::vector<std::string>& words) {
  execvp(words.front().c_str(), pointers_to(words).data());
  cannot_run(words.front(), errno);
}

answer ask(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe(ends) != 0)
    throw usage_error(std::string("cannot create a pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words.front().c_str(), &actions, nullptr,
                                 pointers_to(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    close(ends[0]);
    close(ends[1]);
    cannot_run(words.front(), error);
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
