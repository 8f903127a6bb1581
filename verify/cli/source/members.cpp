#include "source/members.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "source/characters.hpp"
#include "source/source_scan.hpp"

namespace fencepost::cli {
namespace {

using words = std::vector<std::string>;

words words_in(std::string_view text) {
  words all;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end != i) all.emplace_back(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return all;
}

bool has_word(std::string_view text, std::string_view word) {
  const words all = words_in(text);
  return std::find(all.begin(), all.end(), word) != all.end();
}

// Returns the position after the bracket that closes the one at `open`.
std::size_t past(std::string_view text, std::size_t open, char opens, char closes) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opens) ++depth;
    if (text[i] == closes && --depth == 0) return i + 1;
  }
  return text.size();
}

// Returns the text without these brackets and all that is between them.
std::string without(std::string_view text, char opens, char closes) {
  std::string rest;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == opens) {
      i = past(text, i, opens, closes);
    } else {
      rest += text[i++];
    }
  }
  return rest;
}

// Returns the declaration without alignas() and attributes.
std::string plain_declaration(std::string_view text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 8, "alignas(") == 0) {
      i = past(text, i + 7, '(', ')');
    } else if (text.compare(i, 2, "[[") == 0) {
      i = past(text, i, '[', ']');
    } else {
      rest += text[i++];
    }
  }
  const std::size_t begin = std::min(rest.find_first_not_of(" \t\r\n"), rest.size());
  return rest.substr(begin);
}

class member_scanner {
 public:
  explicit member_scanner(std::string_view text) : code_(code_in(text)) {
    lines_.push_back(0);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos;)
      lines_.push_back(++at);
    find_reasons(text);
    // Names may be declared anywhere in the file, and in terms of each other.
    for (int round = 0; round < 3; ++round) {
      found_.clear();
      scan({0, code_.size()}, {});
    }
  }

  std::vector<bare_member> found() && { return std::move(found_); }

 private:
  struct range {
    std::size_t begin, end;
  };
  struct scope {
    bool in_class = false;
    bool takes_policy = false;
    bool has_reason = false;
  };

  std::uint32_t line_of(std::size_t at) const {
    return static_cast<std::uint32_t>(std::upper_bound(lines_.begin(), lines_.end(), at) -
                                      lines_.begin());
  }
  std::size_t begin_of(std::uint32_t line) const {
    return line <= lines_.size() ? lines_[line - 1] : code_.size();
  }

  // Finds the lines that a reason covers: its own, and, unless it is beside code, those below it up
  // to a blank one.
  void find_reasons(std::string_view text) {
    for (const source_comment& c : comments_in(text)) {
      const std::size_t at = c.text.find("unwatched: ");
      if (at == std::string::npos || words_in(c.text.substr(at + 11)).empty()) continue;
      std::uint32_t line = c.line;
      covered_.insert(line);
      if (c.beside) continue;
      while (++line <= lines_.size()) {
        const std::size_t begin = begin_of(line);
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (text.substr(begin, end - begin).find_first_not_of(" \t\r") == std::string_view::npos)
          break;
        covered_.insert(line);
      }
    }
  }

  void scan(range in, scope here) {
    std::size_t begin = in.begin;
    for (std::size_t i = in.begin; i < in.end;) {
      const char c = code_[i];
      if (c == '#') {  // skip the directive
        while (i < in.end && (code_[i] != '\n' || code_[i - 1] == '\\')) ++i;
        begin = i;
      } else if (c == '(') {
        i = past(code_, i, '(', ')');
      } else if (c == ';') {
        statement({begin, i}, here);
        begin = ++i;
      } else if (c == ':' && is_access(begin, i)) {
        begin = ++i;
      } else if (c == '{') {
        const std::size_t end = past(code_, i, '{', '}');
        begin = block({begin, i}, {i + 1, end - 1}, here);
        i = std::max(begin, end);
      } else {
        ++i;
      }
    }
  }

  bool is_access(std::size_t begin, std::size_t colon) const {
    const words all = words_in(std::string_view(code_).substr(begin, colon - begin));
    return all.size() == 1 && (all[0] == "public" || all[0] == "private" || all[0] == "protected");
  }

  // Handles a block and what comes before it. Returns where the next statement begins: after the
  // block, or, if the block is an initialiser, where the current statement began.
  std::size_t block(range head, range body, scope here) {
    const std::string_view text = std::string_view(code_).substr(head.begin, head.end - head.begin);
    const std::string declared = plain_declaration(text);
    const std::string flat = without(declared, '<', '>');
    const words all = words_in(flat);
    const auto has = [&](std::string_view word) {
      return std::find(all.begin(), all.end(), word) != all.end();
    };
    const std::size_t next = code_.find_first_not_of(" \t\r\n", body.end + 1);
    const char after = next == std::string::npos ? '\0' : code_[next];
    if (flat.find('(') == std::string::npos && flat.find('=') == std::string::npos) {
      if (has("namespace")) {
        scan(body, here);
        return body.end + 1;
      }
      if (has("enum")) return body.end + 1;
      if (has("class") || has("struct")) {
        scope inner = here;
        inner.in_class = true;
        inner.takes_policy |= takes_policy(declared);
        inner.has_reason |=
            covered_.contains(line_of(text_begin(head))) || covered_.contains(line_of(head.end));
        name_parameters(declared);
        const bool was = std::exchange(made_of_policy_, false);
        scan(body, inner);
        if (made_of_policy_ && !inner.has_reason) names_.insert(name_of_class(all));
        made_of_policy_ = was;
        return body.end + 1;
      }
      return head.begin;  // an initialiser
    }
    if (flat.find('(') == std::string::npos) return head.begin;
    return after == ',' || after == '{' ? head.begin : body.end + 1;
  }

  std::size_t text_begin(range of) const {
    return std::min(code_.find_first_not_of(" \t\r\n", of.begin), of.end);
  }

  static bool takes_policy(const std::string& head) {
    const std::size_t at = head.find("class P");
    return at != std::string::npos && (at + 7 == head.size() || !in_word(head[at + 7]));
  }

  // Adds Barrier for "template <class P, class Barrier = barrier<P>>".
  void name_parameters(const std::string& head) {
    for (std::size_t is = head.find(" = "); is != std::string::npos;
         is = head.find(" = ", is + 1)) {
      const std::string by_default = head.substr(is, head.find(',', is) - is);
      const words before = words_in(std::string_view(head).substr(0, is));
      if (has_word(by_default, "P") && !before.empty()) names_.insert(before.back());
    }
  }

  // Returns X for "template class X final : public Y".
  static std::string name_of_class(const words& head) {
    for (std::size_t i = head.size(); i-- > 0;) {
      if ((head[i] == "class" || head[i] == "struct") && i + 1 < head.size()) return head[i + 1];
    }
    return {};
  }

  void statement(range of, scope here) {
    const std::string_view text = std::string_view(code_).substr(of.begin, of.end - of.begin);
    const std::string declared = plain_declaration(text);
    const words all = words_in(declared);
    if (all.empty()) return;
    if (all[0] == "using" && all.size() > 2 && is_made_of_policy(declared)) names_.insert(all[1]);
    if (all[0] == "template" && declared.find("using ") != std::string::npos) return;
    if (!here.in_class || !here.takes_policy) return;
    for (const char* other : {"using", "typedef", "friend", "static", "static_assert", "template",
                              "enum", "class", "struct", "explicit", "virtual", "operator"}) {
      if (all[0] == other) return;
    }
    // The declarator: without template arguments, initialiser and array bounds.
    std::string flat = without(without(declared, '{', '}'), '<', '>');
    flat = without(flat.substr(0, flat.find('=')), '[', ']');
    const std::size_t pointer_to_function = flat.find("(*");
    if (pointer_to_function == std::string::npos && flat.find('(') != std::string::npos) return;
    if (has_word(flat, "operator") || has_word(flat, "default")) return;
    const words names = words_in(
        pointer_to_function == std::string::npos ? flat : flat.substr(pointer_to_function));
    if (names.size() < (pointer_to_function == std::string::npos ? 2U : 1U)) return;
    if (is_made_of_policy(declared)) {
      made_of_policy_ = true;
      return;
    }
    if (here.has_reason) return;
    const std::uint32_t line = line_of(of.end);
    for (std::uint32_t l = line_of(text_begin(of)); l <= line; ++l) {
      if (covered_.contains(l)) return;
    }
    found_.push_back({line, pointer_to_function == std::string::npos ? names.back() : names[0]});
  }

  // True for P::plain<...>, event_count<P>, or a name that stands for such a type; a pointer to one
  // of the last two does not count.
  bool is_made_of_policy(const std::string& declared) const {
    std::string type = without(declared, '{', '}');
    if (type.starts_with("using ")) {
      const std::size_t is = type.find('=');
      if (is == std::string::npos) return false;
      type = type.substr(is + 1);
    } else {
      type = type.substr(0, type.find('='));
    }
    const std::string outside = without(type, '<', '>');
    if (outside.find_first_of("*&(") != std::string::npos) return false;
    if (outside.find("P::") != std::string::npos) return true;
    const std::size_t library = outside.find("std::");
    if (library != std::string::npos && outside.compare(library, 10, "std::array") != 0)
      return false;
    const words all = words_in(type);
    return std::any_of(all.begin(), all.end(), [this](const std::string& word) {
      return word == "P" || names_.contains(word);
    });
  }

  std::string code_;
  std::vector<std::size_t> lines_;  // where each line begins
  std::set<std::uint32_t> covered_;
  std::set<std::string> names_;  // that stand for types made of the policy
  bool made_of_policy_ = false;  // the class that is scanned has such a member
  std::vector<bare_member> found_;
};

}  // namespace

std::vector<bare_member> bare_members(std::string_view text) {
  return member_scanner(text).found();
}

}  // namespace fencepost::cli
