#include "run/run_or_recall.hpp"

#include <utility>

namespace fencepost::cli {

std::vector<finished_job> run_or_recall(
    const std::vector<job>& jobs, result_store& store, const worker_limits& limits,
    const std::function<void(std::size_t finished, std::size_t of)>& progress) {
  std::vector<finished_job> done(jobs.size());
  std::vector<job> unknown;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (auto known = store.find(*jobs[i].what, jobs[i].how)) {
      done[i].result = std::move(*known);
    } else {
      unknown.push_back(jobs[i]);
      which.push_back(i);
    }
  }
  std::size_t finished = 0;
  worker_events events;
  events.finished = [&](std::size_t i, const finished_job& d) {
    ++finished;
    store.add(*unknown[i].what, unknown[i].how, d.result);
  };
  events.tick = [&] { progress(finished, unknown.size()); };
  std::vector<finished_job> fresh = run_all(unknown, limits, events);
  for (std::size_t k = 0; k < which.size(); ++k) done[which[k]] = std::move(fresh[k]);
  return done;
}

}  // namespace fencepost::cli
