// One run of a program that fencepost c++ or cc has linked: the program checks itself and reports
// the result.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/usage.hpp"
#include "commands/command.hpp"

namespace fencepost::cli {

struct checked_run {
  int status = exit_incomplete;
  std::string text;    // its standard output
  std::string errors;  // its standard error, if others run beside it
  json report;         // its result (result_json.hpp), or null if there is none

  // The verdict in one word. A test that skips itself is not verified.
  std::string verdict() const;
  // What is wrong, which limit was reached, or the number of executions.
  std::string in_words() const;
};

using temporary_file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
temporary_file make_temporary_file();

// A run in progress. `settings` is the value of FENCEPOST_CHECK. Throws usage_error if no process
// can be started.
class checked_process {
 public:
  enum class standard_error { is_ours, is_kept };

  // `shared`: a file that the settings name, which the program inherits.
  checked_process(std::vector<std::string> program, const std::string& settings, standard_error,
                  std::FILE* shared = nullptr);
  ~checked_process();
  checked_process(const checked_process&) = delete;
  checked_process& operator=(const checked_process&) = delete;

  // True if the program has ended. Forwards an interrupt of this process to the program.
  bool has_ended();
  // Requires has_ended().
  checked_run result();

 private:
  temporary_file text_ = make_temporary_file(), report_ = make_temporary_file(), errors_;
  pid_t process_ = -1;  // -1: it has ended
  bool is_told_ = false;
  int status_ = exit_incomplete;
};

// Runs one program and waits for it.
checked_run run_checked(std::vector<std::string> program, const std::string& settings);

// Sleeps between two calls of has_ended().
void wait_a_little();

}  // namespace fencepost::cli
