#include "suite.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

namespace fencepost::bench::peers {

namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::system_error{errno, std::generic_category(), path};
}

// Makes `levels` levels of directories, sixteen in each, with ten files in each directory.
totals make(const std::filesystem::path& at, int levels) {
  totals made{.directories = 1};
  for (int i = 0; i < 10; ++i) {
    const std::string text(static_cast<std::size_t>(1 + 37 * i), '.');
    std::ofstream{at / ("file" + std::to_string(i))} << text;
    made += {.directories = 0, .files = 1, .bytes = text.size()};
  }
  for (int i = 0; levels > 0 && i < 16; ++i) {
    const std::filesystem::path below = at / ("below" + std::to_string(i));
    std::filesystem::create_directory(below);
    made += make(below, levels - 1);
  }
  return made;
}

struct temporary_tree : tree {
  temporary_tree() {
    path = std::filesystem::temp_directory_path() / "fencepost-scan-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) fail(path);
    has = make(path, 2);
  }
  temporary_tree(const temporary_tree&) = delete;
  temporary_tree& operator=(const temporary_tree&) = delete;
  ~temporary_tree() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

struct close_directory {
  void operator()(DIR* open) const noexcept { ::closedir(open); }
};

}  // namespace

const tree& test_tree() {
  static const temporary_tree made;
  return made;
}

listing list(const std::string& path) {
  const std::unique_ptr<DIR, close_directory> open{::opendir(path.c_str())};
  if (!open) fail(path);
  listing found{{.directories = 1}, {}};
  while (const dirent* const entry = ::readdir(open.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat about;
    if (::fstatat(::dirfd(open.get()), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
      fail(path + '/' + name);
    }
    if (S_ISDIR(about.st_mode)) {
      found.below.push_back(path + '/' + name);
    } else {
      found.own +=
          {.directories = 0, .files = 1, .bytes = static_cast<std::uint64_t>(about.st_size)};
    }
  }
  return found;
}

}  // namespace fencepost::bench::peers
