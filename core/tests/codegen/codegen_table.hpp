// The table of docs/generated-code.md: what the audit expects, in a form for human readers.
//
//   ### tail_split
//   | operation | label | source | x86-64 | AArch64, LSE | AArch64, LL/SC |
//   | --- | --- | --- | --- | --- | --- |
//   | steal | `split_word.hpp/iso.take` | acquire compare_exchange_weak | `lock cmpxchg` | ... |
//
// Where g++ and clang++ differ, both are named: "g++ `lock or`, clang++ `mfence`". A dash means no
// such instruction.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "audit.hpp"

namespace codegen {

// In the order of the page: each machine with g++, then with clang++.
constexpr std::array<target, 6> audited_targets{
    make_target("gcc_x86_64", "g++", x86_64_flags),
    make_target("clang_x86_64", "clang++", x86_64_flags),
    make_target("gcc_aarch64_lse", "g++", lse_flags),
    make_target("clang_aarch64_lse", "clang++", lse_flags),
    make_target("gcc_aarch64_ll_sc", "g++", ll_sc_flags),
    make_target("clang_aarch64_ll_sc", "clang++", ll_sc_flags),
};
using table = std::array<column, audited_targets.size()>;

// The table is what lies between these lines of the page.
constexpr std::string_view table_begin =
    "<!-- table: core_codegen_audit_test --update writes it -->";
constexpr std::string_view table_end = "<!-- end of the table -->";

// Throws std::runtime_error if the page cannot be parsed; the message names the line and the error.
table read_table(const std::string& page);
// The text between those lines. It ends with the labelled operations of the headers that are in no
// row and are more than a relaxed load or store.
std::string write_table(const table& all, const header_labels& headers);
// Returns the page with the table replaced.
std::string with_table(const std::string& page, const std::string& new_table);

// The lines in which the page differs from what it should be, with their numbers: "12: - ..." for a
// line to remove, "12: + ..." for a line to insert before the line of that number. Empty if there
// are none.
std::string different_lines(const std::string& page, const std::string& should_be);

}  // namespace codegen
