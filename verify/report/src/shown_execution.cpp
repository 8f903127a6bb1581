#include "shown_execution.hpp"

#include <algorithm>
#include <system_error>

#include "fencepost/verify/text.hpp"
#include "step_facts.hpp"

namespace fencepost::verify {
namespace {

// By how much a step's value is shifted to get this half of a word of halves, which is called
// "a:b"; none if the step does not access the half.
std::optional<unsigned> shift_of_half(const step& s, std::string_view half) {
  if (s.location == half) return 0;
  const std::size_t colon = s.location.find(':');
  if (colon == std::string::npos) return {};
  if (std::string_view(s.location).substr(0, colon) == half) return 0;
  if (std::string_view(s.location).substr(colon + 1) == half) return 32;
  return {};
}

// Returns the last write to the location that is listed between the read's source and the read, if
// any.
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
    // Only one of two sources is known: a write of a value that is read may be the other.
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

// Shows "0x100000002" as "1:2", after "= ", ":= " and "expected ".
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

// Returns the body of a function that is on one line, else the code.
std::string body_of(std::string code, const std::string& function) {
  const std::size_t open = code.find(" { ");
  if (function.empty() || code.find(function + "(") >= open || !code.ends_with("; }")) {
    return code;
  }
  return code.substr(open + 3, code.size() - open - 5);
}

}  // namespace

shown_execution::shown_execution(const execution& shown, std::size_t max_steps, bool own_data,
                                 const place_names* names)
    : execution_(shown),
      places_(shown, names),
      names_(shown, source_),
      left_out_(shown.steps, max_steps, own_data) {
  for (std::size_t i = 0; i < steps().size(); ++i) {
    passed_over_.push_back(write_passed_over(steps(), i));
    has_halves_ = has_halves_ || steps()[i].location.find(':') != std::string::npos;
  }
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
  // A step that blocks has no value to show, only the step that it had to wait for.
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

}  // namespace fencepost::verify
