// A recursive descent over herd's C format: the file's sections here, the bodies in body.cpp.
#include "fencepost/litmus/parse.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "body.hpp"
#include "lexer.hpp"
#include "syntax.hpp"

namespace fencepost::litmus {

parse_error::parse_error(const std::string& file, std::size_t line, std::size_t column,
                         const std::string& message)
    : std::runtime_error(line == 0 ? file + ": " + message
                                   : file + ':' + std::to_string(line) + ':' +
                                         std::to_string(column) + ": " + message),
      file_(file),
      line_(line),
      column_(column),
      message_(message) {}

namespace {

class file_parser {
 public:
  file_parser(std::string_view text, const std::string& file, const parse_options& options)
      : in_(text, file), options_(options) {}

  program parse() {
    header();
    initial_state();
    bodies();
    check_pointers();
    final_state();
    return std::move(program_);
  }

 private:
  void header() {
    const place begin = in_.here();
    const std::string_view architecture = in_.word();
    if (architecture.empty()) in_.fail(begin, "expected the header \"C name\", found nothing");
    if (architecture != "C") {
      in_.fail(begin, "unsupported: architecture " + quote(architecture) +
                          "; expected the header \"C name\"");
    }
    const place name = in_.here();
    program_.name = in_.word();
    if (program_.name.empty() || program_.name.front() == '{') {
      in_.fail(name, "expected the name of the test after C");
    }
    in_.skip_to_brace();
  }

  // -------------------------------------------------------------- { x=0; 0:r0=1; }

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
    bool of_register = false;  // otherwise of a location
    std::size_t index = 0;
    token of;
  };

  void initial_state() {
    take("{", "");
    while (!in_.peek().is("}")) {
      if (in_.peek().is(";")) {
        in_.take();
        continue;
      }
      initial_value();
      if (in_.peek().is("}")) break;
      take(";", "after an initial value");
    }
    in_.take();
    set_addresses();
  }

  void initial_value() {
    type_name type;
    if (const token& t = in_.peek(); is_type(t) || t.is("*")) {
      type = take_type(in_);
      if (type.stars > 1) in_.fail(type.at, "unsupported: pointers to pointers as values");
    }
    const token first = in_.take();
    if (first.what == token::kind::number || is_thread_name(first)) {
      if (in_.peek().is(":")) return initial_register_value(first, type.stars > 0);
    }
    const bool bracket = first.is("[");
    const token name = bracket ? in_.take() : first;
    if (name.what != token::kind::identifier) {
      in_.fail(name.at, "expected a location or a register such as 0:r0, found " + found(name));
    }
    if (bracket) take("]", "after a location");
    if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
    if (find_location(name.text)) {
      in_.fail(name.at, "location " + quote(name.text) + " has an initial value already");
    }
    location l;
    l.name = name.text;
    l.kind = type.atomic ? location_kind::atomic : location_kind::plain;
    const given_value given = assigned_value();
    l.initial = given.number;
    l.pointer = type.stars > 0 || given.address.has_value();
    if (type.stars > 0 && given.number != 0) refuse_number(name);
    if (given.address) addresses_.push_back({false, program_.locations.size(), *given.address});
    program_.locations.push_back(std::move(l));
  }

  [[noreturn]] void refuse_number(const token& name) {
    in_.fail(name.at, quote(name.text) + " is a pointer, and begins as a number");
  }

  // The initial values that are addresses, when all locations of the initial state are known.
  void set_addresses() {
    for (const initial_address& a : addresses_) {
      const value address = address_of(location_of(a.of.text, false));
      (a.of_register ? registers_[a.index].initial : program_.locations[a.index].initial) = address;
    }
  }

  void initial_register_value(const token& thread, bool pointer) {
    initial_register r;
    r.thread = take_thread(thread);
    const token name = in_.take();
    if (name.what != token::kind::identifier) {
      in_.fail(name.at, "expected the name of a register, found " + found(name));
    }
    r.name = name.text;
    r.at = thread.at;
    const given_value given = assigned_value();
    r.initial = given.number;
    r.pointer = pointer || given.address.has_value();
    if (pointer && given.number != 0) refuse_number(name);
    if (given.address) addresses_.push_back({true, registers_.size(), *given.address});
    const auto same = [&](const initial_register& o) {
      return o.thread == r.thread && o.name == r.name;
    };
    if (std::any_of(registers_.begin(), registers_.end(), same)) {
      in_.fail(thread.at, "register " + quote(r.name) + " has an initial value already");
    }
    registers_.push_back(std::move(r));
  }

  given_value assigned_value() {
    if (!in_.peek().is("=")) return {};
    in_.take();
    if (in_.peek().is("ATOMIC_INIT")) {
      in_.take();
      take("(", "after ATOMIC_INIT");
      const given_value v = take_value();
      take(")", "after the value");
      return v;
    }
    return take_value();
  }

  // A number, or the address of a location: &x, or as herd writes it, x.
  given_value take_value() {
    bool minus = false;
    token t = in_.take();
    if (t.is("-")) {
      minus = true;
      t = in_.take();
    }
    const bool ampersand = t.is("&") && !minus;
    if (ampersand) t = in_.take();
    if (t.what == token::kind::identifier && !minus) {
      return {0, t};
    }
    if (ampersand) in_.fail(t.at, "expected a location after &, found " + found(t));
    if (t.is("{")) in_.fail(t.at, "unsupported: arrays; expected a number");
    if (t.what != token::kind::number) {
      in_.fail(t.at, "expected a number or the address of a location, found " + found(t));
    }
    return {number_value(in_, t, minus), std::nullopt};
  }

  // -------------------------------------------------------------- P0 (atomic_int* x) { … }

  void bodies() {
    while (in_.peek().is("void") || is_thread_name(in_.peek())) {
      if (in_.peek().is("void")) in_.take();
      const token name = in_.take();
      const auto expected = "P" + std::to_string(program_.threads.size());
      if (name.text != expected) {
        in_.fail(name.at, "expected " + expected + ", found " + found(name) +
                              ": threads are numbered in order");
      }
      thread t;
      for (const initial_register& r : registers_) {
        if (r.thread == program_.threads.size())
          t.registers.push_back({r.name, r.initial, r.pointer});
      }
      take("(", "after " + expected);
      const std::vector<parameter> parameters = take_parameters();
      t = parse_body(in_, std::move(t), parameters, expected, options_.loop_bound);
      program_.threads.push_back(std::move(t));
    }
    if (program_.threads.empty()) {
      in_.fail(in_.peek().at, "expected P0 and its body, found " + found(in_.peek()));
    }
    for (const initial_register& r : registers_) {
      if (r.thread >= program_.threads.size()) {
        in_.fail(r.at, "there is no thread P" + std::to_string(r.thread));
      }
    }
  }

  // What a pointer begins with is the address of a number.
  void check_pointers() {
    for (const initial_address& a : addresses_) {
      if (program_.locations[*find_location(a.of.text)].pointer)
        in_.fail(a.of.at, "unsupported: pointers to pointers as values");
    }
  }

  std::vector<parameter> take_parameters() {
    std::vector<parameter> parameters;
    if (in_.peek().is("void")) {
      in_.take();
      take(")", "after void");
      return parameters;
    }
    while (!in_.peek().is(")")) {
      const token& first = in_.peek();
      if (!is_type(first)) {
        in_.fail(first.at, "expected a parameter such as atomic_int* x, found " + found(first));
      }
      const type_name type = take_type(in_);
      const token name = in_.take();
      if (name.what != token::kind::identifier) {
        in_.fail(name.at, "expected the name of a parameter, found " + found(name));
      }
      if (type.stars == 0) in_.fail(type.at, "unsupported: parameters that are no pointers");
      if (type.stars > 2) in_.fail(type.at, "unsupported: pointers to pointers as values");
      if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
      const location_id id = location_of(name.text, type.atomic);
      const bool pointer = type.stars == 2;
      if (pointer != program_.locations[id].pointer) declare_pointer(id, pointer, name);
      named_by_parameter_.resize(program_.locations.size());
      named_by_parameter_[id] = true;
      parameters.push_back({std::string(name.text), id, pointer});
      if (in_.peek().is(")")) break;
      take(",", "or ) after a parameter");
    }
    in_.take();
    return parameters;
  }

  std::optional<location_id> find_location(std::string_view name) const {
    for (location_id i = 0; i < program_.locations.size(); ++i) {
      if (program_.locations[i].name == name) return i;
    }
    return std::nullopt;
  }

  // The initial state may leave open that a location is a pointer; parameters agree about it.
  void declare_pointer(location_id id, bool pointer, const token& name) {
    const bool elsewhere = id < named_by_parameter_.size() && named_by_parameter_[id];
    if (!pointer || elsewhere) {
      in_.fail(name.at, quote(name.text) + " is a pointer " +
                            (pointer ? "here and a number elsewhere" : "elsewhere") +
                            "; expected " + (pointer ? "one star" : "two stars"));
    }
    if (program_.locations[id].initial != 0) refuse_number(name);
    program_.locations[id].pointer = true;
  }

  // A location is atomic when its initial value or some thread's parameter says so.
  location_id location_of(std::string_view name, bool atomic) {
    std::optional<location_id> id = find_location(name);
    if (!id) {
      id = static_cast<location_id>(program_.locations.size());
      program_.locations.push_back({std::string(name), location_kind::plain, 0});
    }
    if (atomic) program_.locations[*id].kind = location_kind::atomic;
    return *id;
  }

  // -------------------------------------------------------------- locations, filter, exists

  void final_state() {
    if (in_.peek().is("locations")) displayed_locations();
    if (in_.peek().is("filter")) {
      in_.take();
      program_.filter = take_proposition();
    }
    const token first = in_.peek();
    if (first.is("exists") || first.is("final")) {
      in_.take();
      program_.condition = {quantifier::exists, take_proposition()};
    } else if (first.is("forall")) {
      in_.take();
      program_.condition = {quantifier::forall, take_proposition()};
    } else if (first.is("~") || first.is("not")) {
      in_.take();
      take("exists", "after ~");
      program_.condition = {quantifier::not_exists, take_proposition()};
    } else if (first.is("(")) {
      program_.condition = {quantifier::exists, take_proposition()};
    } else if (first.what != token::kind::end) {
      if (first.what == token::kind::identifier) {
        for (const std::string_view word : {"observed", "Observed", "regions", "scopes", "cases"}) {
          if (first.text == word) in_.fail(first.at, "unsupported: " + std::string(word));
        }
      }
      in_.fail(first.at,
               "expected a thread's body, locations, filter, exists, ~exists or forall, found " +
                   found(first));
    }
    if (in_.peek().is(";")) in_.take();
    if (in_.peek().is("with")) in_.fail(in_.peek().at, "unsupported: with");
    if (in_.peek().what != token::kind::end) {
      in_.fail(in_.peek().at, "expected the end of the file, found " + found(in_.peek()));
    }
  }

  void displayed_locations() {
    in_.take();
    take("[", "after locations");
    while (!in_.peek().is("]")) {
      program_.displayed.push_back(take_observable(in_.take()));
      if (in_.peek().is("*")) in_.fail(in_.peek().at, "unsupported: types in locations");
      if (in_.peek().is("]")) break;
      take(";", "or ] after a location");
    }
    in_.take();
  }

  proposition take_proposition() { return disjunction(0); }

  proposition disjunction(int depth) {
    return joined("\\/", proposition::kind::disjunction, [&] {
      return joined("/\\", proposition::kind::conjunction, [&] { return implication(depth); });
    });
  }

  template <class F>
  proposition joined(std::string_view symbol, proposition::kind what, F part) {
    proposition first = part();
    if (!in_.peek().is(symbol)) return first;
    proposition all;
    all.what = what;
    all.parts.push_back(std::move(first));
    while (in_.peek().is(symbol)) {
      in_.take();
      proposition next = part();
      all.parts.push_back(std::move(next));
    }
    return all;
  }

  // As in herd, => binds tighter than /\.
  proposition implication(int depth) {
    proposition left = negation(depth);
    if (!in_.peek().is("=>")) return left;
    check_depth(in_, in_.take().at, depth);
    proposition p;
    p.what = proposition::kind::implication;
    p.parts.push_back(std::move(left));
    p.parts.push_back(implication(depth + 1));
    return p;
  }

  proposition negation(int depth) {
    const token first = in_.take();
    check_depth(in_, first.at, depth);
    proposition p;
    if (first.is("~") || first.is("not")) {
      p.what = proposition::kind::negation;
      p.parts.push_back(negation(depth + 1));
      return p;
    }
    if (first.is("(")) {
      p = disjunction(depth + 1);
      take(")", "to close the proposition");
      return p;
    }
    if (first.is("true")) return p;
    if (first.is("false")) {
      p.what = proposition::kind::disjunction;
      return p;
    }
    return atom(first);
  }

  proposition atom(const token& first) {
    proposition p;
    p.what = proposition::kind::atom;
    p.left = take_observable(first);
    const token comparison = in_.take();
    const bool differs = comparison.is("!=") || comparison.is("<>");
    if (!differs && !comparison.is("=") && !comparison.is("==")) {
      in_.fail(comparison.at, "expected = or != after " + to_string(program_, p.left) + ", found " +
                                  found(comparison));
    }
    token right = in_.take();
    if (right.is("[") || is_thread_name(right) ||
        (right.what == token::kind::number && in_.peek().is(":"))) {
      p.right = take_observable(right);
    } else {
      const bool minus = right.is("-");
      if (minus) right = in_.take();
      p.right = compared_value(right, minus, p.left);
    }
    if (!differs) return p;
    proposition negated;
    negated.what = proposition::kind::negation;
    negated.parts.push_back(std::move(p));
    return negated;
  }

  // A number, or for a pointer the address of a location: &x, or as herd writes it, x.
  value compared_value(token right, bool minus, const observable& with) {
    const bool ampersand = right.is("&") && !minus;
    if (ampersand) right = in_.take();
    if (right.what == token::kind::identifier && !minus) {
      const std::optional<location_id> id = find_location(right.text);
      if (!id) in_.fail(right.at, "there is no location " + quote(right.text));
      const bool pointer = with.thread
                               ? program_.threads[*with.thread].registers[with.index].pointer
                               : program_.locations[with.index].pointer;
      if (!pointer) {
        in_.fail(right.at, to_string(program_, with) + " is no pointer; for the value of " +
                               quote(right.text) + " write it in brackets");
      }
      return address_of(*id);
    }
    if (ampersand || right.what != token::kind::number) {
      in_.fail(right.at, "expected a number, found " + found(right));
    }
    return number_value(in_, right, minus);
  }

  // 0:r0, P0:r0, x or [x]
  observable take_observable(const token& first) {
    observable o;
    if (first.what == token::kind::number || (is_thread_name(first) && in_.peek().is(":"))) {
      const unsigned t = take_thread(first);
      if (t >= program_.threads.size()) {
        in_.fail(first.at, "there is no thread P" + std::to_string(t));
      }
      const token name = in_.take();
      if (name.what != token::kind::identifier) {
        in_.fail(name.at, "expected the name of a register, found " + found(name));
      }
      const auto& registers = program_.threads[t].registers;
      const auto it = std::find_if(registers.begin(), registers.end(),
                                   [&](const register_info& r) { return r.name == name.text; });
      if (it == registers.end()) {
        in_.fail(name.at, "thread P" + std::to_string(t) + " has no variable " + quote(name.text));
      }
      o.thread = t;
      o.index = static_cast<unsigned>(it - registers.begin());
      return o;
    }
    const bool bracket = first.is("[");
    const token name = bracket ? in_.take() : first;
    if (name.is("fault")) in_.fail(name.at, "unsupported: fault");
    if (name.what != token::kind::identifier) {
      in_.fail(name.at, "expected a register such as 0:r0 or a location, found " + found(name));
    }
    const std::optional<location_id> id = find_location(name.text);
    if (!id) in_.fail(name.at, "there is no location " + quote(name.text));
    if (bracket) take("]", "after a location");
    if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
    o.index = *id;
    return o;
  }

  // -------------------------------------------------------------- small things

  unsigned take_thread(const token& t) {
    std::uint64_t number = t.number;
    if (t.what == token::kind::identifier) number = std::stoull(std::string(t.text.substr(1)));
    if (number > 1000) in_.fail(t.at, "there is no thread " + found(t));
    take(":", "after the number of a thread");
    return static_cast<unsigned>(number);
  }

  token take(std::string_view symbol, const std::string& where) {
    return take_symbol(in_, symbol, where);
  }

  lexer in_;
  parse_options options_;
  program program_;
  std::vector<initial_register> registers_;
  std::vector<initial_address> addresses_;
  std::vector<bool> named_by_parameter_;  // by location
};

}  // namespace

program parse(std::string_view text, const std::string& file, const parse_options& options) {
  return file_parser(text, file, options).parse();
}

program parse_file(const std::filesystem::path& path, const parse_options& options) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw parse_error(path.string(), 0, 0, "is a folder; expected a litmus file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw parse_error(path.string(), 0, 0, "cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw parse_error(path.string(), 0, 0, "cannot be read");
  return parse(text, path.string(), options);
}

}  // namespace fencepost::litmus
