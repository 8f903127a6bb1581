// One exploration in parts, for machines that share it: a folder with what is to be explored
// (manifest.json), and the result of each part (shard-0.json, ...). The process that explores a
// part is the only one that writes its file, whole or not at all.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "run/stopped_run.hpp"

namespace fencepost::cli {

class shards {
 public:
  // Requires a manifest in the folder. Throws usage_error, whose message begins with the command's
  // name.
  shards(std::string command, std::string folder);

  // Makes the folder, which must be empty if it exists, and returns the path for its manifest.
  // Throws usage_error.
  static std::string new_manifest(const std::string& option, const std::string& folder);

  [[nodiscard]] const explored_thing& what() const noexcept { return manifest_.what; }
  [[nodiscard]] std::size_t count() const { return manifest_.state.parts(); }
  [[nodiscard]] std::string file(std::size_t number) const;
  // Returns the result of a part; nothing if it was not explored yet. Throws usage_error, also for
  // a file that cannot be read, or is of something else.
  [[nodiscard]] std::optional<verify::checkpoint> explored(std::size_t number) const;
  [[nodiscard]] verify::checkpoint part(std::size_t number) const;

  struct merged {
    verify::checkpoint state;
    std::vector<std::size_t> missing;     // not begun
    std::vector<std::size_t> unfinished;  // begun and stopped
    std::vector<std::string> unreadable;  // the reasons; these shards are missing as well
  };
  [[nodiscard]] merged merge() const;

 private:
  std::string command_;
  std::string folder_;
  stopped_run manifest_;
};

}  // namespace fencepost::cli
