// Which scenarios a user means.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entry.hpp"

namespace fencepost::cli {

// `*`, `?` and `[...]` as in a shell, except that `*` matches `/` too. A pattern also names a whole
// folder: "mailbox" matches "mailbox/message_arrives".
bool matches(const std::string& pattern, std::string_view name);

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The names that look most like the pattern, the best first, at most `count`.
std::vector<std::string_view> closest(std::string_view pattern,
                                      const std::vector<std::string_view>& names,
                                      std::size_t count = 3);

// The entries that some pattern matches, in the order of the table; without patterns all of them.
// Throws usage_error for a pattern that matches nothing.
std::vector<const entry*> select(const std::vector<entry>& entries,
                                 const std::vector<std::string>& patterns);

}  // namespace fencepost::cli
