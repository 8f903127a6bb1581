#include "source/source_scan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "source/characters.hpp"

namespace fencepost::cli {
namespace {

constexpr std::string_view operations[] = {"load",
                                           "store",
                                           "exchange",
                                           "compare_exchange_weak",
                                           "compare_exchange_strong",
                                           "fetch_add",
                                           "fetch_sub",
                                           "fetch_and",
                                           "fetch_or",
                                           "fetch_xor",
                                           "load_low",
                                           "load_high",
                                           "store_low",
                                           "store_high",
                                           "wait",
                                           "fence",
                                           "atomic_thread_fence"};

constexpr std::string_view kept[] = {"acquire on failure",
                                     "seq_cst on failure",
                                     "seq_cst",
                                     "acq_rel",
                                     "acquire",
                                     "release",
                                     "strong",
                                     "fence",
                                     "unexercised"};

// The text without comments and literals, with all else in its place; and the comments, by line.
class stripped {
 public:
  explicit stripped(std::string_view text) : code(text) {
    std::uint32_t line = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      const char next = i + 1 < text.size() ? text[i + 1] : '\0';
      if (c == '\n') {
        ++line;
      } else if (c == '/' && next == '/') {
        const std::size_t end = std::min(text.find('\n', i), text.size());
        comments[line] += std::string(text.substr(i + 2, end - i - 2)) + " ";
        i = blank(i, end);
      } else if (c == '/' && next == '*') {
        const std::size_t close = text.find("*/", i + 2);
        const std::size_t end = close == std::string_view::npos ? text.size() : close + 2;
        for (std::size_t k = i + 2; k + 2 < end; ++k) {
          if (text[k] == '\n')
            ++line;
          else
            comments[line] += text[k];
        }
        comments[line] += ' ';
        i = blank(i, end);
      } else if (c == '"' || (c == '\'' && (i == 0 || !in_word(text[i - 1])))) {
        std::size_t end = i + 1;
        while (end < text.size() && text[end] != c && text[end] != '\n') {
          end += text[end] == '\\' ? 2U : 1U;
        }
        i = blank(i, std::min(end + 1, text.size()));
        if (code[i] == '\n') ++line;  // not a literal after all
      }
    }
  }

  std::string code;
  std::map<std::uint32_t, std::string> comments;

 private:
  std::size_t blank(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (code[k] != '\n') code[k] = ' ';
    }
    return end - 1;
  }
};

// Returns where the expression begins that ends before `end`, as far as names, dots, arrows and
// indices go.
std::size_t beginning(const std::string& code, std::size_t end) {
  std::size_t at = end;
  while (at > 0) {
    const char c = code[at - 1];
    if (in_word(c) || c == '.' || c == ':') {
      --at;
    } else if (c == '>' && at > 1 && code[at - 2] == '-') {
      at -= 2;
    } else if (c == ']') {
      const std::size_t open = code.rfind('[', at - 1);
      if (open == std::string::npos) break;
      at = open;
    } else {
      break;
    }
  }
  return at;
}

std::vector<kept_reason> reasons_in(std::string comment) {
  // The comment as one line.
  std::string text;
  for (const char c : comment) {
    if (!is_space(c))
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  std::vector<kept_reason> all;
  for (std::size_t at = text.find("kept "); at != std::string::npos;
       at = text.find("kept ", at + 1)) {
    const std::string_view rest = std::string_view(text).substr(at + 5);
    for (const std::string_view what : kept) {
      if (!rest.starts_with(what) || !rest.substr(what.size()).starts_with(": ")) continue;
      const std::string_view why = rest.substr(what.size() + 2);
      std::size_t end = std::min({why.size(), why.find(". "), why.find(" kept ")});
      while (end > 0 && (is_space(why[end - 1]) || why[end - 1] == '.' || why[end - 1] == ';'))
        --end;
      if (end != 0) all.push_back({std::string(what), std::string(why.substr(0, end))});
      break;
    }
  }
  return all;
}

class scanner {
 public:
  explicit scanner(std::string_view text) : text_(text) {
    const std::string& code = text_.code;
    std::vector<call> open;
    std::uint32_t line = 1;
    std::size_t begin_of_line = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const char c = code[i];
      if (c == '\n') {
        ++line;
        begin_of_line = i + 1;
      } else if (c == '(') {
        call one;
        one.at = i;
        one.found.line = line;
        one.found.column = static_cast<std::uint32_t>(i - begin_of_line + 1);
        std::size_t end = i;
        while (end > 0 && is_space(code[end - 1])) --end;
        std::size_t begin = end;
        while (begin > 0 && in_word(code[begin - 1])) --begin;
        one.function = code.substr(begin, end - begin);
        one.found.name = shown(code.substr(beginning(code, end), end - beginning(code, end)));
        one.in_assert = one.function == "assert" || (!open.empty() && open.back().in_assert);
        open.push_back(std::move(one));
      } else if (c == ')' && !open.empty()) {
        open.back().found.last_line = line;
        close(open.back());
        open.pop_back();
      } else if (!open.empty() && code.compare(i, 12, "memory_order") == 0) {
        std::size_t begin = i + 12;
        if (code.compare(begin, 1, "_") == 0)
          begin += 1;
        else if (code.compare(begin, 2, "::") == 0)
          begin += 2;
        else
          continue;
        std::size_t end = begin;
        while (end < code.size() && in_word(code[end])) ++end;
        open.back().found.orders.push_back(code.substr(begin, end - begin));
        i = end - 1;
      }
    }
    std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
  }

  std::vector<source_operation> found() && { return std::move(found_); }

 private:
  struct call {
    std::size_t at = 0;
    std::string function;
    bool in_assert = false;
    source_operation found;
  };

  static std::string shown(std::string name) {
    for (const std::string_view scope : {"P::", "std::", "this->"}) {
      if (name.starts_with(scope)) name.erase(0, scope.size());
    }
    return name;
  }

  void close(call& done) {
    if (done.found.orders.empty() || done.in_assert) return;
    if (std::find(std::begin(operations), std::end(operations), done.function) ==
        std::end(operations)) {
      return;
    }
    done.found.reasons = reasons_in(comments_of(done.at));
    found_.push_back(std::move(done.found));
  }

  // Returns the comments beside the statement that contains the place, and directly above it.
  std::string comments_of(std::size_t at) const {
    const std::string& code = text_.code;
    constexpr const char* ends = ";{}";
    const std::size_t before = code.find_last_of(ends, at);
    std::size_t first =
        code.find_first_not_of(" \t\r\n", before == std::string::npos ? 0 : before + 1);
    const std::size_t last = std::min(code.find_first_of(ends, at), code.size() - 1);
    first = line_of(first);
    std::uint32_t from = static_cast<std::uint32_t>(first);
    while (from > 1 && has_only_comment(from - 1)) --from;
    std::string all;
    for (auto i = text_.comments.lower_bound(from);
         i != text_.comments.end() && i->first <= line_of(last); ++i) {
      all += i->second + " ";
    }
    return all;
  }

  std::uint32_t line_of(std::size_t at) const {
    return 1 + static_cast<std::uint32_t>(std::count(
                   text_.code.begin(), text_.code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }

  bool has_only_comment(std::uint32_t line) const {
    if (!text_.comments.contains(line)) return false;
    std::size_t begin = 0;
    for (std::uint32_t i = 1; i < line; ++i) begin = text_.code.find('\n', begin) + 1;
    const std::size_t end = std::min(text_.code.find('\n', begin), text_.code.size());
    return text_.code.find_first_not_of(" \t\r", begin) >= end;
  }

  stripped text_;
  std::vector<source_operation> found_;
};

}  // namespace

std::vector<source_operation> scan(std::string_view text) { return scanner(text).found(); }

std::vector<source_comment> comments_in(std::string_view text) {
  const stripped source(text);
  std::vector<source_comment> all;
  std::size_t begin = 0;
  std::uint32_t line = 1;
  for (const auto& [of, words] : source.comments) {
    for (; line < of; ++line) begin = source.code.find('\n', begin) + 1;
    const std::size_t end = std::min(source.code.find('\n', begin), source.code.size());
    all.push_back({of, words, source.code.find_first_not_of(" \t\r", begin) < end});
  }
  return all;
}

std::string code_in(std::string_view text) { return stripped(text).code; }

std::size_t find(const std::vector<source_operation>& of, std::uint32_t line,
                 std::uint32_t column) {
  if (column == 0) {
    const auto on = [&](const source_operation& o) { return o.line == line; };
    const auto first = std::find_if(of.begin(), of.end(), on);
    // If there are several on the line, any may be meant.
    const bool several = first != of.end() && std::find_if(first + 1, of.end(), on) != of.end();
    return several ? of.size() : static_cast<std::size_t>(first - of.begin());
  }
  const auto at = std::find_if(of.begin(), of.end(), [&](const source_operation& o) {
    return std::pair(o.line, o.column) >= std::pair(line, column);
  });
  return static_cast<std::size_t>(at - of.begin());
}

}  // namespace fencepost::cli
