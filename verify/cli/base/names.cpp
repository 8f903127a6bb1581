#include "base/names.hpp"

#include <fnmatch.h>

#include <fmt/ranges.h>

#include <algorithm>

#include "base/this_program.hpp"
#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

constexpr std::size_t longest_word = 200;  // a longer word is not a misspelt name

}  // namespace

bool matches(const std::string& pattern, std::string_view name) {
  const std::string text(name);
  if (fnmatch(pattern.c_str(), text.c_str(), 0) == 0) return true;
  const std::string folder = pattern.ends_with('/') ? pattern + "*" : pattern + "/*";
  return fnmatch(folder.c_str(), text.c_str(), 0) == 0;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

std::vector<std::string_view> closest(std::string_view pattern,
                                      const std::vector<std::string_view>& names,
                                      std::size_t count) {
  if (pattern.size() > longest_word) return {};
  std::string word;
  std::copy_if(pattern.begin(), pattern.end(), std::back_inserter(word),
               [](char c) { return c != '*' && c != '?' && c != '[' && c != ']'; });
  struct candidate {
    std::size_t distance;
    std::string_view name;
  };
  std::vector<candidate> found;
  for (const std::string_view name : names) {
    // The user may have left out the folder, or given only the folder.
    std::size_t distance = edit_distance(word, name);
    if (const auto slash = name.rfind('/'); slash != std::string_view::npos) {
      distance = std::min({distance, edit_distance(word, name.substr(slash + 1)),
                           edit_distance(word, name.substr(0, slash))});
    }
    found.push_back({distance, name});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const candidate& a, const candidate& b) { return a.distance < b.distance; });
  std::vector<std::string_view> best;
  for (const candidate& c : found) {
    if (best.size() < count) best.push_back(c.name);
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names) {
  if (word.size() > longest_word) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < least && distance < name.size()) {
      least = distance;
      best = name;
    }
  }
  return best.empty() ? std::string() : "; did you mean '" + std::string(best) + "'?";
}

namespace {

std::string nothing_matches(const std::vector<std::string_view>& names,
                            const std::string& pattern) {
  std::vector<std::string_view> folders;
  for (const std::string_view name : names) folders.push_back(name.substr(0, name.find('/')));
  const std::string word = pattern.substr(0, pattern.find_last_not_of("/*") + 1);
  const bool is_folder = word.find('/') == std::string::npos;
  std::string hint = is_folder ? did_you_mean(word, folders) : std::string();
  if (hint.empty()) {
    const std::vector<std::string_view> near = closest(pattern, names);
    if (!near.empty()) hint = "; the closest names are";
    for (const std::string_view name : near) hint.append("\n  ").append(name);
  }
  return "no scenario matches '" + pattern + "'" + hint + "\n'" + this_program().name +
         " list' shows all " + std::to_string(names.size());
}

}  // namespace

std::vector<std::size_t> selected(const std::vector<std::string_view>& names,
                                  const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (std::any_of(names.begin(), names.end(),
                    [&](std::string_view name) { return matches(pattern, name); })) {
      continue;
    }
    throw usage_error(nothing_matches(names, pattern));
  }
  std::vector<std::size_t> matching;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (patterns.empty() ||
        std::any_of(patterns.begin(), patterns.end(),
                    [&](const std::string& p) { return matches(p, names[index]); })) {
      matching.push_back(index);
    }
  }
  return matching;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

}  // namespace fencepost::cli
