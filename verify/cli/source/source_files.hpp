// The source files that a command reads: those of a folder, in the current directory or else in the
// tree that the program was built from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fencepost::cli {

struct source_file {
  std::string path;  // to open it, and to show it: relative if it is in the current directory
  std::string name;  // within the folder: "deque/chase_lev.hpp"
  std::string text;
};

// Returns all headers and sources of the folder, by name. If the folder is not in the current
// directory, that in the source tree is read. Throws usage_error, which begins with `who`.
std::vector<source_file> read_sources(const std::filesystem::path& folder, const std::string& who);

// The tree that the program was built from, or the current directory if that tree no longer exists.
std::string source_tree();
// Returns the sources in it whose path is `path` or ends in it: "deque/chase_lev.hpp". `name` is
// relative to the tree.
std::vector<source_file> files_ending_in(const std::string& path);

// Returns where the compiler found the file that it calls by this name.
std::filesystem::path on_disk(const std::string& file);
// Returns nothing if the file cannot be read.
std::optional<std::string> text_of(const std::filesystem::path&);

// The name without folder and ending: "chase_lev".
std::string stem_of(const std::string& name);
// The name without folder: "chase_lev.hpp".
std::string file_name_of(const std::string& name);

// True if a pattern names the file, by its name within the folder, a part of it, or its stem; or if
// there are no patterns.
bool is_wanted(const std::vector<std::string>& patterns, const std::string& name);

// Throws usage_error for a pattern that names none of them: "no WHAT matches ...".
void require_matches(const std::vector<std::string>& patterns,
                     const std::vector<std::string>& names, const std::string& what);

}  // namespace fencepost::cli
