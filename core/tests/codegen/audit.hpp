// The audit of what each labelled operation compiles to, and its table.
//
// operations/*.cpp define a function op_COMPONENT__OPERATION for each audited operation of a
// component. They are compiled with debug information. Every instruction that orders memory
// accesses, or that is part of an atomic read-modify-write (order_of()), is traced to the label
// above the operation in the header that it comes from. A row of the table is one label in one
// operation, with the kinds of instructions that it compiles to on each target. Compilers may emit
// an operation more than once: the kinds are a set. An instruction that belongs to no label is an
// error.
//
// An operation consists of its function, what is inlined into it, and what it calls, except for the
// functions named slow below, which are operations of their own.
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

// Functions, as "class::name", that are out of line and not on a fast path.
extern const std::vector<std::string> slow_functions;

struct row_key {
  std::string component, operation, label;  // label: "tail_split.hpp/push.fence"
  auto operator<=>(const row_key&) const = default;
};
using kinds = std::set<std::string>;
using column = std::map<row_key, kinds>;  // of one target; a row without instructions is omitted

struct audited {
  column found;
  std::vector<std::string> errors;  // instructions without a label, labels without operation
  std::map<std::string, std::string> listings;  // of each operation, "component operation"
};

// Compiles operations/SOURCE.cpp against the headers of `include`, and audits the object code.
// Throws std::runtime_error if that fails.
audited audit(const target& t, const std::string& source, const std::filesystem::path& include);

// Describes each row whose kinds differ from those expected, of the components that have an audited
// operation in `found`.
std::vector<std::string> differences(const target& t, const column& expected, const audited& found);

// The labels of the components' headers, by path below core/include/fencepost.
using header_labels = std::map<std::string, labelled_header>;
header_labels labels_of_headers(const std::filesystem::path& include);

}  // namespace codegen
