#include "execute/counterexample_writer.hpp"

namespace fencepost::verify {

std::pair<std::size_t, std::size_t> reading_length(const counterexample& c) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < c.steps.size(); ++i)
    if (c.steps[i].thread != c.steps[i - 1].thread) ++changes;
  return {c.steps.size(), changes};
}

run_end counterexample_writer::run_traced() {
  trace_.record_runs(true);
  const run_end end = runner_.run();
  trace_.record_runs(false);
  return end;
}

bool counterexample_writer::explain(counterexample& shown) {
  shown = ending_.found();
  trace_.clear();
  const run_end end = run_traced();
  const bool happened = end == run_end::violation && ending_.found().kind == shown.kind;
  if (happened) shown = ending_.found();
  shown.where = trace_.place_of(shown.thread, shown.where);
  trace_.write_down(shown, threads_.created());
  return happened;
}

std::optional<execution> counterexample_writer::example() {
  if (run_traced() != run_end::complete) return {};
  execution shown;
  trace_.write_down(shown, threads_.created());
  return shown;
}

}  // namespace fencepost::verify
