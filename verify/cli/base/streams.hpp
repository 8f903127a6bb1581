// The three standard streams of the program. Every write to standard output is checked: a failure
// is an error, except that the program ends quietly if its reader has closed the pipe.
#pragma once

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

namespace fencepost::cli {

// Thrown if a pipe has no reader any more: the program cleans up, then ends by SIGPIPE as other
// programs do.
struct reader_gone {};

// During its lifetime, a write to a pipe without a reader, or beyond the limit on file sizes, fails
// instead of ending the process. A standard stream that is closed is opened, so that no other file
// takes its number; writes to standard output then still fail.
class standard_streams {
 public:
  standard_streams();
  standard_streams(const standard_streams&) = delete;
  standard_streams& operator=(const standard_streams&) = delete;
  ~standard_streams();

  // Throws usage_error if some output did not reach its file after all.
  static void finish();
};

// Writes all of the text. Throws usage_error, whose message begins with `what`; reader_gone for a
// pipe without a reader, unless the program was started with SIGPIPE ignored.
void write_all(int descriptor, std::string_view text, const std::string& what);

// Prints to standard output, or to standard error, where failures are ignored.
void print(std::FILE*, std::string_view text);

}  // namespace fencepost::cli
