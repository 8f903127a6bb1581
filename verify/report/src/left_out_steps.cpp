#include "left_out_steps.hpp"

#include <algorithm>
#include <set>

#include "fencepost/verify/text.hpp"
#include "source_names/location_names.hpp"
#include "step_facts.hpp"

namespace fencepost::verify {
namespace {

constexpr std::size_t least_left_out = 3;  // shorter pieces of the set-up are shown
constexpr std::size_t longest_turn = 16;   // of a loop whose turns are all alike
constexpr std::size_t last_of_each = 8;    // last steps of each thread, shown before others
constexpr std::size_t turns_shown = 3;     // of such a loop, the last one included

}  // namespace

left_out_steps::left_out_steps(const std::vector<step>& steps, std::size_t max_steps, bool own_data)
    : left_out_(steps.size(), false), private_(steps.size(), false) {
  if (max_steps == 0) return;
  while (set_up_ < steps.size() && steps[set_up_].kind != step_kind::create_thread) ++set_up_;
  if (set_up_ == steps.size()) set_up_ = 0;
  leave_out_set_up(steps);
  leave_out_turns(steps);
  if (!own_data) leave_out_private(steps);
  leave_out_middle(steps, max_steps);
}

// Of the set-up, which is over before there is a second thread, only what is read later matters.
void left_out_steps::leave_out_set_up(const std::vector<step>& steps) {
  std::vector<bool> matters(steps.size(), false);
  for (std::size_t i = set_up_; i < steps.size(); ++i) {
    if (steps[i].reads_from) matters[*steps[i].reads_from] = true;
  }
  for (std::size_t i = 0, from = 0; i <= set_up_; ++i) {
    if (i < set_up_ && !matters[i]) continue;
    if (i - from >= least_left_out) {
      std::fill_n(left_out_.begin() + static_cast<std::ptrdiff_t>(from), i - from, true);
    }
    from = i + 1;
  }
}

// Leaves out the middle if there are more steps than are shown. What leads to the end tells more
// than the beginning, and so does what each thread did last.
void left_out_steps::leave_out_middle(const std::vector<step>& steps, std::size_t max_steps) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < left_out_.size(); ++i) {
    if (!left_out_[i]) shown.push_back(i);
  }
  if (shown.size() <= max_steps) return;
  std::size_t at_first = max_steps / 3;
  const std::size_t end = shown.size() - (max_steps - at_first);
  std::map<unsigned, std::size_t> of_thread;  // steps counted from the end
  for (std::size_t n = shown.size(); n-- > 0;) {
    const std::size_t which = ++of_thread[steps[shown[n]].thread];
    if (n >= end) continue;
    const bool is_late = which <= last_of_each && at_first > 0;
    if (is_late) --at_first;
    left_out_[shown[n]] = !is_late;
  }
  for (std::size_t n = 0; at_first > 0; ++n) {
    if (!left_out_[shown[n]]) continue;
    left_out_[shown[n]] = false;
    --at_first;
  }
}

// Leaves out plain data that a single thread accesses, such as most variables of a function: it
// says nothing about the other threads. The object of the violation is shown, and the last step of
// each thread.
void left_out_steps::leave_out_private(const std::vector<step>& steps) {
  std::map<std::string, unsigned> only;  // the first thread that accesses it
  std::set<std::string> shared;
  std::map<unsigned, std::size_t> last;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const step& s = steps[i];
    const bool wrong = s.kind == step_kind::violation;
    if (!wrong) last[s.thread] = i;
    std::string object = location_names::letter_of(s);
    if (wrong || only.emplace(object, s.thread).first->second != s.thread)
      shared.insert(std::move(object));
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const step& s = steps[i];
    if (!is_plain(s.kind) || last[s.thread] == i) continue;
    if (shared.contains(location_names::letter_of(s))) continue;
    private_[i] = left_out_[i] = true;
  }
}

// The first turns of a loop and its last are enough to recognize it.
void left_out_steps::leave_out_turns(const std::vector<step>& steps) {
  const auto alike = [&](std::size_t a, std::size_t b) {
    const step& s = steps[a];
    const step& t = steps[b];
    return s.thread == t.thread && s.kind == t.kind && s.where == t.where && s.text == t.text &&
           (s.reads_from == t.reads_from ||
            (s.reads_from && t.reads_from && a - *s.reads_from == b - *t.reads_from));
  };
  for (std::size_t i = set_up_; i < steps.size(); ++i) {
    for (std::size_t turn = 1; turn <= longest_turn && i + turn < steps.size(); ++turn) {
      std::size_t end = i + turn;
      while (end < steps.size() && alike(end, end - turn)) ++end;
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

bool left_out_steps::any_private() const {
  return std::find(private_.begin(), private_.end(), true) != private_.end();
}

std::string left_out_steps::in_words(std::size_t from, std::size_t end) const {
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

}  // namespace fencepost::verify
