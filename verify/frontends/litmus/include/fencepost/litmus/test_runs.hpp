// Runs litmus files and folders, and reports on each test: what `fencepost litmus` does, without
// its command line.
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
  unsigned jobs = 1;  // tests at a time; if more than one, several threads call the solver
  // Returns the text of a file, or throws an exception that says why it cannot. If empty,
  // parse_file() reads the file.
  std::function<std::string(const std::filesystem::path&)> read;
};

struct test_result {
  std::string file;
  std::string error;     // if not empty, why the file could not be run: "file:line:column: …"
  std::string warnings;  // what the outcomes leave out, one line each
  program test;
  outcome_set outcomes;
  double seconds = 0;
};

// 0: all ran; as in herd, whether a condition holds is information, and not a failure
// 2: a file could not be read
// 3: a limit was hit before a test was complete
// A loop that is cut at its bound is no limit, but a bound like the number of threads; a warning
// reports it.
int exit_status(const std::vector<test_result>&) noexcept;

// Searches folders for *.litmus, in the order of their names, and returns other paths as they are.
// Throws parse_error for a path that does not exist or a folder without tests.
std::vector<std::filesystem::path> find_tests(const std::vector<std::filesystem::path>&);

// Never throws because of an error in a file: the next files still run. `on_result` is called in
// the order of the files, from one thread at a time; if it throws, no further test begins, and the
// exception reaches the caller.
std::vector<test_result> run_tests(const std::vector<std::filesystem::path>& files, const solver&,
                                   const run_options& = {},
                                   const std::function<void(const test_result&)>& on_result = {});

// Returns the result as herd7 prints it, with an empty line at the end. If a limit leaves the
// answer open, the verdict is Unknown instead of Ok or No.
std::string to_herd(const test_result&);

// Returns one line: {"name": …, "states": […], "executions": …, "positive": …, "negative": …,
// "undef": …} and further fields.
std::string to_json(const test_result&);

}  // namespace fencepost::litmus
