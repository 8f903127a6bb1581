// What the parts of the parser share.
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

// What matters about a type in a litmus test: whether it is atomic, and its number of stars.
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

// Reads the colon after the number of a thread, and returns the number.
unsigned take_thread(lexer&, const token& number);

std::optional<location_id> location_named(const program&, std::string_view name);
// The same, but adds a plain location with value 0 if there is none.
location_id location_of(program&, std::string_view name);

// Bounds nesting, so that no file overflows the stack.
void check_depth(const lexer&, const place&, int depth);

}  // namespace fencepost::litmus
