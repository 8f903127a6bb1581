#include "base/replaced_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

mode_t mode_for_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

bool is_descriptor(const fs::path& path) {
  return path.parent_path() == "/dev/fd" || path.parent_path() == "/proc/self/fd";
}

fs::path followed(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && !is_descriptor(path) && fs::is_symlink(path, error); ++links) {
    const fs::path to = fs::read_symlink(path, error);
    if (error) break;
    path = to.is_absolute() ? to : path.parent_path() / to;
  }
  return path;
}

no_signals::no_signals() {
  sigset_t these;
  sigemptyset(&these);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&these, number);
  ::pthread_sigmask(SIG_BLOCK, &these, &before_);
}

no_signals::~no_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void cannot_write(const std::string& option, const std::string& path, int error) {
  throw usage_error(option + ": cannot write '" + path + "': " + std::strerror(error));
}

replaced_file::replaced_file(std::string option, std::string path)
    : option_(std::move(option)), path_(followed(path).string()) {
  struct stat old {};
  if (::stat(path_.c_str(), &old) == 0) {
    if (S_ISDIR(old.st_mode)) cannot_write(option_, path, EISDIR);
    if (::access(path_.c_str(), W_OK) != 0) cannot_write(option_, path, errno);
  } else if (errno != ENOENT) {
    cannot_write(option_, path, errno);
  }
  const no_signals block;
  ::close(make());
  ::unlink(std::exchange(beside_, {}).c_str());
}

replaced_file::replaced_file(replaced_file&& other) noexcept
    : option_(std::move(other.option_)),
      path_(std::move(other.path_)),
      beside_(std::exchange(other.beside_, {})) {}

replaced_file::~replaced_file() {
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

int replaced_file::make() {
  std::string name = (fs::path(path_).parent_path() / ".fencepost.XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) cannot_write(option_, path_, errno);
  beside_ = name;
  return descriptor;
}

void replaced_file::write(std::string_view text) {
  const int descriptor = make();
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  struct stat old {};
  const mode_t mode = ::stat(path_.c_str(), &old) == 0 ? old.st_mode & 07777 : mode_for_new_files();
  if (error == 0 && ::fchmod(descriptor, mode) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) cannot_write(option_, path_, error);
}

void replaced_file::put_in_place() {
  if (::rename(beside_.c_str(), path_.c_str()) != 0) cannot_write(option_, path_, errno);
  beside_.clear();
}

}  // namespace fencepost::cli
