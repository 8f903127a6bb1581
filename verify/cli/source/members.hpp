// Finds data members that no checker watches: in a class that takes the atomics policy P, those
// that are neither made of P nor said to be left out.
//
// A policy sees accesses to what it made: P::atomic, P::plain, P::mutex. A bare member that threads
// hand to each other, or whose lifetime ends with the last access of another thread, may race, or
// be used after its end, and nothing is found. So each bare member has a reason in a comment: above
// it, with no blank line between, beside it, or in the same positions of its class:
//
//   // unwatched: the owner's alone.
//   T* head_;
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

struct bare_member {
  std::uint32_t line = 0;
  std::string name;
};

// Returns the bare members without a reason, in the order of the text. This is a scanner, not a
// parser: it knows the style of the kit's headers.
std::vector<bare_member> bare_members(std::string_view text);

}  // namespace fencepost::cli
