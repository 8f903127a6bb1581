#include "source/label_sentence.hpp"

#include <algorithm>
#include <optional>

#include "source/characters.hpp"

namespace fencepost::cli {
namespace {

constexpr std::string_view orders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

// True for lower-case words separated by dots; the first character is a letter, to exclude line
// numbers.
bool is_label(std::string_view name) noexcept {
  const auto fits = [](char c) {
    return c == '.' || c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' && name.back() != '.' &&
         name.find("..") == std::string_view::npos && std::all_of(name.begin(), name.end(), fits);
}

// True for a label, and for "file.hpp/label".
bool is_partner(std::string_view name) noexcept {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return is_label(name);
  return name.substr(0, slash).find('.') != std::string_view::npos &&
         is_label(name.substr(slash + 1));
}

// Reads a text from the left. The functions that take something skip white space before it.
class cursor {
 public:
  cursor(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const noexcept { return at_; }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // Takes the word if it comes next and is a whole word; otherwise takes nothing and returns false.
  bool take_word(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    if (at_ + word.size() < text_.size() && in_word(text_[at_ + word.size()])) return false;
    at_ += word.size();
    return true;
  }

  std::string take_order() {
    for (const std::string_view o : orders) {
      if (take_word(o)) return std::string(o);
    }
    return {};
  }

  // Takes a name in brackets, which must be on one line.
  std::optional<std::string> take_name() {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != '[') return std::nullopt;
    const std::size_t end = text_.find_first_of("[]\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] != ']') return std::nullopt;
    std::string name(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return name;
  }

  // Takes "[a], [b]", without a comma after the last name.
  std::vector<std::string> take_names() {
    std::vector<std::string> names;
    for (cursor next = *this; auto name = next.take_name();) {
      names.push_back(std::move(*name));
      *this = next;
      if (!next.take(',')) break;
    }
    return names;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  std::string_view text_;
  std::size_t at_;
};

// True if a sentence may begin at the bracket: at the beginning of the comment or of a line, or
// after a full stop.
bool may_begin(std::string_view text, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && is_space(text[before - 1])) {
    if (text[--before] == '\n') return true;
  }
  return before == 0 || text[before - 1] == '.';
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& n : names) text += (text.empty() ? "[" : ", [") + n + "]";
  return text;
}

// Reads what follows the labels, up to the reason. Returns what is wrong, or "".
std::string read_rest(cursor& from, label_sentence& s) {
  s.orders.push_back(from.take_order());
  cursor next = from;
  if (next.take(',')) {
    if (std::string order = next.take_order(); !order.empty()) {
      if (!next.take_word("on") || !next.take_word("failure"))
        return "after '" + order + "' comes 'on failure'";
      s.orders.push_back(std::move(order));
      from = next;
    }
  }
  const std::string after =
      "after '" + s.orders.back() + std::string(s.orders.size() > 1 ? " on failure" : "");
  if (!from.take(',')) return after + "' comes ', with [partner]' or ', alone'";
  if (from.take_word("with")) {
    s.partners = from.take_names();
    if (s.partners.empty()) return "after 'with' come the partners, '[name], [file.hpp/name]'";
    cursor more = from;
    if (more.take(',') && more.take_word("alone"))
      return "both 'alone' and partners are given: keep one of them";
  } else if (from.take_word("alone")) {
    cursor more = from;
    if (more.take(',') && more.take_word("with"))
      return "both 'alone' and partners are given: keep one of them";
  } else {
    return after + ",' comes 'with [partner]' or 'alone'";
  }
  if (!from.take(':'))
    return s.partners.empty() ? "after 'alone' come ':' and the reason"
                              : "after the partners come ':' and the reason";
  return {};
}

// Reads a sentence up to the reason, whose end is not known yet. Returns nothing if no sentence of
// this kind begins here.
std::optional<label_sentence> sentence_at(std::string_view text, std::size_t at, cursor& from) {
  label_sentence s;
  s.at = at;
  s.labels = from.take_names();
  if (s.labels.empty()) return std::nullopt;
  const auto no_label = std::find_if_not(s.labels.begin(), s.labels.end(), is_label);
  if (cursor order = from; order.take_order().empty()) {
    // A reference in prose, unless the comment begins with it.
    if (no_label != s.labels.end() || text.find_first_not_of(" \t\r\n") != at) return std::nullopt;
    s.fault = "after " + listed(s.labels) +
              " comes the order: relaxed, acquire, release, acq_rel or seq_cst";
    return s;
  }
  if (const std::string wrong = read_rest(from, s); !wrong.empty())
    s.fault = listed(s.labels) + ": " + wrong;
  if (no_label != s.labels.end()) {
    s.fault = "'" + *no_label +
              "' is not a label: lower-case words, digits and _, with dots between, "
              "the first a letter";
  }
  for (const std::string& p : s.partners) {
    if (s.fault.empty() && !is_partner(p))
      s.fault = "[" + p + "] is not a partner: [label], or [file.hpp/label] in another file";
    if (s.fault.empty() && std::count(s.partners.begin(), s.partners.end(), p) > 1)
      s.fault = "[" + p + "] is named twice as a partner";
  }
  return s;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!is_space(c))
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

std::vector<label_sentence> label_sentences(std::string_view text) {
  std::vector<label_sentence> all;
  std::size_t reason = 0;  // where the last sentence's reason begins
  const auto end_reason = [&](std::size_t at) {
    if (all.empty()) return;
    label_sentence& last = all.back();
    last.reason = one_line(text.substr(reason, at - reason));
    if (last.fault.empty() && last.reason.empty())
      last.fault = listed(last.labels) + ": after the ':' comes the reason: why this order";
  };
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at)) {
    cursor from(text, at);
    auto s = may_begin(text, at) ? sentence_at(text, at, from) : std::nullopt;
    if (!s) {
      ++at;
      continue;
    }
    end_reason(at);
    all.push_back(std::move(*s));
    reason = from.at();
    at = from.at();
  }
  end_reason(text.size());
  return all;
}

}  // namespace fencepost::cli
