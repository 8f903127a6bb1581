// The source files that a command reads: those of a folder, from the current directory or else from
// the tree that the program was built from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fencepost::cli {

struct source_file {
  std::string
      path;  // to open it, and as it is shown: relative where it is in the current directory
  std::string name;  // within the folder: "deque/chase_lev.hpp"
  std::string text;
};

// All headers and sources of the folder, by name; of one that is not here, of the source tree's.
// Throws usage_error, with `who` in front.
std::vector<source_file> read_sources(const std::filesystem::path& folder, const std::string& who);

// The tree that the program was built from; the current directory where that is gone.
std::string source_tree();
// The sources in it whose path is that or ends in it: "deque/chase_lev.hpp". `name`: within the
// tree.
std::vector<source_file> files_ending_in(const std::string& path);

// Where the compiler found the file that it calls so.
std::filesystem::path on_disk(const std::string& file);
// None: it cannot be read.
std::optional<std::string> text_of(const std::filesystem::path&);

// Without folder and ending: "chase_lev".
std::string stem_of(const std::string& name);
// Without folder: "chase_lev.hpp".
std::string file_name_of(const std::string& name);

// Whether a pattern names the file: by its name within the folder, a part of it, or its stem.
// Without patterns, all are wanted.
bool is_wanted(const std::vector<std::string>& patterns, const std::string& name);

// Throws usage_error for a pattern that names none of them: "no WHAT matches ...".
void require_matches(const std::vector<std::string>& patterns,
                     const std::vector<std::string>& names, const std::string& what);

}  // namespace fencepost::cli
