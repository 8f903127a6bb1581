// A litmus test as a value: shared locations, threads of statements over registers, and a condition
// on the final state. The parser creates it, the printer writes it, the interpreter (machine.hpp)
// and the enumerator (enumerate.hpp) run it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fencepost::litmus {

// The value of a register or a location. Arithmetic wraps; a division by zero yields 0.
using value = std::int64_t;
using location_id = unsigned;  // index into program::locations
using register_id = unsigned;  // index into thread::registers

enum class access_order : std::uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };
bool is_acquire(access_order) noexcept;             // or stronger
bool is_release(access_order) noexcept;             // or stronger
std::string_view to_string(access_order) noexcept;  // "plain", "relaxed", …

// The part of a location that an access touches. The halves of a word are 32 bits each; every other
// kind of location is only accessed whole.
enum class word_part : std::uint8_t { whole, low, high };

enum class location_kind : std::uint8_t { atomic, plain, halves };

struct location {
  std::string name;
  location_kind kind = location_kind::atomic;
  value initial = 0;
  bool pointer = false;  // holds the address of a location, or 0
  bool operator==(const location&) const = default;
};

// The address of a location, as a value. The addresses between it and the next one belong to no
// location.
inline constexpr value address_distance = value{1} << 32;
inline constexpr value first_address = 0x5add'0000'0000'0000;
constexpr value address_of(location_id l) noexcept {
  return first_address + address_distance * static_cast<value>(l);
}

constexpr value low_half(value whole) noexcept {
  return static_cast<value>(static_cast<std::uint64_t>(whole) & 0xffff'ffffU);
}
constexpr value high_half(value whole) noexcept {
  return static_cast<value>(static_cast<std::uint64_t>(whole) >> 32U);
}
constexpr value join_halves(value low, value high) noexcept {
  return static_cast<value>((static_cast<std::uint64_t>(high) << 32U) |
                            (static_cast<std::uint64_t>(low) & 0xffff'ffffU));
}

// ---------------------------------------------------------------- expressions

enum class operation : std::uint8_t {
  constant,
  reg,
  negate,
  bit_not,
  logical_not,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  bit_and,
  bit_or,
  bit_xor,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
};

// An expression over registers and constants only: the parser moves every access out of it. The
// logical && and || become branches if their right side contains an access, and arithmetic on truth
// values if it does not.
struct expression {
  operation op = operation::constant;
  value constant = 0;   // op == constant
  register_id reg = 0;  // op == reg
  std::vector<expression> operands;
};
bool operator==(const expression&, const expression&);

expression constant(value);
expression reg(register_id);
expression unary(operation, expression);
expression binary(operation, expression, expression);

value evaluate(const expression&, const std::vector<value>& registers);

// ---------------------------------------------------------------- statements

enum class rmw_operation : std::uint8_t {
  exchange,
  fetch_add,
  fetch_sub,
  fetch_and,
  fetch_or,
  fetch_xor,
};

value apply(rmw_operation, value old, value operand) noexcept;

struct statement;

// An access is to a location that the program names, or to the one whose address is the value of
// the expression `through`; the location's number is then ignored.
struct load {
  std::optional<register_id> to;
  location_id from = 0;
  access_order order = access_order::relaxed;
  word_part part = word_part::whole;
  std::optional<expression> through = {};
  bool operator==(const load&) const = default;
};

struct store {
  location_id to = 0;
  expression what;
  access_order order = access_order::relaxed;
  word_part part = word_part::whole;
  std::optional<expression> through = {};
  bool operator==(const store&) const = default;
};

struct modify {
  std::optional<register_id> to;  // the old value
  location_id at = 0;
  rmw_operation op = rmw_operation::exchange;
  expression operand;
  access_order order = access_order::relaxed;
  word_part part = word_part::whole;
  std::optional<expression> through = {};
  bool operator==(const modify&) const = default;
};

struct expected_register {
  register_id id = 0;
  bool operator==(const expected_register&) const = default;
};

struct expected_location {
  location_id id = 0;
  bool operator==(const expected_location&) const = default;
};

// The expected value is in a register of the thread, or in a location that is read with a plain
// access before and, after a failure, written with a plain access, like C's int* expected.
struct compare_exchange {
  using in_register = expected_register;
  using in_location = expected_location;

  std::optional<register_id> to;  // 1 on success, 0 on failure
  location_id at = 0;
  std::variant<in_register, in_location> expected;
  expression desired;
  access_order success = access_order::relaxed;
  access_order failure = access_order::relaxed;
  bool weak = false;
  word_part part = word_part::whole;
  std::optional<expression> through = {};
  bool operator==(const compare_exchange&) const = default;
};

struct fence {
  access_order order = access_order::seq_cst;
  bool operator==(const fence&) const = default;
};

struct assign {
  register_id to = 0;
  expression what;
  bool operator==(const assign&) const = default;
};

struct branch {
  expression condition;
  std::vector<statement> then;
  std::vector<statement> otherwise;
};
bool operator==(const branch&, const branch&);

// `before` holds the accesses that the condition contains, and runs before each test of it. If the
// condition still holds after `bound` iterations, the execution is cut.
struct loop {
  std::vector<statement> before;
  expression condition;
  std::vector<statement> body;
  unsigned bound = 4;
};
bool operator==(const loop&, const loop&);

struct statement {
  std::variant<load, store, modify, compare_exchange, fence, assign, branch, loop> what;
};
bool operator==(const statement&, const statement&);

struct register_info {
  std::string name;
  value initial = 0;
  bool pointer = false;
  bool operator==(const register_info&) const = default;
};

struct thread {
  std::vector<register_info> registers;
  std::vector<statement> body;
  bool operator==(const thread&) const = default;
};

// ---------------------------------------------------------------- conditions

// A register of a thread (`0:r0`), or a location (`[x]`).
struct observable {
  std::optional<unsigned> thread;
  unsigned index = 0;  // register of that thread, or location
  bool operator==(const observable&) const = default;
};

struct proposition {
  enum class kind : std::uint8_t { atom, negation, conjunction, disjunction, implication };
  kind what = kind::conjunction;  // an empty conjunction is true, an empty disjunction false
  observable left;                // atom: left == right
  std::variant<value, observable> right = value{0};
  std::vector<proposition> parts;
};
bool operator==(const proposition&, const proposition&);

enum class quantifier : std::uint8_t { exists, not_exists, forall };

struct final_condition {
  quantifier how = quantifier::forall;
  proposition what;
  bool operator==(const final_condition&) const = default;
};

// ---------------------------------------------------------------- programs

struct program {
  std::string name;
  std::vector<location> locations;
  std::vector<thread> threads;
  std::vector<observable> displayed;  // the `locations [...]` clause
  std::optional<proposition> filter;  // executions that do not satisfy it do not count
  final_condition condition;
  bool operator==(const program&) const = default;
};

// Returns the location that has this address, if there is one.
std::optional<location_id> location_at(const program&, value address) noexcept;
// Returns the name of the location that has this address, otherwise the number.
std::string spell(const program&, value);
// Returns what a state of the program shows, in herd's order: registers by thread and name, then
// locations by name; those that are displayed and those that the condition names.
std::vector<observable> observed(const program&);

std::string to_string(const program&, const observable&);       // 0:r0, [x]
std::string to_string(const program&, const proposition&);      // 0:r0=1 /\ [x]=2
std::string to_string(const program&, const final_condition&);  // exists (0:r0=1 /\ [x]=2)

// Returns the whole program in herd's C format, from which parse() restores it, but for
// loop::before, which becomes statements of its own. Words of halves are outside that format: their
// accesses are written only for people to read.
std::string to_litmus(const program&);

}  // namespace fencepost::litmus
