// A directory scan: counts the files, directories and bytes of a tree. Each directory is a task;
// the tree is made before the first scan and removed at the end of the program.
//
// A scanner is constructed with the number of its workers; scan(path) returns the totals.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../bench.hpp"

namespace fencepost::bench::peers {

struct totals {
  std::uint64_t directories = 0, files = 0, bytes = 0;

  totals& operator+=(const totals& other) noexcept {
    directories += other.directories;
    files += other.files;
    bytes += other.bytes;
    return *this;
  }
  friend bool operator==(const totals&, const totals&) = default;
};

// The totals of one directory, and the paths of the directories in it.
struct listing {
  totals own;
  std::vector<std::string> below;
};
listing list(const std::string& path);

// A tree with a few thousand files, and its known totals. The first call makes it.
struct tree {
  std::string path;
  totals has;
};
const tree& test_tree();

template <class Scanner>
void scan(benchmark::State& state, unsigned workers) {
  const tree& all = test_tree();
  Scanner scanner{workers};
  bool right = scanner.scan(all.path) == all.has;
  for (auto step : state) {
    static_cast<void>(step);
    right = scanner.scan(all.path) == all.has && right;
  }
  items(state, static_cast<double>(all.has.files));
  if (!right) state.SkipWithError("the number of files that it counts is wrong");
}

template <class Scanner>
bool register_scanner(const char* name, bool single = false) {
  for (const unsigned workers : worker_counts()) {
    if (single && workers > 1) break;
    benchmark::RegisterBenchmark(name_of("scan", "directory", name, workers).c_str(), scan<Scanner>,
                                 workers)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  return true;
}

}  // namespace fencepost::bench::peers
