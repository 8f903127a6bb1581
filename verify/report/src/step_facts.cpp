#include "step_facts.hpp"

#include <string_view>

#include "happens_before.hpp"
#include "source_names/location_names.hpp"

namespace fencepost::verify {
namespace {

// Returns the position of the bracket that closes this one, or the end.
std::size_t end_of_bracket(std::string_view text, std::size_t open) {
  const char closing = text[open] == '<' ? '>' : '}';
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == text[open]) ++depth;
    if (text[at] == closing && text[at - 1] != '-' && --depth == 0) return at;
  }
  return text.size();
}

}  // namespace

bool is_runner(const step& s) {
  return (s.kind == step_kind::create_thread || s.kind == step_kind::join_thread) &&
         std::string_view(s.where.file).ends_with("fencepost/verify/check.hpp");
}

std::string function_name(const char* function) {
  const std::string_view text = function == nullptr ? "" : function;
  constexpr std::string_view nameless = "(anonymous namespace)";
  std::string name;  // without what is in brackets
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_operator = name.ends_with("operator");
    if (text.substr(at).starts_with(nameless)) {
      at += nameless.size() - 1;
    } else if (text[at] == '{' ||
               (text[at] == '<' && !is_operator && !name.ends_with("operator<"))) {
      at = end_of_bracket(text, at);
    } else if (text[at] == '(' && !is_operator) {
      break;
    } else {
      name += text[at];
    }
  }
  while (name.ends_with(' ')) name.pop_back();
  if (const auto space = name.rfind(' '); space != std::string::npos) name.erase(0, space + 1);
  if (const auto colon = name.rfind(':'); colon != std::string::npos) name.erase(0, colon + 1);
  return name;
}

bool is_lambda(const std::string& function) { return function == "operator()"; }

std::string thread_name(unsigned thread) {
  return thread == 0 ? "main" : "thread " + std::to_string(thread);
}

std::string with_main(std::string text) {
  constexpr std::string_view number = "thread 0";
  for (std::size_t at = 0; (at = text.find(number, at)) != std::string::npos; ++at) {
    const std::size_t end = at + number.size();
    if (end == text.size() || text[end] < '0' || text[end] > '9') {
      text.replace(at, number.size(), "main");
    }
  }
  return text;
}

bool reads(step_kind kind) noexcept {
  switch (kind) {
    case step_kind::load:
    case step_kind::read_modify_write:
    case step_kind::failed_compare_exchange: return true;
    default: return false;
  }
}

bool writes(step_kind kind) noexcept {
  return kind == step_kind::store || kind == step_kind::read_modify_write;
}

bool is_plain(step_kind kind) noexcept {
  return kind == step_kind::plain_read || kind == step_kind::plain_write;
}

bool reads_from_below(const execution& e, std::size_t index) noexcept {
  const step& s = e.steps[index];
  return s.reads_from && *s.reads_from > index;
}

// The first step is the last conflicting access: if that were ordered, all before it in its thread
// would be too. Without edges, only one other thread may have such accesses.
std::optional<std::pair<std::size_t, std::size_t>> racing_steps(const counterexample& c) {
  if (c.kind != violation::data_race) return {};
  // First looks at the place that the counterexample names, since a race that is judged at the end
  // may have accesses after it.
  const auto last_of_thread = [&](bool there) {
    std::size_t i = c.steps.size();
    const auto is_it = [&](const step& s) {
      return is_plain(s.kind) && s.thread == c.thread && (!there || s.where == c.where);
    };
    while (i != 0 && !is_it(c.steps[i - 1])) --i;
    return i;
  };
  std::size_t last = last_of_thread(true);
  if (last == 0) last = last_of_thread(false);
  if (last-- == 0) return {};
  const step& here = c.steps[last];
  std::optional<std::size_t> other;
  const happens_before ordered(c);
  for (std::size_t i = 0; i < last; ++i) {
    const step& s = c.steps[i];
    const bool conflicts =
        is_plain(s.kind) && s.thread != here.thread &&
        location_names::letter_of(s) == location_names::letter_of(here) &&
        (s.kind == step_kind::plain_write || here.kind == step_kind::plain_write);
    if (!conflicts || (!c.edges.empty() && ordered(i, last))) continue;
    if (c.edges.empty() && other && c.steps[*other].thread != s.thread) return {};
    other = i;
  }
  if (!other) return {};
  return std::pair(*other, last);
}

}  // namespace fencepost::verify
