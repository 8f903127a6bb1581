// One exploration in parts, for machines that share it: a folder with what is to be explored
// (manifest.json), and what became of each part (shard-0.json, ...). Whoever explores a part writes
// one file, whole or not at all, and nobody else writes it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "run/stopped_run.hpp"

namespace fencepost::cli {

class shards {
 public:
  // Of a folder that has a manifest. Throws usage_error, which begins with the command's name.
  shards(std::string command, std::string folder);

  // The manifest of a folder that has none; makes the folder. Throws usage_error.
  static std::string new_manifest(const std::string& option, const std::string& folder);

  [[nodiscard]] const explored_thing& what() const noexcept { return manifest_.what; }
  [[nodiscard]] std::size_t count() const { return manifest_.state.parts(); }
  [[nodiscard]] std::string file(std::size_t number) const;
  // What became of a part; nothing: it was not explored yet. Throws usage_error, also for a file
  // that cannot be read, or is of something else.
  [[nodiscard]] std::optional<verify::checkpoint> explored(std::size_t number) const;
  [[nodiscard]] verify::checkpoint part(std::size_t number) const;

  struct merged {
    verify::checkpoint state;
    std::vector<std::size_t> missing;     // not begun
    std::vector<std::size_t> unfinished;  // begun, and stopped
    std::vector<std::string> unreadable;  // why; missing as well
  };
  [[nodiscard]] merged merge() const;

 private:
  std::string command_;
  std::string folder_;
  stopped_run manifest_;
};

}  // namespace fencepost::cli
