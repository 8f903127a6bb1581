// The manual page and the completions of shells, made from the descriptions of commands and
// options.
#pragma once

#include <string>
#include <vector>

#include "commands/command.hpp"

namespace fencepost::cli {

// An option as the pages show it.
struct shown_option {
  std::vector<std::string> names;  // "-j", "--jobs"
  std::string value;               // "N", "rc20|rc11|c++20"; "" for a flag
  std::string text;

  bool takes_file() const;                 // or a folder
  std::vector<std::string> words() const;  // the possible values, if they are listed
};

struct shown_command {
  std::string name;
  std::string text;
  std::string arguments;  // "[PATTERN...]", "" for none
  std::string about_arguments;
  std::vector<shown_option> options;
  std::string footer;
  bool takes_scenarios = false;
  bool takes_files = false;
};

std::vector<shown_command> commands_of(const application&);
std::vector<shown_option> options_of(const application&);

std::string man_page(const application&, const std::string& version);
std::string bash_completion(const application&);
std::string zsh_completion(const application&);
std::string fish_completion(const application&);

}  // namespace fencepost::cli
