// Reads herd's C litmus format.
//
//   C name                      a header; then comments (* *), // or /* */, a description in quotes
//   { x=0; int y=1; 0:r0=2; }   initial values, by default 0
//   P0(atomic_int* x, int* y)   bodies: the atomic_ functions with and without _explicit,
//   { … }                       atomic_thread_fence, plain *y, int locals, if/else, while
//   int** p, { p=&x; }          a location that holds the address of another; int* locals;
//                               atomic_load(r0), *(y + (r0 ^ r0)), exists (0:r0=&x)
//   locations [0:r0; x;]        additional values to display
//   filter p                    executions to keep
//   exists p, ~exists p, forall p
//
// Expressions may contain accesses; they are evaluated from left to right. A local variable of a
// thread is one register however often its name is declared. The expected value of a
// compare-exchange is a pointer parameter, as in herd, or &local. memory_order_consume is acquire.
// The error for an unsupported feature names the feature.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

struct parse_options {
  unsigned loop_bound = 4;  // iterations of a while loop
};

class parse_error : public std::runtime_error {
 public:
  // what() is "file:line:column: message".
  parse_error(const std::string& file, std::size_t line, std::size_t column,
              const std::string& message);

  const std::string& file() const noexcept { return file_; }
  std::size_t line() const noexcept { return line_; }      // from 1; 0: the whole file
  std::size_t column() const noexcept { return column_; }  // from 1, in bytes
  const std::string& message() const noexcept { return message_; }

 private:
  std::string file_;
  std::size_t line_;
  std::size_t column_;
  std::string message_;
};

// Throws parse_error. `file` is used only in messages.
program parse(std::string_view text, const std::string& file = "<text>", const parse_options& = {});

// Throws parse_error, also if the file cannot be read.
program parse_file(const std::filesystem::path&, const parse_options& = {});

}  // namespace fencepost::litmus
