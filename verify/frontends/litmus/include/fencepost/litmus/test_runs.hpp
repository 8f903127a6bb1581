// Litmus files and folders, one after the other, and what there is to say about each: what
// `fencepost litmus` does, short of its command line.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fencepost/litmus/outcome.hpp"
#include "fencepost/litmus/parse.hpp"
#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

// explore() or enumerate() with the caller's model and limits.
using solver = std::function<outcome_set(const program&)>;

struct run_options {
  parse_options parse;
  unsigned jobs = 1;  // tests at a time; the solver is then called from several threads
  // The text of a file, or an exception that says why there is none. None: parse_file() reads.
  std::function<std::string(const std::filesystem::path&)> read;
};

struct test_result {
  std::string file;
  std::string error;     // not empty: the file could not be run, and why: "file:line:column: …"
  std::string warnings;  // what the outcomes leave out, a line each
  program test;
  outcome_set outcomes;
  double seconds = 0;
};

// 0: all ran; what a condition says is information, as in herd, and no failure
// 2: a file could not be read
// 3: a limit was hit before a test was complete
// A loop that is cut at its bound is a bound like the number of threads, and said in a warning.
int exit_status(const std::vector<test_result>&) noexcept;

// Folders are searched for *.litmus, in order of their names; other paths are taken as they are.
// Throws parse_error for a path that does not exist or a folder without tests.
std::vector<std::filesystem::path> find_tests(const std::vector<std::filesystem::path>&);

// Never throws for what is wrong with a file: the next ones still run. `on_result` is called in the
// order of the files, from one thread at a time; if it throws, no further test begins, and the
// exception reaches the caller.
std::vector<test_result> run_tests(const std::vector<std::filesystem::path>& files, const solver&,
                                   const run_options& = {},
                                   const std::function<void(const test_result&)>& on_result = {});

// As herd7 prints it, with an empty line at the end. Where a limit leaves the answer open, the
// verdict is Unknown instead of Ok or No.
std::string to_herd(const test_result&);

// One line: {"name": …, "states": […], "executions": …, "positive": …, "negative": …, "undef": …}
// and what else is known.
std::string to_json(const test_result&);

}  // namespace fencepost::litmus
