// A file that is written whole or not at all.
#pragma once

#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>

namespace fencepost::cli {

// Follows symbolic links, also to a file that does not exist yet, but not through an open
// descriptor of this process (/dev/fd/N).
std::filesystem::path followed(std::filesystem::path);
bool is_descriptor(const std::filesystem::path&);

// Blocks the signals that would end the program and leave a temporary file behind.
class no_signals {
 public:
  no_signals();
  no_signals(const no_signals&) = delete;
  no_signals& operator=(const no_signals&) = delete;
  ~no_signals();

 private:
  sigset_t before_{};
};

[[noreturn]] void cannot_write(const std::string& option, const std::string& path, int error);

// The new file is written beside the old one and renamed.
class replaced_file {
 public:
  // Follows a symbolic link to its target. Throws usage_error, whose message begins with `option`,
  // if the file cannot be written.
  replaced_file(std::string option, std::string path);
  replaced_file(const replaced_file&) = delete;
  replaced_file(replaced_file&&) noexcept;
  replaced_file& operator=(const replaced_file&) = delete;
  ~replaced_file();

  // Both throw usage_error on failure, which leaves the old file as it was.
  void write(std::string_view text);
  void put_in_place();

 private:
  int make();

  std::string option_;
  std::string path_;
  std::string beside_;  // the path of the new file; "": there is none
};

}  // namespace fencepost::cli
