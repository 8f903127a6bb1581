// Names for the locations of a counterexample. The explorer knows addresses and calls them a, b,
// ... in the order in which they are met; the lines of code that access them say what they are
// called: the one in "ready_.store(1, ...)" is ready_. A guess that is only made where it is clear.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "fencepost/verify/result.hpp"
#include "source_names/source_reader.hpp"

namespace fencepost::verify {

class location_names {
 public:
  location_names(const execution& c, source_reader& source) {
    std::map<std::string, std::map<std::string, unsigned>> votes;
    for (const step& s : c.steps) {
      const std::string letter = letter_of(s);
      if (letter.empty()) continue;
      std::map<std::string, unsigned>& candidates = votes[letter];
      // The flag of a waiter has no name in the source.
      const std::string name =
          wakes(s) || s.text == "waits" ? "" : object_in(source.line(s.where), s.kind);
      if (!name.empty() && !is_reserved(name) && !is_of_another(c, s)) ++candidates[name];
    }
    for (const auto& [letter, candidates] : votes) {
      if (const auto known = c.names.find(letter); known != c.names.end()) {
        names_[letter] = known->second;
        continue;
      }
      const auto best =
          std::max_element(candidates.begin(), candidates.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (best == candidates.end()) continue;
      names_[letter] = best->first;
    }
    // Addresses of what no step accesses: "&1", "&2", in the order in which they are met.
    std::size_t numbered = 0;
    for (const step& s : c.steps) {
      for_each_word(s.text, [&](char before, const std::string& word, std::size_t) {
        if (before == '&' && !votes.contains(word) && !addresses_.contains(word))
          addresses_[word] = std::to_string(++numbered);
      });
    }
    // The halves of a word, which is called "a:b", are called after it.
    std::map<std::string, std::string> halves;
    for (const auto& [letter, name] : names_) {
      const std::size_t colon = letter.find(':');
      if (colon == std::string::npos) continue;
      halves[letter.substr(0, colon)] = letter;
      halves[letter.substr(colon + 1)] = letter;
    }
    for (const auto& [half, whole] : halves) names_.erase(half);
    // The same member of several objects: state_@1, state_@2, in the order in which they are met.
    std::map<std::string, std::vector<std::string*>> same;
    for (auto& [letter, name] : names_) same[name].push_back(&name);
    for (const auto& [name, all] : same) {
      for (std::size_t i = 0; all.size() > 1 && i < all.size(); ++i) {
        *all[i] += "@" + std::to_string(i + 1);
      }
    }
    for (const auto& [half, whole] : halves) {
      names_[half] = names_[whole] + (whole.starts_with(half + ":") ? ".low" : ".high");
    }
  }

  // What the step accesses: a name, a letter where the code does not say, or "".
  std::string name(const step& s) const {
    const std::string letter = letter_of(s);
    const auto found = names_.find(letter);
    return found == names_.end() ? letter : found->second;
  }

  // The text of a step with names in the place of letters: of " b " and "&b".
  std::string text(const step& s) const {
    if (s.kind == step_kind::violation) return s.text;  // in words
    const std::string letter = letter_of(s);
    std::string out;
    std::size_t done = 0;
    for_each_word(s.text, [&](char before, const std::string& word, std::size_t at) {
      if (before == ' ' && word != letter) return;
      const auto& table = before == '&' && addresses_.contains(word) ? addresses_ : names_;
      const auto found = table.find(word);
      if (found == table.end()) return;
      out += s.text.substr(done, at - done) + found->second;
      done = at + word.size();
    });
    return out + s.text.substr(done);
  }

  // Where in its line of code the step's access begins; 0 where that is not clear.
  std::size_t access_in(std::string_view code, const step& s) const {
    const auto found = names_.find(letter_of(s));
    if (found == names_.end()) return 0;
    const std::string object = found->second.substr(0, found->second.find_first_of("@."));
    const std::size_t at = std::min(code.find(object + "."), code.find(object + "->"));
    return at == std::string_view::npos ? 0 : at;
  }

  // Of a waiter whose flag says that it was notified, in the words of trace_recorder.
  static bool wakes(const step& s) { return s.text == "wakes up"; }
  // What the step accesses, "" for none.
  static std::string letter_of(const step& s) {
    if (!s.location.empty()) return s.location;
    if (s.kind != step_kind::plain_read && s.kind != step_kind::plain_write) return {};
    const std::size_t space = s.text.rfind(' ');
    return space == std::string::npos ? std::string() : s.text.substr(space + 1);
  }

  // The x of the only "x.load(" or "x->load(" of a line; "" if there is none, or more than one.
  static std::string object_in(std::string_view code, step_kind kind) {
    std::string found = guarded_in(code, kind);
    if (!found.empty()) return found;
    for (std::size_t open = code.find('('); open != std::string_view::npos;
         open = code.find('(', open + 1)) {
      std::size_t begin = open;
      while (begin != 0 && in_name(code[begin - 1])) --begin;
      const std::string_view member = code.substr(begin, open - begin);
      if (!is_access(member, kind)) continue;
      const std::string_view before = code.substr(0, begin);
      std::size_t end = before.ends_with("->") ? begin - 2 : before.ends_with(".") ? begin - 1 : 0;
      if (end == 0) continue;
      if (code[end - 1] == ']') end = code.rfind('[', end);  // the member of an array
      if (end == std::string_view::npos) continue;
      begin = end;
      while (begin != 0 && in_name(code[begin - 1])) --begin;
      if (begin == end) continue;
      if (!found.empty()) return {};
      found = std::string(code.substr(begin, end - begin));
    }
    return found;
  }

 private:
  // Is it a plain access beside an atomic one in the same line, as in "if (full.load())
  // use(letter)"? Then what the line names is the atomic.
  static bool is_of_another(const execution& c, const step& plain) {
    if (plain.kind != step_kind::plain_read && plain.kind != step_kind::plain_write) return false;
    return std::any_of(c.steps.begin(), c.steps.end(), [&](const step& s) {
      return !s.order.empty() && s.where.line == plain.where.line &&
             std::string_view(s.where.file) == plain.where.file && letter_of(s) != letter_of(plain);
    });
  }

  // The m of "std::lock_guard held(m);" and of its kin, for a lock; "" if there is none.
  static std::string guarded_in(std::string_view code, step_kind kind) {
    if (kind != step_kind::read_modify_write) return {};
    for (const std::string_view guard : {"lock_guard", "unique_lock", "scoped_lock"}) {
      const std::size_t at = code.find(guard);
      const std::size_t open = at == std::string_view::npos ? at : code.find_first_of("({", at);
      if (open == std::string_view::npos) continue;
      const std::size_t end = std::min(code.find_first_of(",)}", open), code.size());
      std::size_t begin = end;
      while (begin != open && in_name(code[begin - 1])) --begin;
      return std::string(code.substr(begin, end - begin));
    }
    return {};
  }

  // The words after a space or an ampersand that may be letters of locations or numbers: what comes
  // before the word, the word, and where it begins.
  template <class Function>
  static void for_each_word(const std::string& text, const Function& function) {
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at - 1] != ' ' && text[at - 1] != '&') continue;
      std::size_t end = at;
      while (end < text.size() && (std::isalnum(byte(text[end])) != 0 || text[end] == ':')) ++end;
      const bool whole = end == text.size() || text[end] == ' ' || text[end] == '+' ||
                         text[end] == ',' || text[end] == ')';
      if (whole && end != at) function(text[at - 1], text.substr(at, end - at), at);
    }
  }

  static unsigned char byte(char c) noexcept { return static_cast<unsigned char>(c); }

  static bool in_name(char c) noexcept { return std::isalnum(byte(c)) != 0 || c == '_'; }

  // A name of the standard library's, such as std::unique_lock's for its mutex.
  static bool is_reserved(std::string_view name) noexcept {
    return name.size() > 1 && name[0] == '_' &&
           (name[1] == '_' || std::isupper(byte(name[1])) != 0);
  }

  static bool is_access(std::string_view member, step_kind kind) {
    switch (kind) {
      case step_kind::load: return member.starts_with("load");
      case step_kind::store: return member.starts_with("store");
      case step_kind::read_modify_write:
      case step_kind::failed_compare_exchange:
        return member == "exchange" || member.starts_with("fetch_") ||
               member.starts_with("compare_exchange_") || member == "lock" || member == "try_lock";
      // load and store: data that should have been atomic.
      case step_kind::plain_read: return member == "get" || member == "read" || member == "load";
      case step_kind::plain_write: return member == "set" || member == "write" || member == "store";
      // The operations of a condition variable.
      case step_kind::note: return member.starts_with("notify_") || member.starts_with("wait");
      default: return false;
    }
  }

  std::map<std::string, std::string> names_;
  std::map<std::string, std::string> addresses_;  // what stands behind the ampersand
};

}  // namespace fencepost::verify
