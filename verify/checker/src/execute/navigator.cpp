#include "execute/navigator.hpp"

#include <charconv>
#include <utility>

namespace fencepost::verify {

// The run must add its events itself: if it followed a graph that exists already, it would not
// learn what it would have learned.
bool navigator::go_to_run(choice_path at) {
  at = without_zeros(std::move(at));
  return go_to(at.empty() ? part{} : part{std::move(at), {}});
}

bool navigator::go_to(const part& p) {
  const bool there = approach(p);
  if (there)
    static_cast<void>(learning_.take_restarted());  // any restart was for lessons that are known
  return there;
}

bool navigator::approach(const part& p) {
  const resuming::pause from_the_beginning(resuming_);
  const std::size_t lessons = learning_.lessons().size();
  exploration_.begin(p);
  contention_.begin();
  if (!p.after) return true;
  for (;;) {
    runner_.run_or_learn();
    if (learning_.lessons().size() != lessons) return false;
    switch (exploration_.approach()) {
      case exploration::way::run: continue;
      case exploration::way::there: return true;
      case exploration::way::lost: return false;
    }
  }
}

void navigator::make_run(const choice_path& at) {
  if (!go_to_run(at)) return;
  const resuming::pause from_the_beginning(resuming_);
  runner_.run_or_learn();
}

bool navigator::take_lesson(const lesson& l) {
  if (!l.contended.empty()) {
    learning_.know_contended(l);
    return true;
  }
  const std::size_t lessons = learning_.lessons().size();
  make_run(l.at);
  return learning_.lessons().size() > lessons && learning_.lessons().back() == l;
}

bool navigator::go_to_replayed() {
  if (sampler_.on()) return go_to_draw(options_.replay);
  const std::optional<search_path> way = search_path_from(options_.replay);
  if (!way) return false;
  for (const lesson& l : way->lessons)
    if (!take_lesson(l)) return false;
  return go_to_run(way->choices);
}

bool navigator::go_to_draw(const std::string& number) {
  std::uint64_t draw = 0;
  const char* const end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, draw);
  if (error != std::errc{} || rest != end || draw > options_.samples) return false;
  for (std::uint64_t i = 1; i < draw; ++i) {
    sampler_.begin();
    runner_.run();
    if (!sampler_.next()) return false;
  }
  return draw != 0;
}

}  // namespace fencepost::verify
