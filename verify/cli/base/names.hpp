// Finds the scenarios that a user means.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

// True if the pattern matches the name. `*`, `?` and `[...]` work as in a shell, except that `*`
// matches `/` too. A pattern also names a whole folder: "mailbox" matches
// "mailbox/message_arrives".
bool matches(const std::string& pattern, std::string_view name);

// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into
// the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns at most `count` names, those that are most similar to the pattern, best first.
std::vector<std::string_view> closest(std::string_view pattern,
                                      const std::vector<std::string_view>& names,
                                      std::size_t count = 3);

// Returns "; did you mean 'verify'?" if one of the names is similar to the word, else "".
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names);

// Returns the indices of the names that some pattern matches, in order; without patterns, all
// indices. Throws usage_error for a pattern that matches nothing.
std::vector<std::size_t> selected(const std::vector<std::string_view>& names,
                                  const std::vector<std::string>& patterns);

// The same for a table whose entries are named after their scenarios.
template <class Entry>
std::vector<const Entry*> select(const std::vector<Entry>& entries,
                                 const std::vector<std::string>& patterns) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const Entry& e : entries) names.push_back(e.about.name);
  std::vector<const Entry*> matching;
  for (const std::size_t index : selected(names, patterns)) matching.push_back(&entries[index]);
  return matching;
}

// "first, second, third".
std::string joined(const std::vector<std::string>& words, std::string_view between = ", ");

}  // namespace fencepost::cli
