// Why an exploration ended early, and what may help.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/verify/report.hpp"
#include "words.hpp"

namespace fencepost::verify {
namespace {

// Says what was drawn, and what that tells about the rest.
std::string in_words(const sampled& s) {
  std::string text = counted(s.draws, "random execution") + " with seed " + std::to_string(s.seed) +
                     ", " + grouped(s.graphs) + " different";
  if (s.graphs == 0) return text;
  return text + " of an estimated " + grouped(static_cast<std::uint64_t>(s.least())) +
         " or more; the next one is new with a probability of about " + percent(s.unseen());
}

std::string which_are_open(const reexecuted& x) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, x.open.size()); ++i) {
    const reexecuted::open_race& race = x.open[i];
    text += (i == 0 ? "The read at " : ". The read at ") + place(race.read) +
            " may take its value from the write at " + place(race.write) + ", but " + race.why;
  }
  if (x.open.size() > most) text += " (and " + grouped(x.open.size() - most) + " more)";
  return text + ". Everything else under xc20 was explored.";
}

}  // namespace

std::string limit_in_words(std::string_view limit) {
  if (limit.empty()) return "stopped before the end";
  if (limit == "max_executions") return "the limit of executions was reached (max_executions)";
  if (limit == "timeout") return "the time limit was reached (timeout)";
  if (limit == "probes") return "the number of executions was estimated; none was explored";
  if (limit == "parts") return "the exploration was divided into parts";
  if (limit == "learned")
    return "this part has shown how the program waits: the exploration restarts";
  if (limit == "part") return "only this part was explored";
  if (limit == "load buffering") return "load-buffering races are not resolved";
  return std::string(limit);
}

std::string_view why_not_shown() noexcept {
  return "This did not happen when the execution was run again to record its steps, so they may "
         "not show it: the program depends on something besides what it reads, or this is a fault "
         "of the checker.";
}

std::string why_not_replayed(const counterexample& c) {
  return "No way to replay it was found: " + limit_in_words(c.no_path) + ".";
}

std::string in_words(const estimated& e) {
  const std::string least = rounded(e.at_least), most = rounded(e.at_most);
  return "about " + (least == most ? most : least + " to " + most) +
         (most == "1" ? " execution" : " executions");
}

std::string why_incomplete(const result& r) {
  if (r.limit == "probes")
    return r.whole ? in_words(*r.whole) + " or more, by estimate; none was explored"
                   : "no estimate: there are too few complete executions";
  if (r.limit == "load buffering" && r.reexecutions) {
    const std::size_t open = r.reexecutions->open.size();
    return counted(open, "load-buffering race") + (open == 1 ? " is" : " are") + " not resolved";
  }
  if (r.sample) {
    const std::string limit = r.limit == "samples" ? "" : limit_in_words(r.limit) + " after ";
    return limit + in_words(*r.sample);
  }
  std::string bound;
  if (r.preemptions) {
    bound = "bound of " + counted(*r.preemptions, "preemption");
    if (r.limit == "preemptions")
      return bound + ", beyond which " + counted(r.cut, "run") + " went";
    bound = " within the " + bound;
  }
  const std::string all = r.whole ? "; " + in_words(*r.whole) + " or more in all" : "";
  return limit_in_words(r.limit) + bound + all;
}

std::string about_the_limit(const result& r, bool names_options) {
  if (r.limit == "load buffering" && r.reexecutions) return which_are_open(*r.reexecutions);
  constexpr std::size_t most = 3;
  std::vector<changed_place> places = r.changed;
  const auto shown = places.begin() + static_cast<std::ptrdiff_t>(std::min(most, places.size()));
  std::partial_sort(places.begin(), shown, places.end(),
                    [](const changed_place& a, const changed_place& b) { return a.runs > b.runs; });
  const auto runs = std::accumulate(
      places.begin(), places.end(), 0.,
      [](double sum, const changed_place& p) { return sum + static_cast<double>(p.runs); });
  if (r.sample || runs == 0) return {};
  std::string text = "Most runs come from choices at ";
  for (auto p = places.begin(); p != shown; ++p) {
    if (p != places.begin()) text += p + 1 == shown ? " and " : ", ";
    text += place(p->where) + " (" + percent(static_cast<double>(p->runs) / runs) + ")";
  }
  text +=
      ": which write is read, or where a write goes in modification order. What may help: "
      "fewer of these accesses, or fewer threads";
  // A loop that waits and comes round so often has no end of its own.
  constexpr std::size_t many_events = 1'000;
  const std::string loops = r.events < many_events
                                ? ""
                                : " An execution has up to " + grouped(r.events) +
                                      " events: is there a loop that writes in each turn while it "
                                      "waits? Then there is no end of executions.";
  if (!names_options) return text + "." + loops;
  text += "; ";
  if (r.symmetric == 0 && r.threads > 2)
    text += "declaring threads that run the same code symmetric (options::symmetric); ";
  if (!r.preemptions) text += "a bound (--bound 2, options::preemptions); ";
  return text + "more processes (--jobs, options::jobs); continuing later (--checkpoint)." + loops;
}

std::string part_in_words(std::optional<unsigned> preemptions, std::uint64_t samples,
                          std::uint64_t seed) {
  if (samples != 0) return counted(samples, "random execution") + ", seed " + std::to_string(seed);
  return preemptions ? "at most " + counted(*preemptions, "preemption") : "";
}

}  // namespace fencepost::verify
