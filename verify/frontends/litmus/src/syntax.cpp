#include "syntax.hpp"

#include <algorithm>
#include <array>

namespace fencepost::litmus {

std::string quote(std::string_view s) {
  std::string text;
  text += '\'';
  text += s;
  text += '\'';
  return text;
}

std::string found(const token& t) {
  switch (t.what) {
    case token::kind::end: return "the end of the file";
    case token::kind::text: return "a text in quotes";
    case token::kind::number:
    case token::kind::identifier:
    case token::kind::symbol: break;
  }
  constexpr std::size_t longest = 40;
  return t.text.size() <= longest ? quote(t.text)
                                  : quote(std::string(t.text.substr(0, longest)) + "...");
}

bool is_thread_name(const token& t) {
  return t.what == token::kind::identifier && t.text.size() > 1 && t.text.size() < 6 &&
         t.text[0] == 'P' &&
         std::all_of(t.text.begin() + 1, t.text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

namespace {

enum class word_class {
  none,
  qualifier,
  atomic_qualifier,
  integer,
  atomic_integer,
  nothing,
  other
};

word_class classify(const token& t) {
  if (t.what != token::kind::identifier) return word_class::none;
  const auto any = [&](auto... words) { return ((t.text == words) || ...); };
  if (any("const", "volatile", "signed")) return word_class::qualifier;
  if (any("_Atomic")) return word_class::atomic_qualifier;
  if (any("int", "long", "int32_t", "int64_t", "intptr_t", "intmax_t", "ptrdiff_t")) {
    return word_class::integer;
  }
  if (any("atomic_int", "atomic_long", "atomic_llong", "atomic_intptr_t", "atomic_intmax_t",
          "atomic_int_fast32_t", "atomic_int_fast64_t", "atomic_int_least32_t",
          "atomic_int_least64_t")) {
    return word_class::atomic_integer;
  }
  if (any("void")) return word_class::nothing;
  if (any("char", "short", "unsigned", "float", "double", "bool", "_Bool", "struct", "union",
          "enum", "static", "extern", "register", "auto", "inline", "typedef", "__int128",
          "atomic_bool", "atomic_uint", "atomic_char", "atomic_flag") ||
      (t.text.size() > 2 && t.text.substr(t.text.size() - 2) == "_t")) {
    return word_class::other;
  }
  return word_class::none;
}

}  // namespace

bool is_type(const token& t) { return classify(t) != word_class::none; }

type_name take_type(lexer& in) {
  type_name type;
  type.at = in.peek().at;
  bool named = false;
  for (;;) {
    const token t = in.peek();
    switch (classify(t)) {
      case word_class::qualifier: break;
      case word_class::atomic_qualifier:
        type.atomic = true;
        in.take();
        if (in.peek().is("(")) {
          in.take();
          const type_name inner = take_type(in);
          type.stars += inner.stars;
          take_symbol(in, ")", "after the type in _Atomic(...)");
          named = true;
        }
        continue;
      case word_class::integer: named = true; break;
      case word_class::atomic_integer: named = type.atomic = true; break;
      case word_class::nothing: named = type.nothing = true; break;
      case word_class::other: in.fail(t.at, "unsupported: type " + quote(t.text));
      case word_class::none:
        if (!t.is("*")) {
          // `* x` in the initial state: a pointer without a type.
          if (!named && type.stars == 0) {
            in.fail(t.at, "expected a type such as int or atomic_int, found " + found(t));
          }
          return type;
        }
        ++type.stars;
        break;
    }
    in.take();
  }
}

value number_value(const lexer& in, const token& number, bool minus) {
  constexpr std::uint64_t half = std::uint64_t{1} << 63U;
  // Hexadecimal numbers may spell all 64 bits.
  const bool hex = number.text.size() > 1 && (number.text[1] == 'x' || number.text[1] == 'X');
  if (number.number > half || (number.number == half && !minus)) {
    if (!hex || minus) in.fail(number.at, "this number does not fit in a signed 64-bit integer");
  }
  return static_cast<value>(minus ? 0 - number.number : number.number);
}

token take_symbol(lexer& in, std::string_view symbol, const std::string& where) {
  const token t = in.take();
  if (!t.is(symbol)) {
    std::string message = "expected " + std::string(symbol);
    if (!where.empty()) message += ' ' + where;
    in.fail(t.at, message + ", found " + found(t));
  }
  return t;
}

unsigned take_thread(lexer& in, const token& number) {
  std::uint64_t n = number.number;
  if (number.what == token::kind::identifier) n = std::stoull(std::string(number.text.substr(1)));
  if (n > 1000) in.fail(number.at, "there is no thread " + found(number));
  take_symbol(in, ":", "after the number of a thread");
  return static_cast<unsigned>(n);
}

std::optional<location_id> location_named(const program& p, std::string_view name) {
  for (location_id i = 0; i < p.locations.size(); ++i) {
    if (p.locations[i].name == name) return i;
  }
  return std::nullopt;
}

location_id location_of(program& p, std::string_view name) {
  if (const std::optional<location_id> id = location_named(p, name)) return *id;
  p.locations.push_back({std::string(name), location_kind::plain, 0});
  return static_cast<location_id>(p.locations.size() - 1);
}

void check_depth(const lexer& in, const place& at, int depth) {
  constexpr int deepest = 200;
  if (depth > deepest) {
    in.fail(at, "nested too deeply: more than " + std::to_string(deepest) + " levels");
  }
}

}  // namespace fencepost::litmus
