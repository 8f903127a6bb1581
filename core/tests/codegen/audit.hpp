// The audit of what each labelled operation compiles to, and its table.
//
// operations/*.cpp have a function op_COMPONENT__OPERATION for each operation of a component that
// is looked at. They are compiled with debug information. Every instruction that orders, or that
// reads and writes memory at once (order_of()), is traced to the label above the operation in the
// header that it comes from. A row of the table is one label in one operation, with the kinds of
// instructions that it makes on each target. Compilers may write an operation out more than once:
// the kinds are a set. What belongs to no label is an error.
//
// An operation is its function, what is inlined into it, and what it calls, down to functions that
// are named slow below; those are operations of their own.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "labelled_header.hpp"
#include "targets.hpp"

namespace codegen {

// "class::name": out of line, and not on a fast path.
extern const std::vector<std::string> slow_functions;

struct row_key {
  std::string component, operation, label;  // label: "tail_split.hpp/push.fence"
  auto operator<=>(const row_key&) const = default;
};
using kinds = std::set<std::string>;
using column = std::map<row_key, kinds>;  // of one target; a row without instructions is left out

struct audited {
  column found;
  std::vector<std::string> errors;  // instructions without a label, labels without operation
  std::map<std::string, std::string> listings;  // of each operation, "component operation"
};

// Compiles operations/SOURCE.cpp against the headers of `include`, and reads what came out.
// Throws std::runtime_error where that cannot be done.
audited audit(const target& t, const std::string& source, const std::filesystem::path& include);

// What is found and not expected, and what is expected and not found, a text for each; of the
// components that are expected or found in `found`.
std::vector<std::string> differences(const target& t, const column& expected, const audited& found);

// By the path below core/include/fencepost, for the components' headers.
using header_labels = std::map<std::string, labelled_header>;
header_labels labels_of_headers(const std::filesystem::path& include);

}  // namespace codegen
