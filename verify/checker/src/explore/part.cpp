// Leading the search to a part of the tree, and dividing a part.

#include "explore/part.hpp"

#include "explore/exploration.hpp"

namespace fencepost::verify {

void exploration::begin(const part& p) {
  restart();
  last_ = p.last;
  if (p.after) way_ = *p.after;
}

// The choices on the way are made by the runs in between, so a run is needed wherever the program
// has not reached the next choice yet.
exploration::way exploration::approach() {
  for (; on_way_ < way_.size(); ++on_way_) {
    if (choices_.size() <= on_way_) return way::lost;
    if (way_[on_way_] == 0) continue;
    step s = step::run;
    for (std::uint32_t n = 0; n < way_[on_way_]; ++n) {
      drop_choices(on_way_ + 1);
      choice& c = choices_.back();
      if (c.done < c.total) ++c.done;
      ++c.changes;
      s = advance(c);
      if (s == step::exhausted) return way::lost;
    }
    if (s == step::run) look_for_race();
    if (s == step::run && on_way_ + 1 < way_.size()) {
      ++on_way_;
      return way::run;
    }
  }
  drop_choices(way_.size());
  keep_within_part();
  return way::there;
}

// True if there is no choice left in the part.
bool exploration::is_over() {
  if (fixed_ < last_.size()) [[unlikely]]
    keep_within_part();
  return choices_.size() <= fixed_;
}

// A choice that has changed may now agree with the last path, and is then fixed.
void exploration::keep_within_part() {
  while (fixed_ < last_.size() && fixed_ < choices_.size() &&
         choices_[fixed_].changes == last_[fixed_])
    ++fixed_;
}

void exploration::drop_choices(std::size_t from) {
  while (frames_used_ > 0 && frames_[frames_used_ - 1]->choices >= from) undo_revisit();
  if (choices_.size() > from) choices_.resize(from);
}

choice_path exploration::path() const {
  choice_path p;
  p.reserve(choices_.size());
  for (const choice& c : choices_) p.push_back(c.changes);
  return p;
}

std::optional<part> exploration::give_away() {
  std::size_t at = fixed_;
  while (at < choices_.size() && choices_[at].done >= choices_[at].total) ++at;
  if (at + 1 >= choices_.size()) return {};
  choice_path done = path();
  done.resize(at + 1);
  part given{done, last_};
  last_ = std::move(done);
  keep_within_part();
  return given;
}

}  // namespace fencepost::verify
