// The initial state of a litmus file: { x=0; int* y=&x; 0:r0=1; }
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/litmus/program.hpp"
#include "lexer.hpp"
#include "syntax.hpp"

namespace fencepost::litmus {

class initial_state {
 public:
  initial_state(lexer& in, program& p) : in_(in), program_(p) {}

  // Adds the locations to the program.
  void parse();
  // Returns thread `number` with its initial registers.
  thread thread_numbered(std::size_t number) const;
  // The checks run once all threads are parsed: their parameters say more about locations.
  // Every register must belong to an existing thread.
  void check_threads() const;
  // The initial value of a pointer must be the address of a number.
  void check_pointers() const;

 private:
  struct initial_register {
    unsigned thread = 0;
    std::string name;
    value initial = 0;
    bool pointer = false;
    place at;
  };
  struct given_value {
    value number = 0;
    std::optional<token> address;  // of the location of that name
  };
  struct initial_address {
    bool of_register = false;  // otherwise it initializes a location
    std::size_t index = 0;
    token of;
  };

  void initial_value();
  void initial_register_value(const token& thread, bool pointer);
  given_value assigned_value();
  // Reads a number, or the address of a location: &x, or as herd writes it, x.
  given_value take_value();
  // Sets the initial values that are addresses, once all locations of the initial state are known.
  void set_addresses();

  token take(std::string_view symbol, const std::string& where) {
    return take_symbol(in_, symbol, where);
  }

  lexer& in_;
  program& program_;
  std::vector<initial_register> registers_;
  std::vector<initial_address> addresses_;
};

// Reports a pointer whose initial value is a number.
[[noreturn]] void refuse_number_for_pointer(const lexer&, const token& name);

}  // namespace fencepost::litmus
