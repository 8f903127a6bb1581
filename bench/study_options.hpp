// The command line of a study: [--rounds N] [PROGRAM...].
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::bench {

struct study_options {
  unsigned rounds = 1;
  std::vector<std::string_view> programs;  // empty: all

  bool wants(std::string_view program) const {
    return programs.empty() ||
           std::find(programs.begin(), programs.end(), program) != programs.end();
  }
};

// Ends the program with status 2 on wrong usage. `all`: the programs, which have names.
template <class Programs>
study_options study_options_of(const char* study, int argc, char** argv, const Programs& all) {
  study_options options;
  std::vector<std::string_view>& wanted = options.programs;
  wanted.assign(argv + 1, argv + argc);
  if (!wanted.empty() && wanted.front() == "--rounds") {
    const std::string_view number = wanted.size() > 1 ? wanted[1] : "";
    const char* const end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, options.rounds);
    if (read.ec != std::errc{} || read.ptr != end || options.rounds == 0) {
      std::fprintf(stderr, "%s: --rounds needs a number from 1 up\n", study);
      std::exit(2);
    }
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  }
  for (const std::string_view name : wanted) {
    if (std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.name == name; })) {
      continue;
    }
    std::fprintf(stderr, "%s: there is no program %s; there are", study, std::string{name}.c_str());
    for (const auto& each : all) std::fprintf(stderr, " %s", std::string{each.name}.c_str());
    std::fputc('\n', stderr);
    std::exit(2);
  }
  return options;
}

}  // namespace fencepost::bench
