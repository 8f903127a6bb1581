#include "evidence/need_runs.hpp"

#include "base/interrupts.hpp"
#include "run/run_or_recall.hpp"

namespace fencepost::cli {

verify::options how_to_explore(const entry& e, const necessity_options& options,
                               verify::memory_model model) {
  verify::options how = options_for(e, options, options);
  how.model = model;
  how.recheck = false;
  return how;
}

worker_limits limits_of(const necessity_options& options) {
  worker_limits w;
  w.jobs = options.jobs;
  return w;
}

bool holds(const verify::result& r) {
  return r.outcome == verify::verdict::verified && r.executions != 0;
}

bool shows_need(const verify::result& r) {
  return r.outcome == verify::verdict::violated && r.violation && !r.violation->steps.empty() &&
         r.violation->kind != violation::nondeterminism &&
         r.violation->kind != violation::out_of_memory;
}

void progress_line::draw(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (!out_.is_live() || now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  out_.live(interrupted() ? "stopping; interrupt again to stop at once" : text);
}

}  // namespace fencepost::cli
