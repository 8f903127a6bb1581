#include "fencepost/verify/annotation.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "step_facts.hpp"

namespace fencepost::verify {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Returns the same path for two names of one file, as far as that can be known.
fs::path whole(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path.lexically_normal() : found;
}

// Returns "" if the file is not below the workspace.
std::string in_workspace(const char* file) {
  const std::string workspace = variable("GITHUB_WORKSPACE");
  if (workspace.empty() || file == nullptr || *file == '\0') return {};
  const std::string below = whole(file).lexically_relative(whole(workspace)).generic_string();
  return below == "." || below == ".." || below.starts_with("../") ? std::string() : below;
}

std::string escaped(std::string_view text, std::string_view also) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '\r' || c == '\n' || also.find(c) != std::string_view::npos)
      out += {'%', digits[byte / 16], digits[byte % 16]};
    else
      out += c;
  }
  return out;
}

}  // namespace

bool is_in_github_actions() { return variable("GITHUB_ACTIONS") == "true"; }

source_location annotated_place(const counterexample& c) {
  const auto is_below = [](const source_location& where) {
    return where.line != 0 && !in_workspace(where.file).empty();
  };
  if (is_below(c.where)) return c.where;
  const auto last = std::find_if(c.steps.rbegin(), c.steps.rend(), [&](const step& s) {
    return s.thread == c.thread && is_below(s.where);
  });
  return last == c.steps.rend() ? c.where : last->where;
}

std::string github_error(const source_location& where, std::string_view message) {
  std::string text = "::error";
  if (where.line != 0) {
    const std::string below = in_workspace(where.file);
    text += " file=" + escaped(below.empty() ? where.file : below, ":,") +
            ",line=" + std::to_string(where.line);
  }
  return text + "::" + escaped(with_main(std::string(message)), "");
}

}  // namespace fencepost::verify
