// Counts what lies below a directory, with a job for each directory: directories, files, symbolic
// links (which are not followed), and how many entries per second it has counted.
//
//   directory_scan [--workers N] [DIRECTORY]
//
// On a terminal it shows its progress. Exit status: 0; 1 if something could not be read, which is
// reported; 2 for wrong usage.
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "directory_entries.hpp"
#include "fencepost/runtime/thread_pool.hpp"

#if defined(_WIN32)
#include <io.h>
static bool is_terminal(std::FILE* file) { return _isatty(_fileno(file)) != 0; }
#else
#include <unistd.h>
static bool is_terminal(std::FILE* file) { return isatty(fileno(file)) != 0; }
#endif

namespace {

namespace fs = std::filesystem;

struct counts {
  std::uint64_t directories = 0, files = 0, symlinks = 0, others = 0;
  std::uint64_t all() const { return directories + files + symlinks + others; }
};

class scan {
 public:
  explicit scan(fencepost::thread_pool& pool) : pool_{pool} {}

  // Starts; the future is ready at the end. Counts what lies in `root`, but not `root` itself.
  std::future<void> start(const fs::path& root) {
    std::future<void> ended = ended_.get_future();
    later(root);
    return ended;
  }

  // The counts so far; those of everything once the scan has ended.
  counts so_far() const {
    return {directories_.load(std::memory_order_relaxed), files_.load(std::memory_order_relaxed),
            symlinks_.load(std::memory_order_relaxed), others_.load(std::memory_order_relaxed)};
  }
  std::uint64_t errors() const { return errors_.load(std::memory_order_relaxed); }

 private:
  // A directory is open from here until its job has counted it and posted those below it.
  void later(fs::path directory) {
    open_.fetch_add(1, std::memory_order_relaxed);
    pool_.post([this, directory = std::move(directory)] {
      read(directory);
      // Acquire and release: what all other jobs have counted happens before the end.
      if (open_.fetch_sub(1, std::memory_order_acq_rel) == 1) ended_.set_value();
    });
  }

  void read(const fs::path& directory) {
    counts here;
    const std::error_code error = for_each_entry(directory, [&](const auto* name, entry_type type) {
      switch (type) {
        case entry_type::directory:
          ++here.directories;
          later(directory / name);
          break;
        case entry_type::file: ++here.files; break;
        case entry_type::symlink: ++here.symlinks; break;
        case entry_type::other: ++here.others; break;
      }
    });
    if (error) complain(directory, error);
    directories_.fetch_add(here.directories, std::memory_order_relaxed);
    files_.fetch_add(here.files, std::memory_order_relaxed);
    symlinks_.fetch_add(here.symlinks, std::memory_order_relaxed);
    others_.fetch_add(here.others, std::memory_order_relaxed);
  }

  void complain(const fs::path& directory, const std::error_code& error) {
    errors_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard<std::mutex> lock{speaking_};
    std::fprintf(stderr, "%s: %s\n", directory.string().c_str(), error.message().c_str());
  }

  fencepost::thread_pool& pool_;
  std::promise<void> ended_;
  std::mutex speaking_;
  std::atomic<std::uint64_t> open_{0}, errors_{0};
  std::atomic<std::uint64_t> directories_{0}, files_{0}, symlinks_{0}, others_{0};
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print(std::FILE* to, const counts& c, double seconds, const char* end) {
  std::fprintf(
      to, "%llu directories, %llu files, %llu symlinks, %llu others; %.0f entries/s%s",
      static_cast<unsigned long long>(c.directories), static_cast<unsigned long long>(c.files),
      static_cast<unsigned long long>(c.symlinks), static_cast<unsigned long long>(c.others),
      seconds > 0 ? static_cast<double>(c.all()) / seconds : 0.0, end);
  std::fflush(to);
}

int run(const fs::path& root, std::optional<std::uint32_t> workers) {
  if (!fs::is_directory(root)) {
    std::fprintf(stderr, "directory_scan: %s is not a directory\n", root.string().c_str());
    return 2;
  }
  const bool show = is_terminal(stderr);
  const auto start = std::chrono::steady_clock::now();
  fencepost::thread_pool pool{{.workers = workers}};
  scan all{pool};
  const std::future<void> ended = all.start(root);
  while (ended.wait_for(std::chrono::milliseconds{100}) != std::future_status::ready) {
    if (show) print(stderr, all.so_far(), seconds_since(start), "   \r");
  }
  pool.stop();  // the job that ended the scan may still be returning from that
  if (show) std::fputc('\n', stderr);
  print(stdout, all.so_far(), seconds_since(start), "\n");
  return all.errors() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<std::uint32_t> workers;  // if not given, as many as there are processors
  int next = 1;
  if (argc > 2 && std::string_view{argv[1]} == "--workers") {
    const std::string_view number = argv[2];
    std::uint32_t given = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), given);
    if (read.ec != std::errc{} || read.ptr != number.data() + number.size() || given == 0) {
      std::fprintf(stderr, "directory_scan: --workers %s is not a number from 1 up\n", argv[2]);
      return 2;
    }
    workers = given;
    next = 3;
  }
  if (argc > next + 1) {
    std::fprintf(stderr, "usage: directory_scan [--workers N] [DIRECTORY]\n");
    return 2;
  }
  try {
    return run(argc > next ? argv[next] : ".", workers);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "directory_scan: %s\n", error.what());
    return 1;
  }
}
