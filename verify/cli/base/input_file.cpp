#include "base/input_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/printable.hpp"
#include "base/streams.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

constexpr std::size_t largest = std::size_t{64} << 20U;
constexpr int silence = 500;  // milliseconds until the wait for a writer is reported

class open_file {
 public:
  explicit open_file(const std::filesystem::path& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    struct stat about {};
    if (number_ < 0 || ::fstat(number_, &about) != 0) throw unreadable(std::strerror(errno));
    is_pipe_ = S_ISFIFO(about.st_mode);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() { ::close(number_); }

  int number() const noexcept { return number_; }

  // A pipe has nothing to read and no end until somebody opens it for writing.
  void wait(const std::filesystem::path& path) const {
    pollfd what{number_, POLLIN, 0};
    if (::poll(&what, 1, is_pipe_ ? silence : -1) != 0) return;
    print(stderr,
          printable_message(
              this_program().name + ": '" + path.string() +
              "' is a pipe that no process has opened for writing; waiting for a writer\n"));
    while (::poll(&what, 1, -1) < 0 && errno == EINTR) {
      if (interrupted()) throw unreadable("interrupted");
    }
  }

 private:
  int number_;
  bool is_pipe_ = false;
};

}  // namespace

std::string content_of(const std::filesystem::path& path) {
  const open_file file(path);
  file.wait(path);
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t count = ::read(file.number(), buffer, sizeof buffer);
    if (count == 0) return text;
    if (count > 0) {
      text.append(buffer, static_cast<std::size_t>(count));
      if (text.size() > largest) {
        throw unreadable("it is larger than " + std::to_string(largest >> 20U) + " MiB");
      }
    } else if (errno == EAGAIN) {
      file.wait(path);
    } else if (errno != EINTR) {
      throw unreadable(std::strerror(errno));
    }
  }
}

std::string read_input(const std::string& option, const std::string& path) {
  try {
    return content_of(path);
  } catch (const unreadable& e) {
    throw usage_error(option + ": cannot read '" + path + "': " + e.what());
  }
}

std::string in_words(const std::exception& e) {
  // result_json.hpp throws std::invalid_argument.
  if (dynamic_cast<const usage_error*>(&e) != nullptr ||
      dynamic_cast<const std::invalid_argument*>(&e) != nullptr)
    return e.what();
  const auto* syntax = dynamic_cast<const json::parse_error*>(&e);
  if (syntax == nullptr) return "a field is missing or has the wrong type";
  return "it is not JSON from byte " + std::to_string(syntax->byte) + " on";
}

json read_document(const std::string& option, const std::string& path, std::string_view command,
                   const std::string& what) {
  const auto refuse = [&](const std::string& why) {
    throw usage_error(option + ": '" + path + "' is not " + what + ": " + why);
  };
  const std::string text = read_input(option, path);
  try {
    json j = json::parse(text);
    const json& format = j.at("format");
    if (format.is_number() && format != format_version) {
      refuse("it has format " + format.dump() + ", but this program reads format " +
             std::to_string(format_version));
    }
    if (format != format_version || j.at("command") != command) {
      refuse("it was written by another command");
    }
    return j;
  } catch (const json::exception& e) {
    refuse(in_words(e));
  }
  return {};
}

}  // namespace fencepost::cli
