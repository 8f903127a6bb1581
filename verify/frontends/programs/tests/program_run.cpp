#include "program_run.hpp"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace fencepost::programs::testing {

std::string without_breaks(const std::string& text) {
  std::string joined;
  bool begins = false;  // true at the beginning of a line
  for (const char c : text) {
    if (begins && c == ' ') continue;
    begins = c == '\n';
    joined += begins ? ' ' : c;
  }
  return joined;
}

program_run run_command(const std::string& command) {
  program_run r;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return r;
  char bytes[4096];
  for (std::size_t n = 0; (n = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;)
    r.out.append(bytes, n);
  const int ended = pclose(pipe);
  if (WIFEXITED(ended)) r.status = WEXITSTATUS(ended);
  return r;
}

namespace {

// Inserts the emulator, if there is one, after the environment variables before the program.
std::string emulated(const std::string& program) {
#ifdef FENCEPOST_EMULATOR
  std::size_t at = 0;
  for (std::size_t end = 0; (end = program.find(' ', at)) != std::string::npos; at = end + 1)
    if (program.find('=', at) > end) break;
  return program.substr(0, at) + FENCEPOST_EMULATOR " " + program.substr(at);
#else
  return program;
#endif
}

}  // namespace

// An outcome is a line such as "2: 0 1": how often it was recorded, and its values.
program_run check(const std::string& program, const std::string& arguments,
                  const std::string& settings) {
  program_run r =
      run_command("FENCEPOST_CHECK='" + settings + "' " + emulated(program) + " " + arguments);
  std::istringstream lines(r.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find_first_not_of("0123456789");
    if (colon == 0 || colon == std::string::npos || line.compare(colon, 2, ": ") != 0) continue;
    r.outcomes[line.substr(colon + 2)] = std::strtoull(line.c_str(), nullptr, 10);
  }
  return r;
}

}  // namespace fencepost::programs::testing
