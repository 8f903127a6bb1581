// Output files that the user requests with options.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

// Each file is opened or tried out before the run, so that a file that cannot be written wastes no
// time. A pipe or a device is written as the text arrives; any other file by save(), so that a run
// that fails or is killed leaves the old content in place.
class output_files {
 public:
  struct wish {
    const char* option;       // named in messages
    const std::string& path;  // "-" is standard output, "" nowhere
  };
  // Throws usage_error for a file that cannot be written, that two options name, or in which the
  // command keeps its results.
  output_files(const std::string& command, std::initializer_list<wish>,
               std::optional<wish> kept_results = {});
  output_files(const output_files&) = delete;
  output_files& operator=(const output_files&) = delete;
  ~output_files();

  // The stream for the report: standard error if a file goes to standard output, else standard
  // output.
  std::FILE* text() const;
  bool wanted(std::string_view option) const;
  // Writes the text and a newline; does nothing if the file is not wanted.
  void write(std::string_view option, const std::string& text);
  // Leaves the file as it is.
  void leave(std::string_view option);
  // Writes all files, at the end of the command; throws usage_error for one that cannot be written.
  void save();

 private:
  struct file;
  std::vector<file> files_;
};

}  // namespace fencepost::cli
