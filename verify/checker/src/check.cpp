// Checks: explorations with their bounds, rechecked or shortened.

#include "fencepost/verify/check.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "axioms/recheck.hpp"
#include "divide/division.hpp"
#include "execute/counterexample_writer.hpp"
#include "execute/explorer.hpp"
#include "reexecute/reexecution.hpp"

namespace fencepost::verify {

namespace {

// Which violation is met first depends on which thread is explored first: every order is tried, as
// long as there is time. The check began at `begin`; r.seconds counts earlier sittings as well.
void shorten(result& r, options o, const std::function<void()>& body,
             std::chrono::steady_clock::time_point begin) {
  using std::chrono::milliseconds;
  constexpr unsigned most_permuted = 4;
  const auto spent = [&] {
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
  };
  const milliseconds end =
      std::min(o.timeout.count() != 0 ? o.timeout : milliseconds::max(),
               o.shorten_within.count() != 0 ? spent() + o.shorten_within : milliseconds::max());
  o.priorities.resize(std::min(r.threads, 1 + most_permuted));
  std::iota(o.priorities.begin(), o.priorities.end(), 0U);  // main first: it creates the others
  while (spent() < end && std::next_permutation(o.priorities.begin() + 1, o.priorities.end())) {
    if (end != milliseconds::max()) o.timeout = end - spent();
    result other = explorer(o, body).explore();
    r.violations += other.violations;
    r.seconds += other.seconds;
    if (other.violation && other.violation->kind == r.violation->kind &&
        reading_length(*other.violation) < reading_length(*r.violation)) {
      r.violation = std::move(other.violation);
    }
  }
}

// Explores, and judges each complete graph by the axioms.
result explore_and_recheck(options o, const std::function<void()>& body) {
  axioms::second_opinion second;
  o.on_complete_graph = [&second, also = o.on_complete_graph](const explored_graph& g) {
    second.hear(g);
    if (also) also(g);
  };
  o.on_restart = [&second, also = o.on_restart] {
    second.restart();
    if (also) also();
  };
  result r = explorer(o, body).explore();
  r.recheck = second.so_far();
  return r;
}

// The number of processes: that of the options or, if they do not say, of FENCEPOST_JOBS. Nothing
// if that cannot be understood.
std::optional<unsigned> jobs_wanted(const options& o) {
  const char* const wanted = std::getenv("FENCEPOST_JOBS");
  if (o.jobs != 0 || wanted == nullptr || *wanted == '\0') return std::max(o.jobs, 1U);
  unsigned n = 0;
  const char* const end = wanted + std::strlen(wanted);
  const auto [rest, error] = std::from_chars(wanted, end, n);
  if (error != std::errc{} || rest != end || n == 0) return {};
  return n;
}

result explore(options o, const std::function<void()>& body) {
  const std::optional<unsigned> jobs = jobs_wanted(o);
  if (!jobs) {
    result r = explorer(o, body).nothing_found();
    r.limit = "FENCEPOST_JOBS is not a number of processes: 1, 2, ...";
    return r;
  }
  o.jobs = *jobs;
  const bool sittings = o.parts != 0 || !o.resume.empty() || o.on_checkpoint;
  if (sittings && !division::can_divide(o)) {
    result r = explorer(o, body).nothing_found();
    r.limit = "this cannot be explored in several sittings: see options::jobs";
    return r;
  }
  const bool divides = division::can_divide(o) && division::is_wanted(o);
  const auto explore_here = [](const options& how, const std::function<void()>& what) {
    return how.recheck ? explore_and_recheck(how, what) : explorer(how, what).explore();
  };
  result r = o.model == memory_model::xc20 ? explore_with_reexecutions(o, body, explore_here)
             : divides                     ? division(o, body).run()
                                           : explore_here(o, body);
  if (r.recheck && r.recheck->rejected != 0 && r.outcome == verdict::verified) {
    r.outcome = verdict::incomplete;
    r.limit = "the axioms reject a graph that was explored: a fault of the checker";
  }
  return r;
}

}  // namespace

result check(const options& o, std::function<void()> body) {
  const auto begin = std::chrono::steady_clock::now();
  result r;
  const auto all = [&] { r = explore(o, body); };
  if (detail::around_checks != nullptr)
    detail::around_checks(all);
  else
    all();
  if (o.shorten != 0 && o.model != memory_model::xc20 && o.replay.empty() && o.samples == 0 &&
      r.violation && r.threads > 1)
    shorten(r, o, body, begin);
  return r;
}

options with_bounds_of(const scenario& about, options o) {
  o.name = about.name;
  o.spurious_failures = about.spurious_failures;
  o.spurious_wakeups = about.spurious_wakeups;
  o.reuse_addresses = about.reuse_addresses;
  o.reuse_across_threads = about.reuse_across_threads;
  o.typed_memory = about.typed_memory;
  o.timeouts = about.timeouts;
  o.symmetric = about.symmetric;
  o.outcomes = about.outcomes;
  if (!o.resume_points) o.resume_points = true;  // the body creates all of its state
  return o;
}

result detail::check_with_bounds(const scenario& about, const options& o, void (*body)()) {
  return check(with_bounds_of(about, o), body);
}

}  // namespace fencepost::verify
