#include "source_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "names.hpp"
#include "usage.hpp"

#if !defined(FENCEPOST_SOURCE_DIR)
#define FENCEPOST_SOURCE_DIR ""
#endif

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  return path.extension() == ".hpp" || path.extension() == ".cpp" || path.extension() == ".h";
}

fs::path root_of(const std::string& folder, const std::string& who) {
  const fs::path built = fs::path(FENCEPOST_SOURCE_DIR) / folder;
  std::error_code error;
  for (const fs::path& path : {fs::path(folder), built}) {
    if (!folder.empty() && fs::is_directory(path, error)) return path;
  }
  throw usage_error(who + ": there is no folder '" + folder + "', neither here nor in '" +
                    FENCEPOST_SOURCE_DIR + "'");
}

std::string text_of(const fs::path& path, const std::string& who) {
  std::ifstream in(path);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in)
    throw usage_error(who + ": cannot read '" + path.string() + "': " + std::strerror(errno));
  return text.str();
}

}  // namespace

std::vector<source_file> read_sources(const std::string& folder, const std::string& who) {
  const fs::path root = root_of(folder, who);
  std::vector<source_file> all;
  std::error_code error;
  for (auto i = fs::recursive_directory_iterator(root, error);
       !error && i != fs::recursive_directory_iterator(); i.increment(error)) {
    if (!i->is_regular_file() || !is_source(i->path())) continue;
    all.push_back({i->path().generic_string(), i->path().lexically_relative(root).generic_string(),
                   text_of(i->path(), who)});
  }
  if (error) {
    throw usage_error(who + ": cannot read the folder '" + root.string() + "': " + error.message());
  }
  std::sort(all.begin(), all.end(),
            [](const source_file& a, const source_file& b) { return a.name < b.name; });
  return all;
}

std::string stem_of(const std::string& name) { return fs::path(name).stem().string(); }
std::string file_name_of(const std::string& name) { return fs::path(name).filename().string(); }

bool is_wanted(const std::vector<std::string>& patterns, const std::string& name) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& p) {
           return matches(p, name) || matches(p, stem_of(name));
         });
}

void require_matches(const std::vector<std::string>& patterns,
                     const std::vector<std::string>& names, const std::string& what) {
  for (const std::string& pattern : patterns) {
    const bool found = std::any_of(names.begin(), names.end(),
                                   [&](const auto& name) { return is_wanted({pattern}, name); });
    if (found) continue;
    std::string message = "no " + what + " matches '" + pattern + "'";
    const auto near = closest(pattern, std::vector<std::string_view>(names.begin(), names.end()));
    if (!near.empty()) message += "; the closest names are";
    for (const std::string_view name : near) message.append("\n  ").append(name);
    throw usage_error(message);
  }
}

}  // namespace fencepost::cli
