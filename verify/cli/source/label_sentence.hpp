// Parses the sentences of a comment that name operations: "[a], [b] release, with [c]: why".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

struct label_sentence {
  std::size_t at = 0;               // where it begins in the text
  std::vector<std::string> labels;  // "a", "b"
  std::vector<std::string> orders;  // "release", and the order on failure if it is given
  std::vector<std::string> partners;
  std::string reason;
  std::string fault;  // what is wrong with the sentence, or ""; the rest is what was understood
};

// `text`: a comment, with its line breaks.
std::vector<label_sentence> label_sentences(std::string_view text);

}  // namespace fencepost::cli
