// The tokens of a litmus file, read on demand, since what opens a comment depends on the section.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fencepost::litmus {

struct place {
  std::size_t offset = 0;
  std::size_t line = 1;
  std::size_t column = 1;
};

struct token {
  enum class kind : std::uint8_t { end, identifier, number, symbol, text };
  kind what = kind::end;
  std::string_view text;     // as written
  std::uint64_t number = 0;  // kind::number
  place at;

  bool is(std::string_view symbol_or_word) const noexcept {
    return (what == kind::symbol || what == kind::identifier) && text == symbol_or_word;
  }
};

class lexer {
 public:
  lexer(std::string_view source, std::string file) : source_(source), file_(std::move(file)) {}

  // In a thread's body "(*" begins an expression; everywhere else it begins a comment.
  void in_body(bool yes) noexcept { in_body_ = yes; }

  const token& peek();
  token take();

  // For the header, which is not made of tokens.
  std::string_view word();                     // up to the next white space
  void skip_to_brace();                        // to the next { outside comments and quotes
  place here() const noexcept { return at_; }  // only if no token was peeked

  [[noreturn]] void fail(const place&, const std::string& message) const;

 private:
  bool done() const noexcept { return at_.offset >= source_.size(); }
  char current() const noexcept { return done() ? '\0' : source_[at_.offset]; }
  bool starts(std::string_view s) const noexcept {
    return source_.substr(at_.offset, s.size()) == s;
  }
  void step(std::size_t bytes = 1);
  bool skip_comment();
  void skip_quoted();
  void skip_blank();
  token scan();

  std::string_view source_;
  std::string file_;
  place at_;
  token ahead_;
  bool peeked_ = false;
  bool in_body_ = false;
};

}  // namespace fencepost::litmus
