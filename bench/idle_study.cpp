// Compares what a fork-join worker may do between two failed attempts to steal: yield, pause, or
// pause twice as long each time; when it sleeps after 256 attempts, and when it never sleeps; with
// a worker for each processor, and with four times as many. docs/findings/lace.md has its output.
//
//   idle_study [--rounds N] [PROGRAM...]     (default: 1 round of each)
//
// In each round each way runs once, in turn. A cell has the median of the rounds, and the least and
// the greatest value. Exit status: 0; 1 a result is wrong; 2 wrong usage.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

#include "deques/samples.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fork_join_programs.hpp"
#include "study_options.hpp"

namespace {

using namespace fencepost;
using namespace fencepost::bench;

using pool = basic_fork_join<fork_join_features{.statistics = true}>;

struct way {
  const char* name;
  std::uint32_t pauses;
};
constexpr way ways[] = {{"yield", 0}, {"pause", 1}, {"pause, up to 64", 64}};

// How many attempts may find nothing before a worker sleeps.
struct attempt_limit {
  const char* name;
  std::uint32_t attempts;
};
constexpr attempt_limit limits[] = {{"256", fork_join_search{}.attempts}, {"any", 0xffff'ffff}};

struct program {
  std::string_view name;
  std::function<std::uint64_t()> sequential;
  std::function<std::uint64_t(pool::worker&)> spawning;
};

struct samples {
  std::vector<double> clock, processor, attempts, sleeps;
};

void measure_once(const program& what, std::uint32_t workers, std::uint32_t attempts,
                  std::uint32_t pauses, std::uint64_t right, samples& into) {
  fork_join_options options;
  options.workers = workers;
  options.search.attempts = attempts;
  options.search.pauses = pauses;
  pool on{options};
  std::uint64_t result = 0;
  const seconds took =
      timed([&] { result = on.run([&](pool::worker& me) { return what.spawning(me); }); });
  check(result, right);
  on.stop();
  const fork_join_statistics counts = on.statistics();
  into.clock.push_back(took.clock);
  into.processor.push_back(took.processor);
  into.attempts.push_back(static_cast<double>(counts.steals_none));
  into.sleeps.push_back(static_cast<double>(counts.sleeps));
}

void measure(const program& what, unsigned rounds) {
  const std::uint32_t processors = workers_of_the_machine(pool::most_workers / 4);
  const std::uint64_t right = what.sequential();
  for (const std::uint32_t workers : {processors, 4 * processors}) {
    for (const attempt_limit& limit : limits) {
      samples of[std::size(ways)];
      for (unsigned round = 0; round < rounds; ++round) {
        for (std::size_t each = 0; each < std::size(ways); ++each) {
          measure_once(what, workers, limit.attempts, ways[each].pauses, right, of[each]);
        }
      }
      for (std::size_t each = 0; each < std::size(ways); ++each) {
        std::printf("| %s | %u | %s | %s | %s | %s | %.0f | %.0f |\n", what.name.data(), workers,
                    limit.name, ways[each].name, sample_of(of[each].clock).text(2).c_str(),
                    sample_of(of[each].processor).text(2).c_str(),
                    sample_of(of[each].attempts).median, sample_of(of[each].sleeps).median);
      }
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<program> programs{
      {"queens-12", [] { return queens_sequential(12); },
       [](pool::worker& me) { return queens(me, 12); }},
      {"uts-t3", [] { return uts::sequential<uts::t3>(uts::root(uts::t3::seed)).nodes; },
       [](pool::worker& me) { return uts::search<uts::t3>(me, uts::root(uts::t3::seed)).nodes; }},
  };
  const study_options options = study_options_of("idle_study", argc, argv, programs);
  std::printf(
      "| program | workers | attempts | between them | s by the clock | s of processor time | "
      "in vain | sleeps |\n| --- | ---: | --- | --- | ---: | ---: | ---: | ---: |\n");
  for (const program& each : programs) {
    if (options.wants(each.name)) measure(each, options.rounds);
  }
}
