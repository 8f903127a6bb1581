// Data members that no checker watches: those of a class that takes the atomics policy P which are
// neither made of P nor said to be left out.
//
// A policy sees accesses to what it made: P::atomic, P::plain, P::mutex. A bare member that is
// handed from thread to thread, or that lives no longer than the last access of another thread, may
// race, or be gone, and nothing is found. So each bare member has a reason in a comment: above it,
// with no blank line between, beside it, or in the same places of the class that it is in:
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

// Those without a reason, in the order of the text. A scanner, not a parser: it knows the shape of
// the kit's headers.
std::vector<bare_member> bare_members(std::string_view text);

}  // namespace fencepost::cli
