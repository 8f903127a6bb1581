#include "output_file.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "usage.hpp"

namespace fencepost::cli {

output_file::output_file(std::string option, const std::string& path)
    : option_(std::move(option)), path_(path) {
  if (path.empty()) return;
  file_ = path == "-" ? stdout : std::fopen(path.c_str(), "w");
  if (file_ == nullptr) {
    throw usage_error(option_ + ": cannot write '" + path + "': " + std::strerror(errno));
  }
}

output_file::~output_file() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void output_file::write_line(const std::string& line) {
  if (file_ == nullptr) return;
  const std::string text = line + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) {
    throw usage_error(option_ + ": cannot write '" + path_ + "': " + std::strerror(errno));
  }
}

}  // namespace fencepost::cli
