// One run of a program that fencepost c++ or cc has linked: it checks itself, and says what came of
// it.
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
  std::string text;    // what it says on standard output
  std::string errors;  // and on standard error, where others run beside it
  json report;         // its result (result_json.hpp); null: it has come to none

  // One word. Of a test that skips itself nothing is verified.
  std::string verdict() const;
  // What is wrong, which limit was hit, or the number of executions.
  std::string in_words() const;
};

using temporary_file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
temporary_file make_temporary_file();

// One that is under way. `settings` is what FENCEPOST_CHECK says. Throws usage_error where no
// process can be started.
class checked_process {
 public:
  enum class standard_error { is_ours, is_kept };

  // `shared`: a file that the settings name, which the program may use.
  checked_process(std::vector<std::string> program, const std::string& settings, standard_error,
                  std::FILE* shared = nullptr);
  ~checked_process();
  checked_process(const checked_process&) = delete;
  checked_process& operator=(const checked_process&) = delete;

  // Has it come to its end? An interrupt of this process is one of the program, too.
  bool has_ended();
  // What came of it then.
  checked_run result();

 private:
  temporary_file text_ = make_temporary_file(), report_ = make_temporary_file(), errors_;
  pid_t process_ = -1;  // none: it has ended
  bool is_told_ = false;
  int status_ = exit_incomplete;
};

// One by itself.
checked_run run_checked(std::vector<std::string> program, const std::string& settings);

// How often it is looked whether one has ended.
void wait_a_little();

}  // namespace fencepost::cli
