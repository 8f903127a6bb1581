// The format: a line that says what it is, then a word and its values in each line. What was found
// in a part is encoded like a message between processes, in hexadecimal.
//
//   fencepost checkpoint 2
//   seconds 12.5
//   lessons @1.3/0*12.1/0
//   end end
//   whole 200 1234.5 1000 2000
//   closed begin 0*3.1 0a8f...
//   open 0*3.1 end
//   parts 2
#include "divide/kept_exploration.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "divide/message.hpp"

namespace fencepost::verify {

namespace {

constexpr std::string_view heading = "fencepost checkpoint 2";

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

double number_from(std::string_view text) {
  const std::string whole(text);
  char* end = nullptr;
  const double x = std::strtod(whole.c_str(), &end);
  if (whole.empty() || *end != '\0' || !(x >= 0)) refuse("'" + whole + "' is not a number");
  return x;
}

std::string hexadecimal(const std::string& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::string bytes_from(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    refuse("the result of a part cannot be read");
  };
  if (text.size() % 2 != 0) refuse("the result of a part is truncated");
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2)
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  return bytes;
}

std::string found_to_text(const part_result& r) {
  message_writer m;
  transfer(m, r);
  return hexadecimal(m.bytes());
}

part_result found_from(std::string_view text) {
  const std::string bytes = bytes_from(text);
  message_reader m(bytes);
  part_result r;
  try {
    transfer(m, r);
  } catch (const std::runtime_error&) {
    refuse("the result of a part is truncated");
  }
  if (!m.is_at_end() || r.how > part_result::ending::over)
    refuse("the result of a part cannot be read");
  return r;
}

choice_path place(std::string_view text) {
  std::optional<choice_path> p = place_from(text);
  if (!p) refuse("'" + std::string(text.substr(0, 40)) + "' is not a position in a search tree");
  return *std::move(p);
}

std::string_view up_to(char c, std::string_view& text) {
  const std::size_t end = std::min(text.find(c), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

// The N values of a line.
template <std::size_t N>
std::array<std::string_view, N> values(std::string_view line) {
  std::array<std::string_view, N> all;
  for (std::string_view& v : all) v = up_to(' ', line);
  if (!line.empty()) refuse("a line has more fields than expected");
  return all;
}

}  // namespace

std::string to_text(const kept_exploration& e) {
  const auto places = [](const part& p) {
    return (p.after ? place_to_text(*p.after) : "begin") + " " + place_to_text(p.last);
  };
  std::string text(heading);
  text += "\nseconds " + number(e.seconds);
  text += "\nlessons " + to_text(search_path{e.lessons, {}});
  text += "\nend " + place_to_text(e.parts.end()) + "\n";
  if (e.whole)
    text += "whole " + std::to_string(e.whole->probes) + " " + number(e.whole->executions) + " " +
            number(e.whole->at_least) + " " + number(e.whole->at_most) + "\n";
  for (const ledger::kept& k : e.parts.all())
    text += k.found ? "closed " + places(k.where) + " " + found_to_text(*k.found) + "\n"
                    : "open " + places(k.where) + "\n";
  return text + "parts " + std::to_string(e.parts.all().size()) + "\n";
}

kept_exploration kept_exploration_from(std::string_view text) {
  if (up_to('\n', text) != heading) refuse("it does not begin with '" + std::string(heading) + "'");
  kept_exploration e;
  std::vector<ledger::kept> parts;
  std::optional<choice_path> end;
  bool whole = false;
  while (!text.empty()) {
    std::string_view line = up_to('\n', text);
    const std::string_view word = up_to(' ', line);
    const auto add = [&](std::string_view from, std::string_view last) {
      ledger::beginning after;
      if (from != "begin") after = place(from);
      parts.push_back({{std::move(after), place(last)}, {}});
    };
    if (word == "seconds") {
      e.seconds = number_from(line);
    } else if (word == "lessons") {
      std::optional<search_path> all = search_path_from(line);
      if (!all) refuse("its lessons cannot be read");
      e.lessons = std::move(all->lessons);
    } else if (word == "end") {
      end = place(line);
    } else if (word == "whole") {
      const auto [probes, mean, least, most] = values<4>(line);
      e.whole = {static_cast<std::size_t>(std::min(number_from(probes), 1e9)), number_from(mean),
                 number_from(least), number_from(most)};
    } else if (word == "open") {
      const auto [from, last] = values<2>(line);
      add(from, last);
    } else if (word == "closed") {
      const auto [from, last, found] = values<3>(line);
      add(from, last);
      parts.back().found = found_from(found);
    } else if (word == "parts" && text.empty()) {
      whole = line == std::to_string(parts.size());
    } else {
      refuse("'" + std::string(word.substr(0, 40)) + "' is not understood");
    }
  }
  if (!whole) refuse("it is truncated");
  if (!end) refuse("its end is missing");
  e.parts = ledger(parts, *std::move(end));
  return e;
}

}  // namespace fencepost::verify
