// A file that the user asks for with an option.
#pragma once

#include <cstdio>
#include <string>

namespace fencepost::cli {

// Opened before the run, so that a file that cannot be written costs no time. Throws usage_error.
class output_file {
 public:
  output_file() = default;
  // `option` is named in messages; "-" is standard output, "" nowhere.
  output_file(std::string option, const std::string& path);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();

  bool wanted() const noexcept { return file_ != nullptr; }
  bool is_standard_output() const noexcept { return file_ == stdout; }
  void write_line(const std::string&);

 private:
  std::FILE* file_ = nullptr;
  std::string option_;
  std::string path_;
};

}  // namespace fencepost::cli
