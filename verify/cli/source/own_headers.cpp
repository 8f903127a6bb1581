#include "source/own_headers.hpp"

#include <algorithm>
#include <filesystem>

#include "base/this_program.hpp"
#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

bool ends_in(const std::string& path, const std::string& end) {
  return ("/" + path).ends_with("/" + end);
}

// Returns the innermost folder that contains all of them.
fs::path common_folder() {
  const std::vector<std::string>& all = this_program().headers;
  fs::path common = all.empty() ? fs::path() : fs::path(all.front()).parent_path();
  for (const std::string& header : all) {
    while (!header.starts_with((common / "").string()) && common.has_relative_path())
      common = common.parent_path();
  }
  return common;
}

std::string name_of(const std::string& header, const fs::path& folder) {
  std::string name = fs::path(header).lexically_relative(folder).generic_string();
  const std::vector<std::string>& all = this_program().headers;
  const bool is_unique = std::none_of(all.begin(), all.end(), [&](const std::string& other) {
    return other != header && ends_in(other, name);
  });
  return is_unique ? name : header;
}

}  // namespace

bool has_own_headers() { return !this_program().headers.empty(); }

std::string own_headers_folder() {
  const fs::path folder = common_folder();
  const std::string within =
      folder.lexically_relative(this_program().source_folder).generic_string();
  const bool is_below = !within.empty() && within != "." && !within.starts_with("..");
  return is_below ? within : folder.filename().string();
}

std::vector<std::string> own_header_names() {
  std::vector<std::string> names;
  for (const std::string& header : this_program().headers)
    names.push_back(name_of(header, common_folder()));
  return names;
}

std::vector<source_file> own_headers(const std::string& who) {
  const fs::path folder = common_folder();
  std::vector<source_file> all;
  for (const std::string& header : this_program().headers) {
    auto text = text_of(header);
    if (!text) throw usage_error(who + ": cannot read '" + header + "'");
    all.push_back({header, name_of(header, folder), std::move(*text)});
  }
  std::sort(all.begin(), all.end(),
            [](const source_file& a, const source_file& b) { return a.name < b.name; });
  return all;
}

std::vector<source_file> own_headers_ending_in(const std::string& path) {
  std::vector<source_file> all = own_headers("--weaken");
  const std::string end = fs::path(path).lexically_normal().generic_string();
  std::erase_if(all, [&](const source_file& f) { return !ends_in(f.path, end); });
  return all;
}

}  // namespace fencepost::cli
