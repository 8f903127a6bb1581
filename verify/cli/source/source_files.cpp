#include "source/source_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/input_file.hpp"
#include "base/names.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "source/own_headers.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  return path.extension() == ".hpp" || path.extension() == ".cpp" || path.extension() == ".h";
}

fs::path root_of(const fs::path& folder, const std::string& who) {
  std::error_code error;
  const std::string& tree = this_program().source_folder;
  for (const fs::path& path : {folder, tree / folder}) {
    if (!folder.empty() && fs::is_directory(path, error)) return path;
  }
  throw usage_error(who + ": there is no folder '" + folder.string() + "', neither here nor in '" +
                    tree + "'");
}

// Skips what was built, and what version control keeps.
bool is_searched(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return !name.starts_with('.') && name != "build" &&
         folder != fs::path(this_program().build_folder);
}

}  // namespace

std::vector<source_file> read_sources(const fs::path& folder, const std::string& who) {
  const fs::path root = root_of(folder, who);
  std::vector<source_file> all;
  std::error_code error;
  for (auto i = fs::recursive_directory_iterator(root, error);
       !error && i != fs::recursive_directory_iterator(); i.increment(error)) {
    if (!i->is_regular_file() || !is_source(i->path())) continue;
    auto text = text_of(i->path());
    if (!text) throw usage_error(who + ": cannot read '" + i->path().string() + "'");
    all.push_back({i->path().generic_string(), i->path().lexically_relative(root).generic_string(),
                   std::move(*text)});
  }
  if (error) {
    throw usage_error(who + ": cannot read the folder '" + root.string() + "': " + error.message());
  }
  std::sort(all.begin(), all.end(),
            [](const source_file& a, const source_file& b) { return a.name < b.name; });
  return all;
}

std::string source_tree() {
  std::error_code error;
  const fs::path tree(this_program().source_folder);
  return fs::is_directory(tree, error) ? tree.string() : fs::current_path(error).string();
}

std::vector<source_file> files_ending_in(const std::string& path) {
  if (has_own_headers()) return own_headers_ending_in(path);
  const fs::path tree = source_tree();
  const std::string end = "/" + fs::path(path).lexically_normal().generic_string();
  std::vector<source_file> all;
  std::error_code error;
  for (auto i = fs::recursive_directory_iterator(tree, error);
       !error && i != fs::recursive_directory_iterator(); i.increment(error)) {
    if (i->is_directory() && !is_searched(i->path())) i.disable_recursion_pending();
    const std::string found = i->path().generic_string();
    if (!("/" + found).ends_with(end) || !i->is_regular_file()) continue;
    if (auto text = text_of(i->path())) {
      all.push_back({found, i->path().lexically_relative(tree).generic_string(), std::move(*text)});
    }
  }
  return all;
}

fs::path on_disk(const std::string& file) {
  const fs::path path(file);
  if (path.is_absolute()) return path.lexically_normal();
  const fs::path built = fs::path(this_program().build_folder) / path;
  std::error_code error;
  return (fs::exists(built, error) ? built : fs::absolute(path, error)).lexically_normal();
}

std::optional<std::string> text_of(const fs::path& path) {
  try {
    return content_of(path);
  } catch (const unreadable&) {
    return std::nullopt;
  }
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
