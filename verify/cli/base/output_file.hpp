// The files that the user asks for with options.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

// Opened or tried out before the run, so that a file that cannot be written costs no time. A pipe
// or a device is written as the text comes; any other file by save(), so that a run that fails or
// is killed leaves what was there.
class output_files {
 public:
  struct wish {
    const char* option;       // named in messages
    const std::string& path;  // "-" is standard output, "" nowhere
  };
  // Throws usage_error for a file that cannot be written, that two options name, or that is the one
  // the command keeps its results in.
  output_files(const std::string& command, std::initializer_list<wish>,
               std::optional<wish> kept_results = {});
  output_files(const output_files&) = delete;
  output_files& operator=(const output_files&) = delete;
  ~output_files();

  // Where the text goes: beside a file on standard output, to standard error.
  std::FILE* text() const;
  bool wanted(std::string_view option) const;
  // The text and the end of a line; nothing where the file is not wanted.
  void write(std::string_view option, const std::string& text);
  // The file stays as it is.
  void leave(std::string_view option);
  // The end of the command: all files are written, or usage_error says which one cannot be.
  void save();

 private:
  struct file;
  std::vector<file> files_;
};

}  // namespace fencepost::cli
