#include "base/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/replaced_file.hpp"
#include "base/streams.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

// Returns the same path for two names of one file.
fs::path place_of(const std::string& path) {
  std::error_code error;
  const fs::path target = followed(path);
  const fs::path folder =
      fs::weakly_canonical(target.has_parent_path() ? target.parent_path() : ".", error);
  return error ? target : folder / target.filename();
}

// Opening a pipe blocks until it has a reader, so the wait is reported.
int open_for_writing(const std::string& option, const std::string& path) {
  int descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENXIO) {
    print(stderr, this_program().name + ": " + option + ": '" + path +
                      "' is a pipe that no process reads; waiting for a reader\n");
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  }
  if (descriptor < 0) cannot_write(option, path, errno);
  return descriptor;
}

}  // namespace

struct output_files::file {
  const char* option;
  std::string path;
  fs::path place = {};  // compared with those of other files; "": may be shared
  int descriptor = -1;  // of a pipe or a device
  std::optional<replaced_file> replaced = {};  // of any other file
  std::string text = {};
};

output_files::output_files(const std::string& command, std::initializer_list<wish> wishes,
                           std::optional<wish> kept_results) {
  std::size_t to_output = 0;
  for (const wish& w : wishes) {
    if (w.path.empty()) continue;
    file f{w.option, w.path};
    const fs::path target = followed(w.path);
    if (w.path == "-" || (is_descriptor(target) && target.filename() == "1")) {
      if (++to_output > 1) throw usage_error(command + ": only one file can go to standard output");
      f.descriptor = STDOUT_FILENO;
    } else {
      std::error_code error;
      const fs::file_status status = fs::status(target, error);
      const bool special =
          fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
      if (!special && !is_descriptor(target)) f.place = place_of(w.path);
    }
    for (const file& other : files_) {
      if (f.place.empty() || f.place != other.place) continue;
      throw usage_error(command + ": " + other.option + " and " + f.option +
                        " would both write to '" + w.path + "'; name two different files");
    }
    if (!f.place.empty() && kept_results && !kept_results->path.empty() &&
        f.place == place_of(kept_results->path)) {
      throw usage_error(command + ": " + f.option + " and " + kept_results->option +
                        " would both write to '" + w.path + "'; name two different files");
    }
    files_.push_back(std::move(f));
  }
  for (file& f : files_) {
    if (!f.place.empty()) {
      f.replaced.emplace(f.option, f.path);
    } else if (f.descriptor < 0) {
      f.descriptor = open_for_writing(f.option, f.path);
    }
  }
}

output_files::~output_files() {
  for (const file& f : files_) {
    if (f.descriptor > STDERR_FILENO) ::close(f.descriptor);
  }
}

std::FILE* output_files::text() const {
  const bool taken = std::any_of(files_.begin(), files_.end(),
                                 [](const file& f) { return f.descriptor == STDOUT_FILENO; });
  return taken ? stderr : stdout;
}

bool output_files::wanted(std::string_view option) const {
  return std::any_of(files_.begin(), files_.end(),
                     [&](const file& f) { return f.option == option; });
}

void output_files::write(std::string_view option, const std::string& text) {
  for (file& f : files_) {
    if (f.option != option) continue;
    if (f.descriptor >= 0) {
      const bool to_output = f.descriptor == STDOUT_FILENO;
      write_all(f.descriptor, text + "\n",
                f.option + (to_output ? ": standard output" : ": '" + f.path + "'"));
    } else {
      f.text += text + "\n";
    }
  }
}

void output_files::leave(std::string_view option) {
  for (file& f : files_) {
    if (f.option != option) continue;
    f.replaced.reset();
    if (f.descriptor > STDERR_FILENO) ::close(f.descriptor);
    f.descriptor = -1;
  }
}

void output_files::save() {
  const no_signals block;
  for (file& f : files_) {
    if (f.replaced) f.replaced->write(f.text);
  }
  for (file& f : files_) {
    if (f.replaced) f.replaced->put_in_place();
  }
  for (file& f : files_) {
    if (f.descriptor <= STDERR_FILENO) continue;
    if (::close(std::exchange(f.descriptor, -1)) != 0) cannot_write(f.option, f.path, errno);
  }
}

}  // namespace fencepost::cli
