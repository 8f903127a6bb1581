// Executions that are run once more to be shown.

#include <mutex>
#include <set>

#include "execute/explorer.hpp"

namespace fencepost::verify {

// The name of a file that is known by a text that will be gone.
const char* kept_name(std::string_view file) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> files;
  const std::lock_guard lock(mutex);
  auto found = files.find(file);
  if (found == files.end()) found = files.emplace(file).first;
  return found->c_str();
}

std::pair<std::size_t, std::size_t> reading_length(const counterexample& c) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < c.steps.size(); ++i)
    if (c.steps[i].thread != c.steps[i - 1].thread) ++changes;
  return {c.steps.size(), changes};
}

// Runs the violating execution once more and writes down what happens. False if it does not happen
// again.
bool explorer::explain(counterexample& shown) {
  shown = ending_.found();
  trace_.clear();
  trace_.record_runs(true);
  const run_end end = run();
  trace_.record_runs(false);
  const bool happened = end == run_end::violation && ending_.found().kind == shown.kind;
  if (happened) shown = ending_.found();
  shown.where = trace_.place_of(shown.thread, shown.where);
  trace_.write_down(shown, threads_.created());
  return happened;
}

void explorer::begin_operation(const char* what, const void* object, source_location where) {
  if (!trace_.on()) return;
  trace_.begin_operation(fibers_.running(), what,
                         objects_.at(reinterpret_cast<std::uintptr_t>(object)), where);
}

void explorer::fence_removed(order in_source, source_location where) {
  if (!trace_.on()) return;
  trace_.add(fibers_.running(), step_kind::note,
             message("no fence (%s in the source)", to_string(in_source).data()), where);
}

// Runs a complete execution once more.
std::optional<execution> explorer::example() {
  trace_.record_runs(true);
  const run_end end = run();
  trace_.record_runs(false);
  if (end != run_end::complete) return {};
  execution shown;
  trace_.write_down(shown, threads_.created());
  return shown;
}

}  // namespace fencepost::verify
