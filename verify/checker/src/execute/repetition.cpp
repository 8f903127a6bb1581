#include "execute/repetition.hpp"

#include <algorithm>
#include <optional>

#include "execute/other_addresses.hpp"

namespace fencepost::verify {

namespace {

constexpr unsigned most_held = 8;  // blocks of each size: malloc reuses the last one freed first

}  // namespace

// Assertions and exceptions depend on the program alone. Other violations depend on the checker as
// well, and may be its mistake.
void repetition::did_not_come_again(counterexample& found) {
  if (found.kind != violation::assertion && found.kind != violation::exception) {
    found.came_again = false;
    return;
  }
  found.message = "the same execution went differently when it was run again: then " +
                  std::string(to_string(found.kind)) + " (" + found.message +
                  "), now nothing of the kind";
  found.kind = violation::nondeterminism;
}

// The first execution is run again many times, fewer if it is long, so that randomness shows. Later
// ones are samples.
unsigned repetition::times(std::uint64_t execution) const {
  constexpr std::size_t work = 4'000;
  constexpr std::size_t least = 5;
  constexpr std::size_t at_most = 100;
  if (execution > 1) return 1;
  return static_cast<unsigned>(std::clamp(work / (tape_.size() + 1), least, at_most));
}

// True of the executions whose number is a power of two, and of one in 512.
bool repetition::is_due(std::uint64_t execution) const {
  constexpr std::uint64_t one_in = 512;
  return options_.repeat && options_.replay.empty() &&
         ((execution & (execution - 1)) == 0 || execution % one_in == 0);
}

// Whatever must make no difference differs each time: the contents of uninitialized memory, and the
// addresses of foreign memory.
run_end repetition::repeat(std::uint64_t execution) {
  unsigned left = times(execution);
  if (tape_.spoiled()) ++left;  // to record it again
  run_end end = run_end::complete;
  for (unsigned i = 0; i < left && end == run_end::complete; ++i) {
    if (tape_.spoiled())
      tape_.record();
    else
      tape_.compare();
    arena_.fill_with(static_cast<unsigned char>(arena::usual_fill ^ (i + 1)));
    std::optional<other_addresses> foreign;
    if (i % 2 == 0) foreign.emplace(1 + i / 2 % most_held);
    end = runner_.run();
  }
  tape_.stop();
  arena_.fill_with(arena::usual_fill);
  if (end == run_end::complete && !learning_.restarted()) return end;
  if (end != run_end::violation || ending_.found().kind != violation::nondeterminism) {
    std::string now = "it did not end";
    if (end == run_end::violation)
      now = std::string(to_string(ending_.found().kind)) + ": " + ending_.found().message;
    const bool other = end == run_end::violation;
    const source_location where = other ? ending_.found().where : source_location{};
    ending_.violate_instead(
        other ? ending_.found().thread : fibers_.running(), violation::nondeterminism,
        "the same execution went differently when it was run again: then nothing was wrong, "
        "now " +
            now,
        where);
  }
  return run_end::violation;
}

run_end repetition::run_from_beginning(run_end then, bool record, const extent& before) {
  const std::string outcome = outcomes_.text();
  const violation wrong = ending_.found().kind;
  tape_.record();
  const run_end now = runner_.add_again(before);
  if (!record) tape_.stop();
  const bool same = now == then && (now != run_end::violation || ending_.found().kind == wrong) &&
                    (now != run_end::complete || outcomes_.text() == outcome);
  if (same || learning_.restarted()) return now;
  resuming_.give_up("an execution went differently from its beginning than from a resume point");
  ending_.restart_later(run_ending::restart_for::mistake);
  learning_.restart();
  return run_end::again;
}

}  // namespace fencepost::verify
