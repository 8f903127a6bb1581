// The three streams that a program is started with. Every write to standard output is checked: what
// could not be written is an error, except that a reader that has gone ends the program quietly.
#pragma once

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

namespace fencepost::cli {

// Nobody reads the pipe any more: the program ends by SIGPIPE, as others do, once it has cleaned
// up.
struct reader_gone {};

// As long as it lives, a write to a pipe without a reader, or to a file that may not grow, fails
// instead of ending the process. A stream that is closed is opened such that no other file takes
// its number: standard output fails.
class standard_streams {
 public:
  standard_streams();
  standard_streams(const standard_streams&) = delete;
  standard_streams& operator=(const standard_streams&) = delete;
  ~standard_streams();

  // Throws usage_error where what was written did not reach its file after all.
  static void finish();
};

// All of the text, at once. Throws usage_error, which begins with `what`; reader_gone for a pipe,
// unless whoever started the program ignores SIGPIPE.
void write_all(int descriptor, std::string_view text, const std::string& what);

// To standard output, or to standard error, where a failure is nobody's business.
void print(std::FILE*, std::string_view text);

}  // namespace fencepost::cli
