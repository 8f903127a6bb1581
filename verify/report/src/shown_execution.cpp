#include "shown_execution.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "fencepost/verify/text.hpp"
#include "happens_before.hpp"

namespace fencepost::verify {
namespace {

constexpr std::size_t least_left_out = 3;  // fewer steps of the set-up are shown
constexpr std::size_t longest_turn = 16;   // of a loop whose turns are all alike
constexpr std::size_t turns_shown = 3;     // of such a loop, the last one included

// What a step accesses of a word of halves, which is called "a:b": value >> shift, if anything.
std::optional<unsigned> shift_of_half(const step& s, std::string_view half) {
  if (s.location == half) return 0;
  const std::size_t colon = s.location.find(':');
  if (colon == std::string::npos) return {};
  if (std::string_view(s.location).substr(0, colon) == half) return 0;
  if (std::string_view(s.location).substr(colon + 1) == half) return 32;
  return {};
}

// The last write further up to what the step reads, and below what it reads from, if there is one.
std::optional<std::size_t> write_passed_over(const std::vector<step>& steps, std::size_t index) {
  const step& s = steps[index];
  if (!reads(s.kind) || s.location.empty()) return {};
  if (s.reads_from && *s.reads_from > index) return {};
  const std::size_t colon = s.location.find(':');
  const auto low = [](std::uint64_t v) { return v & 0xffff'ffffU; };
  std::size_t nearest = 0;
  bool found = false;
  const auto look_at = [&](std::string_view location, auto&& may_be_seen, auto&& is_source) {
    for (std::size_t i = index; i-- > 0;) {
      if (!writes(steps[i].kind)) continue;
      const auto shift = shift_of_half(steps[i], location);
      if (!shift) continue;
      if (is_source(i, *shift)) return;
      if (may_be_seen(i)) continue;
      if (!found || i > nearest) nearest = i;
      found = true;
      return;
    }
  };
  if (colon == std::string::npos) {
    look_at(
        s.location, [](std::size_t) { return false; },
        [&](std::size_t i, unsigned) { return s.reads_from == i; });
  } else {
    // Of two sources only one is known: what has a value that is read may be the other.
    const std::string_view both = s.location;
    const auto may_be_seen = [&](std::size_t i) {
      return steps[i].location == s.location &&
             (low(steps[i].value_written) == low(s.value_read) ||
              steps[i].value_written >> 32 == s.value_read >> 32);
    };
    look_at(both.substr(0, colon), may_be_seen, [&](std::size_t i, unsigned shift) {
      return low(steps[i].value_written >> shift) == low(s.value_read);
    });
    look_at(both.substr(colon + 1), may_be_seen, [&](std::size_t i, unsigned shift) {
      return low(steps[i].value_written >> shift) == s.value_read >> 32;
    });
  }
  if (!found) return {};
  return nearest;
}

// "0x100000002" as "1:2", after "= ", ":= " and "expected ".
std::string in_halves(const std::string& text) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view before = std::string_view(text).substr(0, i);
    if (!before.ends_with("= ") && !before.ends_with("expected ")) continue;
    std::size_t length = 0;
    std::uint64_t value = 0;
    try {
      value = std::stoull(text.substr(i), &length, 0);
    } catch (const std::exception&) {
      continue;
    }
    out += text.substr(done, i - done) + std::to_string(value >> 32) + ":" +
           std::to_string(value & 0xffff'ffffU);
    done = i + length;
  }
  return out + text.substr(done);
}

// The bracket that closes this one, or the end.
std::size_t end_of_bracket(std::string_view text, std::size_t open) {
  const char closing = text[open] == '<' ? '>' : '}';
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == text[open]) ++depth;
    if (text[at] == closing && text[at - 1] != '-' && --depth == 0) return at;
  }
  return text.size();
}

// Of a function in one line, its body.
std::string body_of(std::string code, const std::string& function) {
  const std::size_t open = code.find(" { ");
  if (function.empty() || code.find(function + "(") >= open || !code.ends_with("; }")) {
    return code;
  }
  return code.substr(open + 3, code.size() - open - 5);
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

bool reads_from_below(const execution& e, std::size_t index) noexcept {
  const step& s = e.steps[index];
  return s.reads_from && *s.reads_from > index;
}

// The two steps of a data race, if that is clear: what happened last, and the last conflicting
// access of the only other thread that has one. (Were that ordered before, all before it would be
// too.)
std::optional<std::pair<std::size_t, std::size_t>> racing_steps(const counterexample& c) {
  if (c.kind != violation::data_race) return {};
  const auto plain = [](const step& s) {
    return s.kind == step_kind::plain_read || s.kind == step_kind::plain_write;
  };
  // At the place that is said; what is judged at the end may have others after it.
  const auto last_of_thread = [&](bool there) {
    std::size_t i = c.steps.size();
    const auto is_it = [&](const step& s) {
      return plain(s) && s.thread == c.thread && (!there || s.where == c.where);
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
        plain(s) && s.thread != here.thread &&
        location_names::letter_of(s) == location_names::letter_of(here) &&
        (s.kind == step_kind::plain_write || here.kind == step_kind::plain_write);
    if (!conflicts || (!c.edges.empty() && ordered(i, last))) continue;
    if (c.edges.empty() && other && c.steps[*other].thread != s.thread) return {};
    other = i;
  }
  if (!other) return {};
  return std::pair(*other, last);
}

shown_execution::shown_execution(const execution& shown, std::size_t max_steps, bool own_data,
                                 const place_names* names)
    : execution_(shown), places_(shown, names), names_(shown, source_) {
  for (std::size_t i = 0; i < steps().size(); ++i) {
    passed_over_.push_back(write_passed_over(steps(), i));
    has_halves_ = has_halves_ || steps()[i].location.find(':') != std::string::npos;
  }
  leave_out(max_steps, own_data);
}

std::string shown_execution::left_out_in_words(std::size_t from, std::size_t end) const {
  const auto begin = private_.begin();
  if (std::find(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(end),
                false) == begin + static_cast<std::ptrdiff_t>(end))
    return {};
  std::string what = grouped(end - from) + " steps";
  if (end <= set_up_) what += " of the set-up";
  what += " left out";
  if (const auto turn = turns_.lower_bound(from); turn != turns_.end() && turn->first < end) {
    what += turn->second == 1 ? ", like the one above"
                              : ", like the " + std::to_string(turn->second) + " above";
  }
  return what;
}

std::string shown_execution::access(std::size_t index) const {
  const step& s = steps()[index];
  std::string text = with_main(std::string(trimmed(names_.text(s))));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return s.location.find(':') == std::string::npos ? text : in_halves(text);
}

std::string shown_execution::words(std::size_t index) const {
  const step& s = steps()[index];
  std::string text = access(index);
  if (s.kind == step_kind::violation) return places_.in_message(std::move(text));
  if (!reads(s.kind) && !s.reads_from) return text;
  // What blocks has no value to show, only whom it had to wait for.
  if (location_names::wakes(s) && s.reads_from)
    return "woken by #" + std::to_string(*s.reads_from + 1);
  if (text.starts_with("lock ") || text.starts_with("try_lock "))
    return s.reads_from ? text + ", after #" + std::to_string(*s.reads_from + 1) : text;
  text += s.reads_from ? ", from #" + std::to_string(*s.reads_from + 1) : ", initial value";
  if (reads_from_below(execution_, index)) text += " below";
  if (const auto& other = passed_over_[index]) {
    text += " (not #" + std::to_string(*other + 1) + ")";
  }
  return text;
}

std::string shown_execution::place(std::size_t index) const {
  const step& s = steps()[index];
  if (s.where.line == 0 || is_runner(s)) return {};
  return places_.before_code(s.where);
}

std::string shown_execution::at(std::size_t index) const {
  const step& s = steps()[index];
  if (s.where.line == 0 || is_runner(s)) return {};
  return " " + places_.in_sentence(s.where);
}

std::string shown_execution::code(std::size_t index) {
  const step& s = steps()[index];
  if (s.where.line == 0 || is_runner(s)) return {};
  return body_of(std::string(source_.line(s.where)), function_name(s.where.function));
}

// Of the set-up, which is over before there is a second thread, only what is read later matters;
// of many steps the middle is left out.
void shown_execution::leave_out(std::size_t max_steps, bool own_data) {
  const std::size_t count = steps().size();
  left_out_.assign(count, false);
  private_.assign(count, false);
  if (max_steps == 0) return;
  while (set_up_ < count && steps()[set_up_].kind != step_kind::create_thread) ++set_up_;
  if (set_up_ == count) set_up_ = 0;
  std::vector<bool> matters(count, false);
  for (std::size_t i = set_up_; i < count; ++i) {
    if (steps()[i].reads_from) matters[*steps()[i].reads_from] = true;
  }
  for (std::size_t i = 0, from = 0; i <= set_up_; ++i) {
    if (i < set_up_ && !matters[i]) continue;
    if (i - from >= least_left_out) {
      std::fill_n(left_out_.begin() + static_cast<std::ptrdiff_t>(from), i - from, true);
    }
    from = i + 1;
  }
  leave_out_turns();
  if (!own_data) leave_out_private();
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < count; ++i) {
    if (!left_out_[i]) shown.push_back(i);
  }
  if (shown.size() <= max_steps) return;
  // What leads to the end is more telling than how it began.
  const std::size_t from = shown[max_steps / 3];
  const std::size_t to = shown[shown.size() - (max_steps - max_steps / 3)];
  std::fill(left_out_.begin() + static_cast<std::ptrdiff_t>(from),
            left_out_.begin() + static_cast<std::ptrdiff_t>(to), true);
}

// Plain data that one thread alone accesses tells nothing of the others: most variables of a
// function. What the violation is about is shown, and what the threads do right before it.
void shown_execution::leave_out_private() {
  const auto is_plain = [](const step& s) {
    return s.kind == step_kind::plain_read || s.kind == step_kind::plain_write;
  };
  std::map<std::string, unsigned> only;  // which thread accesses it
  std::set<std::string> shared;
  std::map<unsigned, std::size_t> last;
  for (std::size_t i = 0; i < steps().size(); ++i) {
    const step& s = steps()[i];
    const bool wrong = s.kind == step_kind::violation;
    if (!wrong) last[s.thread] = i;
    std::string object = location_names::letter_of(s);
    if (wrong || only.emplace(object, s.thread).first->second != s.thread)
      shared.insert(std::move(object));
  }
  for (std::size_t i = 0; i < steps().size(); ++i) {
    const step& s = steps()[i];
    if (!is_plain(s) || last[s.thread] == i) continue;
    if (shared.contains(location_names::letter_of(s))) continue;
    private_[i] = left_out_[i] = has_private_ = true;
  }
}

// A loop that turns and turns is seen as such by its first turns and its last.
void shown_execution::leave_out_turns() {
  const auto alike = [&](std::size_t a, std::size_t b) {
    const step& s = steps()[a];
    const step& t = steps()[b];
    return s.thread == t.thread && s.kind == t.kind && s.where == t.where && s.text == t.text &&
           (s.reads_from == t.reads_from ||
            (s.reads_from && t.reads_from && a - *s.reads_from == b - *t.reads_from));
  };
  for (std::size_t i = set_up_; i < steps().size(); ++i) {
    for (std::size_t turn = 1; turn <= longest_turn && i + turn < steps().size(); ++turn) {
      std::size_t end = i + turn;
      while (end < steps().size() && alike(end, end - turn)) ++end;
      const std::size_t turns = (end - i) / turn;
      if (turns <= 2 * turns_shown) continue;
      const std::size_t from = i + (turns_shown - 1) * turn;
      const std::size_t to = i + (turns - 1) * turn;
      std::fill(left_out_.begin() + static_cast<std::ptrdiff_t>(from),
                left_out_.begin() + static_cast<std::ptrdiff_t>(to), true);
      turns_[from] = turn;
      i = end - 1;
      break;
    }
  }
}

}  // namespace fencepost::verify
