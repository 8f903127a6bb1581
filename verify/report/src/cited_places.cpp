#include "cited_places.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "fencepost/verify/text.hpp"
#include "step_facts.hpp"

namespace fencepost::verify {
namespace {

bool is_digit(char c) noexcept { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Replaces each `place` that is not the beginning of a longer number.
void replace_place(std::string& text, const std::string& place, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; ++at) {
    const std::size_t end = at + place.size();
    if (end == text.size() || !is_digit(text[end])) text.replace(at, place.size(), by);
  }
}

// Turns "mailbox.hpp:27" into "mailbox.hpp".
void remove_lines(std::string& text) {
  for (std::size_t at = 0; (at = text.find("pp:", at)) != std::string::npos; ++at) {
    const std::size_t begin = at + 2;
    std::size_t end = begin + 1;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end > begin + 1) text.erase(begin, end - begin);
  }
}

}  // namespace

short_names::short_names(const execution& c) {
  for (const step& s : c.steps) {
    if (s.where.line != 0 && !is_runner(s)) names_.try_emplace(s.where.file);
  }
  for (auto& [file, name] : names_) {
    const std::string path = shown_path(file);
    std::size_t from = path.size();
    do {
      from = from == 0 ? std::string::npos : path.rfind('/', from - 1);
      name = from == std::string::npos ? path : path.substr(from + 1);
    } while (from != std::string::npos && is_ambiguous(file, name));
  }
}

bool short_names::is_ambiguous(const std::string& file, const std::string& name) const {
  return std::any_of(names_.begin(), names_.end(), [&](const auto& other) {
    return other.first != file && ("/" + shown_path(other.first)).ends_with("/" + name);
  });
}

std::string cited_places::label_of(const source_location& where) const {
  return names_ == nullptr ? std::to_string(where.line) : names_->label_at(where);
}

std::string cited_places::before_code(const source_location& where) const {
  const std::string label = label_of(where);
  std::string place = files_[where.file] + (label.empty() ? "" : ":" + label);
  if (names_ != nullptr && !label.empty()) return place;
  const std::string function = function_name(where.function);
  return function.empty() || is_lambda(function) ? place : place + " " + function;
}

std::string cited_places::in_sentence(const source_location& where) const {
  if (const std::string label = label_of(where); !label.empty()) {
    return "at " + files_[where.file] + ":" + label;
  }
  const std::string function = function_name(where.function);
  return "in " + (function.empty() || is_lambda(function) ? "" : function + "() of ") +
         files_[where.file];
}

std::string cited_places::in_message(std::string message) const {
  if (names_ == nullptr) return message;
  for (const step& s : execution_.steps) {
    if (s.where.line == 0 || is_runner(s)) continue;
    const std::string path(s.where.file);
    replace_place(message,
                  "at " + path.substr(path.rfind('/') + 1) + ":" + std::to_string(s.where.line),
                  in_sentence(s.where));
  }
  remove_lines(message);
  return message;
}

std::string cited_place(const counterexample& c, const place_names* names) {
  if (c.where.line == 0) return c.steps.empty() ? "" : "in " + thread_name(c.thread);
  const std::string label =
      names == nullptr ? std::to_string(c.where.line) : names->label_at(c.where);
  std::string text = "at " + shown_path(c.where.file) + (label.empty() ? "" : ":" + label);
  const std::string function = function_name(c.where.function);
  if (is_lambda(function)) {
    text += ", in a lambda";
  } else if (!function.empty()) {
    text += ", in " + function + "()";
  }
  return text + ", by " + thread_name(c.thread);
}

}  // namespace fencepost::verify
