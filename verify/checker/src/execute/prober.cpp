#include "execute/prober.hpp"

namespace fencepost::verify {

namespace {

// Ways of a choice that are counted one by one.
constexpr std::uint64_t most_ways = 1'000;

}  // namespace

std::optional<double> prober::probe(std::uint64_t seed, const std::function<void()>& pause) {
  const resuming::pause from_the_beginning(resuming_);
  random_.seed(seed);
  exploration_.restart();
  contention_.begin();
  static_cast<void>(learning_.take_restarted());
  double sum = 0, weight = 1;
  for (;;) {
    pause();
    const execution_runner::extent before = runner_.now();
    const run_end end = runner_.run_or_learn();
    if (learning_.take_restarted()) return {};
    if (end == run_end::complete) sum += weight;
    const way next = draw(before, pause);
    if (next.change == 0) return sum;
    // The choices are made again, for to count the ways has changed them.
    runner_.add_again(before);
    if (learning_.take_restarted()) return {};
    if (!exploration_.change(next.choice, next.change)) return sum;
    weight *= next.weight;
  }
}

// Of the choices that the run has added. From the youngest to the oldest, each takes the place of
// what was drawn before with the odds that the probe changes it, were it to come there.
prober::way prober::draw(const execution_runner::extent& before,
                         const std::function<void()>& pause) {
  way drawn;
  for (std::size_t i = exploration_.choices(); i-- > before.choices;) {
    pause();
    const std::uint64_t changes = exploration_.count_changes(i, most_ways);
    const auto ways = static_cast<double>(changes + 1);
    drawn.weight *= ways;
    if (const std::uint64_t which = below(changes + 1); which != 0)
      drawn = {i, 1 + (which - 1) % most_ways, ways};
  }
  return drawn;
}

}  // namespace fencepost::verify
