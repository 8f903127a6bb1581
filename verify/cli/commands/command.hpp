// A command of the program: its name, its arguments and its action. The arguments are described as
// data, for the parser (command_line.cpp, the only source that knows CLI11), for help, and for the
// manual page and the completions.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/entry.hpp"

namespace fencepost::cli {

// Returns what is wrong with a value, in words; "" if it is valid.
using value_check = std::function<std::string(const std::string&)>;

value_check file_name();         // not empty
value_check positive_seconds();  // such as 30 or 0.5
// Accepts decimal digits and nothing else, so that -1 is not taken for a large number.
value_check whole_number(std::uint64_t least, std::uint64_t most);

struct argument {
  enum class values {
    none,     // a flag
    one,      // at most once
    listed,   // one or more after the name
    repeated  // one after the name, which may come several times
  };

  std::string names;  // "-j,--jobs"; without hyphens: a positional argument
  std::string type;   // "N", "rc20|rc11|c++20"; "" for a flag
  std::string text;
  values takes = values::one;
  // Called with the checked values; not called if there are none.
  std::function<void(const std::vector<std::string>&)> set;
  value_check check = {};
  std::string shown_default = {};
  bool required = false;

  bool is_positional() const { return !names.starts_with('-'); }
  argument& must(value_check c) { return check = std::move(c), *this; }
  argument& is_required() { return required = true, *this; }
  argument& showing_default(const std::string& value) { return shown_default = value, *this; }
  argument& showing_default(std::uint64_t value) { return showing_default(std::to_string(value)); }
};

// Converts a text that was checked.
void assign(std::string&, const std::string&);
void assign(double&, const std::string&);
std::uint64_t number_in(const std::string&);
template <std::unsigned_integral Number>
void assign(Number& value, const std::string& text) {
  value = static_cast<Number>(number_in(text));
}
template <class Value>
void assign(std::optional<Value>& value, const std::string& text) {
  assign(value.emplace(), text);
}

struct command {
  std::string name;
  std::string text;
  std::string footer;  // "" for the program's
  std::vector<argument> arguments = {};
  std::function<int()> run = {};

  // The variables must outlive the command.
  argument& flag(std::string names, bool& on, std::string about);
  argument& flag(std::string names, std::function<void()> given, std::string about);
  template <class Value>  // a string, a number, or an optional one
  argument& option(std::string names, Value& value, std::string type, std::string about) {
    return add({std::move(names), std::move(type), std::move(about), argument::values::one,
                [&value](const std::vector<std::string>& given) { assign(value, given.front()); }});
  }
  argument& option(std::string names, std::vector<std::string>& values, std::string type,
                   std::string about);
  argument& file(std::string names, std::string& path, std::string about);
  argument& add(argument);
  // An option whose value is one of a few words.
  template <class Value>
  argument& choice(std::string names, Value& value,
                   const std::vector<std::pair<std::string, Value>>& words, std::string about) {
    std::vector<std::string> known;
    for (const auto& [word, meant] : words) known.push_back(word);
    return choice(
        std::move(names), known, [&value, words](std::size_t i) { value = words[i].second; },
        std::move(about));
  }
  argument& choice(std::string names, const std::vector<std::string>& words,
                   std::function<void(std::size_t)> set, std::string about);
};

struct program {
  const std::vector<entry>& entries;
  std::string name;  // as the user called it
};

struct application {
  std::string name;
  std::string text;
  std::string footer;
  std::vector<argument> arguments;  // of the program itself; --help, the last, is every command's
  std::vector<command> commands;
};

// Describes the whole program (command_line.cpp).
application describe(program&);

command list_command(program&);
command verify_command(program&);
command shard_command(program&);
command run_shard_command(program&);
command merge_command(program&);
command explain_command(program&);
command litmus_command(program&);
command necessity_command(program&);
command certificate_command(program&);
command labels_command(program&);
command stress_command(program&);
command compile_command(program&, const std::string& name);  // "c++" or "cc"
command check_command(program&);

// Arguments for a compiler, or for the program that is checked, are not for the parser.
// is_compilation() is true if the arguments are for compile(), which does not return.
// count_for_parser() returns how many words of a check are for the parser.
int count_for_parser(int argc, const char* const* argv);
bool is_compilation(int argc, const char* const* argv);
[[noreturn]] void compile(int argc, const char* const* argv);

}  // namespace fencepost::cli
