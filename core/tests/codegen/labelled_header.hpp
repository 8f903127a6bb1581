// The operations of a header, each with the label above it.
//
// A label is `// [name] ORDER...` in a comment; the labels of one comment name the operations that
// follow, in order. An operation is a call with a std::memory_order among its arguments. `fencepost
// labels` checks much more of the comments than this.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace codegen {

struct labelled_operation {
  std::string label;  // empty if it has none
  std::string what;   // "release fence", "acquire load"
  std::size_t first_line = 0, last_line = 0;

  // True for a relaxed load or store, which is just an instruction that accesses memory.
  bool is_plain() const {
    return what.starts_with("relaxed load") || what.starts_with("relaxed store");
  }
};

struct labelled_header {
  std::vector<labelled_operation> operations;
  std::vector<std::string> errors;  // labels without an operation

  // The operation at the line, or null.
  const labelled_operation* at(std::size_t line) const;
};

labelled_header labels_of(std::string_view text);

}  // namespace codegen
