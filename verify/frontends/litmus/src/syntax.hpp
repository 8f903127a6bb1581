// What the two halves of the parser share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fencepost/litmus/program.hpp"
#include "lexer.hpp"

namespace fencepost::litmus {

std::string quote(std::string_view);
std::string found(const token&);  // for messages: 'x', the number 5, the end of the file

bool is_thread_name(const token&);  // P0, P17

// A type as far as a litmus test cares: atomic or not, and how many stars.
struct type_name {
  bool atomic = false;
  bool nothing = false;  // void
  int stars = 0;
  place at;
};
bool is_type(const token&);
type_name take_type(lexer&);

value number_value(const lexer&, const token& number, bool minus);
token take_symbol(lexer&, std::string_view symbol, const std::string& where);

// The number of a thread, with the colon that follows.
unsigned take_thread(lexer&, const token& number);

std::optional<location_id> location_named(const program&, std::string_view name);
// The same, and makes one where there is none: plain, and 0.
location_id location_of(program&, std::string_view name);

// Nesting is bounded, so that no file overflows the stack.
void check_depth(const lexer&, const place&, int depth);

}  // namespace fencepost::litmus
