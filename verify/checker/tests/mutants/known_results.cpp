#include "known_results.hpp"

#include <sys/time.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "../../../frontends/litmus/tests/load_buffering_programs.hpp"
#include "../../../frontends/litmus/tests/reexecution_programs.hpp"
#include "../common_limits.hpp"
#include "../front_end.hpp"
#include "../judged_programs.hpp"
#include "../known_programs.hpp"
#include "../locked_programs.hpp"
#include "../long_runs.hpp"
#include "../parts.hpp"
#include "../polling_programs.hpp"
#include "../probes.hpp"
#include "../resumed.hpp"
#include "../sittings.hpp"
#include "../symmetric_programs.hpp"
#include "../tried_waits.hpp"
#include "body_results.hpp"
#include "litmus_results.hpp"

namespace fencepost::verify::testing {
namespace {

// Returns what `wrong` says of the first program of which it does not say "", or "".
template <class Programs, class Wrong>
std::string first_wrong(const Programs& programs, Wrong wrong) {
  for (const auto& p : programs)
    if (std::string said = wrong(p); !said.empty()) return said;
  return "";
}

std::string wrong_when_resumed() {
  const auto differs = [](const known_program& p) { return difference_within(p, 10'000); };
  if (std::string wrong = first_wrong(programs_to_resume(), differs); !wrong.empty()) return wrong;
  for (std::uint64_t most : {30U, 33U, 50U})
    if (std::string wrong =
            first_wrong(programs_to_resume(),
                        [&](const known_program& p) { return difference_within(p, most); });
        !wrong.empty())
      return wrong;
  if (std::string wrong = difference_once_violated(); !wrong.empty()) return wrong;
  if (std::string wrong = difference_where_judged(); !wrong.empty()) return wrong;
  if (std::string wrong = difference_where_a_turn_is_taken_back(); !wrong.empty()) return wrong;
  return first_wrong(programs_of_every_kind(), differs);
}

std::string wrong_in_sittings() {
  return first_wrong(programs_to_resume(), [](const known_program& p) {
    std::string wrong;
    for (std::uint64_t runs = 17; runs < 30 && wrong.empty(); ++runs)
      wrong = difference_in_sittings(p, runs);
    return wrong;
  });
}

std::string wrong_litmus_tests() {
  return first_wrong(known_states(), [](const expectation& e) { return wrong_states(e); });
}

std::string wrong_parts() {
  if (std::string wrong = first_wrong(
          programs_of_every_kind(), [](const known_program& p) { return wrong_in_parts(p, 3, 1); });
      !wrong.empty())
    return wrong;
  if (std::string wrong = first_wrong(programs_that_block(),
                                      [](const judged_program& j) {
                                        return wrong_in_parts({j.name, 0, j.body, j.bounds}, 2, 1);
                                      });
      !wrong.empty())
    return wrong;
  if (std::string wrong =
          first_wrong(programs_to_resume(),
                      [](const known_program& p) { return wrong_in_parts_resumed(p, 1); });
      !wrong.empty())
    return wrong;
  if (std::string wrong = wrong_examples_in_parts(3, 1); !wrong.empty()) return wrong;
  return first_wrong(programs_of_symmetric_threads(),
                     [](const symmetric_program& p) { return wrong_in_parts(as_known(p), 3, 1); });
}

std::string wrong_random_locks() {
  for (unsigned seed = 0; seed < 50; ++seed)
    if (std::string wrong = wrong_locks(random_locks(seed)); !wrong.empty()) return wrong;
  return "";
}

std::string wrong_with_many_events() {
  if (std::string wrong =
          first_wrong(programs_of_every_kind(),
                      [](const known_program& p) { return wrong_count(after_threads(p, 16)); });
      !wrong.empty())
    return wrong;
  constexpr std::uint64_t few = 40;
  return first_wrong(known_states(), [](const expectation& e) {
    return e.executions > few ? "" : wrong_states(e, true);
  });
}

std::string wrong_under_some_model() {
  return first_wrong(programs_of_every_kind(), [](known_program p) {
    for (const memory_model m : all_models) {
      p.bounds.model = m;
      if (std::string wrong = wrong_count(p); !wrong.empty()) return wrong;
      if (std::string wrong = wrong_under_other_priorities(p); !wrong.empty()) return wrong;
    }
    return std::string();
  });
}

std::string wrong_classes_of_any() {
  return first_wrong(programs_of_symmetric_threads(),
                     [](const symmetric_program& p) { return wrong_classes(p, p.bounds); });
}

std::string wrong_average() {
  return first_wrong(programs_of_every_kind(),
                     [](const known_program& p) { return wrong_on_average(p, 100); });
}

// A check, and sources whose faults it is likely to notice.
struct known_check {
  std::string (*wrong)();
  std::array<std::string_view, 8> about = {};
};

// The quick ones come first: they notice most faults, and those after them most others. Checks that
// take seconds and notice few faults come late.
constexpr known_check checks[] = {
    {wrong_verdict_of_a_body},
    {wrong_where_the_tree_changes, {"/divide/"}},
    {unnoticed_change, {"/snapshots"}},
    {wrong_race_of_two_accesses, {"/consistency"}},
    {wrong_with_front_end, {"/resume_points", "/foreign_memory"}},
    {[] { return first_wrong(programs_of_locks(), wrong_locks); }},
    {wrong_polling,
     {"/silent_sections", "/idle_turns", "/left_out", "/spin_loops", "/scheduler", "/seen_changes",
      "/contention", "/run_judge"}},
    {wrong_common_limits, {"/reexecute/"}},
    {wrong_load_buffering_of_bodies, {"/reexecute/", "/execute/"}},
    {wrong_classes_of_any, {"/symmetry", "/left_out"}},
    {[] { return first_wrong(programs_of_every_kind(), wrong_within_bounds); }, {"/preemption"}},
    {[] { return first_wrong(programs_that_block(), wrong_verdict); }},
    {[] { return first_wrong(programs_of_known_count(), wrong_count); }},
    {litmus::testing::wrong_load_buffering, {"/reexecute/", "/load_buffering"}},
    {wrong_litmus_tests},
    {litmus::testing::wrong_reexecution, {"/reexecute/"}},
    {wrong_average, {"/divide/"}},
    {[] { return first_wrong(programs_of_every_kind(), wrong_draws); }, {"/sampler"}},
    {wrong_dead_ends,
     {"/dead_ends", "/idle_turns", "/spin_loops", "/thread_turns", "/symmetric_threads"}},
    {wrong_parts, {"/part", "/ledger", "/kept_exploration"}},
    {wrong_where_more_becomes_known, {"/division", "/part_search", "/search", "/counting_runner"}},
    {wrong_order_in_deep_frames, {"/sampler", "/execution_runner"}},
    {wrong_random_locks},
    {wrong_when_resumed, {"/execute/"}},
    {wrong_in_sittings},
    {wrong_with_many_events, {"/clock"}},
    {[] { return wrong_intervals(60); }, {"/divide/", "/estimate"}},
    {wrong_under_some_model},
    {wrong_long_runs, {"/run_limits", "/counting_runner", "/part_search"}},
};
constexpr std::ptrdiff_t quick = 6;

// With a fault, the checker may run forever. Without one, no check takes more than a few seconds of
// processor time; a process that uses up its time ends by SIGPROF.
void allow_seconds_of_a_processor(time_t seconds) {
  const itimerval bound{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &bound, nullptr);
}

}  // namespace

std::string anything_wrong(std::string_view file) {
  std::vector<known_check> in_order(std::begin(checks), std::end(checks));
  std::stable_partition(in_order.begin() + quick, in_order.end(), [&](const known_check& c) {
    return std::any_of(c.about.begin(), c.about.end(), [&](std::string_view part) {
      return !part.empty() && file.find(part) != std::string_view::npos;
    });
  });
  return first_wrong(in_order, [](const known_check& c) {
    allow_seconds_of_a_processor(20);
    return c.wrong();
  });
}

}  // namespace fencepost::verify::testing
