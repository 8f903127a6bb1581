#include "lexer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "fencepost/litmus/parse.hpp"

namespace fencepost::litmus {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Longest first.
constexpr std::array<std::string_view, 26> long_symbols = {
    "<<=", ">>=", "...", "/\\", "\\/", "=>", "==", "!=", "<>", "<=", ">=", "&&", "||",
    "<<",  ">>",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->"};
constexpr std::string_view short_symbols = "{}()[];:,=<>+-*/%&|^~!?.#@'$\\";

}  // namespace

void lexer::fail(const place& at, const std::string& message) const {
  throw parse_error(file_, at.line, at.column, message);
}

void lexer::step(std::size_t bytes) {
  for (; bytes > 0 && !done(); --bytes) {
    if (source_[at_.offset++] == '\n') {
      ++at_.line;
      at_.column = 1;
    } else {
      ++at_.column;
    }
  }
}

bool lexer::skip_comment() {
  const place begin = at_;
  if (starts("//")) {
    while (!done() && current() != '\n') step();
    return true;
  }
  const bool c = starts("/*");
  if (!c && (in_body_ || !starts("(*"))) return false;
  const std::string_view open = c ? "/*" : "(*";
  const std::string_view close = c ? "*/" : "*)";
  std::size_t depth = 0;  // herd's comments nest, C's do not
  do {
    if (done()) fail(begin, "this comment never ends: expected " + std::string(close));
    if (starts(close)) {
      --depth;
      step(2);
    } else if (starts(open) && (!c || depth == 0)) {
      ++depth;
      step(2);
    } else {
      step();
    }
  } while (depth > 0);
  return true;
}

void lexer::skip_blank() {
  for (;;) {
    while (!done() && is_space(current())) step();
    if (!skip_comment()) return;
  }
}

void lexer::skip_quoted() {
  const place begin = at_;
  do {
    step();
    if (done()) fail(begin, "this text never ends: expected \"");
  } while (current() != '"');
  step();
}

std::string_view lexer::word() {
  skip_blank();
  const std::size_t begin = at_.offset;
  while (!done() && !is_space(current())) step();
  return source_.substr(begin, at_.offset - begin);
}

void lexer::skip_to_brace() {
  const place begin = at_;
  for (;;) {
    skip_blank();
    if (done()) fail(begin, "expected { and the initial state after the header");
    if (current() == '{') return;
    if (current() == '"') {
      skip_quoted();
    } else {
      step();
    }
  }
}

token lexer::scan() {
  skip_blank();
  token t;
  t.at = at_;
  if (done()) return t;
  const std::size_t begin = at_.offset;
  const auto finish = [&](token::kind k) {
    t.what = k;
    t.text = source_.substr(begin, at_.offset - begin);
    return t;
  };
  if (is_letter(current())) {
    while (is_letter(current()) || is_digit(current())) step();
    return finish(token::kind::identifier);
  }
  if (is_digit(current())) {
    const bool hex = starts("0x") || starts("0X");
    if (hex) step(2);
    bool overflow = false;
    std::size_t digits = 0;
    const std::uint64_t base = hex ? 16 : 10;
    for (;; ++digits, step()) {
      const int d = hex || is_digit(current()) ? hex_digit(current()) : -1;
      if (d < 0) break;
      const auto next = t.number * base + static_cast<std::uint64_t>(d);
      overflow = overflow || t.number > (~std::uint64_t{0} - static_cast<std::uint64_t>(d)) / base;
      t.number = next;
    }
    if (digits == 0 || is_letter(current()))
      fail(t.at, "this is not a number: expected digits only");
    if (overflow) fail(t.at, "this number does not fit in 64 bits");
    return finish(token::kind::number);
  }
  if (current() == '"') {
    skip_quoted();
    return finish(token::kind::text);
  }
  for (const std::string_view s : long_symbols) {
    if (starts(s)) {
      step(s.size());
      return finish(token::kind::symbol);
    }
  }
  if (short_symbols.find(current()) != std::string_view::npos) {
    step();
    return finish(token::kind::symbol);
  }
  std::array<char, 8> code{};
  std::snprintf(code.data(), code.size(), "0x%02x", static_cast<unsigned char>(current()));
  fail(t.at, std::string("unexpected character ") + code.data());
}

const token& lexer::peek() {
  if (!peeked_) {
    ahead_ = scan();
    peeked_ = true;
  }
  return ahead_;
}

token lexer::take() {
  peek();
  peeked_ = false;
  return ahead_;
}

}  // namespace fencepost::litmus
