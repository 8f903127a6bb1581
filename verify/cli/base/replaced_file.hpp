// A file that is written whole or not at all.
#pragma once

#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>

namespace fencepost::cli {

// Where the links lead to, also to a file that there is not yet; as far as an open file of this
// process, which is named by its number.
std::filesystem::path followed(std::filesystem::path);
bool is_descriptor(const std::filesystem::path&);

// No signal ends the program as long as there is a file that would be left behind.
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
  // Where a symbolic link leads to is meant. Throws usage_error, which begins with `option`, for
  // what cannot be written.
  replaced_file(std::string option, std::string path);
  replaced_file(const replaced_file&) = delete;
  replaced_file(replaced_file&&) noexcept;
  replaced_file& operator=(const replaced_file&) = delete;
  ~replaced_file();

  // Both throw usage_error; the old file is then as it was.
  void write(std::string_view text);
  void put_in_place();

 private:
  int make();

  std::string option_;
  std::string path_;
  std::string beside_;  // "": there is none
};

}  // namespace fencepost::cli
