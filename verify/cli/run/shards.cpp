#include "run/shards.hpp"

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/shell_word.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

std::string manifest_of(const std::string& folder) {
  return (fs::path(folder) / "manifest.json").string();
}

stopped_run manifest_in(const std::string& command, const std::string& folder) {
  std::error_code error;
  if (!fs::exists(manifest_of(folder), error) && !error) {
    throw usage_error(command + ": '" + folder + "' has no manifest.json; '" + this_program().name +
                      " shard NAME --into N --output DIR' makes such a folder");
  }
  return read_stopped_run(command, manifest_of(folder));
}

// True if nothing of the part is left to explore.
bool is_finished(const verify::checkpoint& part) { return part.parts() == 0; }

}  // namespace

shards::shards(std::string command, std::string folder)
    : command_(std::move(command)),
      folder_(std::move(folder)),
      manifest_(manifest_in(command_, folder_)) {}

std::string shards::new_manifest(const std::string& option, const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw usage_error(option + ": cannot create the folder '" + folder + "': " + error.message());
  }
  const bool is_empty = fs::is_empty(folder, error);
  if (error)
    throw usage_error(option + ": cannot read the folder '" + folder + "': " + error.message());
  if (!is_empty) {
    throw usage_error(
        option + ": '" + folder +
        "' is not empty and may contain results that are still needed; name a new folder");
  }
  return manifest_of(folder);
}

std::string shards::file(std::size_t number) const {
  return (fs::path(folder_) / ("shard-" + std::to_string(number) + ".json")).string();
}

verify::checkpoint shards::part(std::size_t number) const {
  try {
    return manifest_.state.part(number);
  } catch (const std::out_of_range&) {
    if (count() == 0) {
      throw usage_error(command_ + ": nothing is left to explore in '" + folder_ +
                        "'; to judge it: " + this_program().name + " merge " + shell_word(folder_));
    }
    throw usage_error(command_ + ": there is no shard " + std::to_string(number) + " in '" +
                      folder_ + "', which has " + std::to_string(count()) + ", numbered from 0");
  }
}

std::optional<verify::checkpoint> shards::explored(std::size_t number) const {
  const std::string path = file(number);
  std::error_code error;
  if (!fs::exists(path, error) && !error) return {};
  stopped_run done = read_stopped_run(command_, path);
  require_same(command_, path, done.what, manifest_.what);
  try {
    part(number).put(done.state);
  } catch (const std::invalid_argument& e) {
    throw usage_error(command_ + ": '" + path + "' does not match shard " + std::to_string(number) +
                      ": " + e.what() + "; move it away, and run the shard again");
  }
  return std::move(done.state);
}

// Merges from the last part to the first, since a part that ends the exploration removes those
// after it.
shards::merged shards::merge() const {
  merged all{verify::checkpoint(manifest_.state.text()), {}, {}, {}};
  for (std::size_t i = count(); i-- > 0;) {
    std::optional<verify::checkpoint> done;
    try {
      done = explored(i);
    } catch (const unreadable_run& e) {
      all.unreadable.emplace_back(e.what());
    }
    if (!done) {
      all.missing.push_back(i);
      continue;
    }
    if (!is_finished(*done)) all.unfinished.push_back(i);
    all.state.put(*done);
  }
  return all;
}

}  // namespace fencepost::cli
