#include "run/workers.hpp"

#include <poll.h>

#include <algorithm>
#include <memory>

#include "base/interrupts.hpp"
#include "run/process_shares.hpp"
#include "run/worker.hpp"

namespace fencepost::cli {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds turn{100};

}  // namespace

std::vector<finished_job> run_all(const std::vector<job>& jobs, const worker_limits& limits,
                                  const worker_events& events) {
  std::vector<finished_job> done(jobs.size());
  std::vector<std::unique_ptr<worker>> running;
  const interrupt_guard guard(interrupt_guard::second::is_counted);
  process_shares processes(std::max(limits.jobs, 1U));
  const auto taken = [&] {
    std::vector<const process_shares::share*> all;
    for (const auto& w : running) all.push_back(w->share());
    return all;
  };
  std::size_t next = 0;
  auto last_turn = clock::now();
  while (next < jobs.size() || !running.empty()) {
    while (!interrupted() && next < jobs.size() && running.size() < std::max(limits.jobs, 1U)) {
      running.push_back(std::make_unique<worker>(next, jobs[next], processes.take(taken())));
      if (events.started) events.started(next);
      ++next;
    }
    if (running.empty()) break;
    if (next == jobs.size()) processes.divide(taken());

    std::vector<pollfd> waiting;
    for (const auto& w : running) {
      waiting.push_back({w->messages(), POLLIN, 0});
      waiting.push_back({w->output(), POLLIN, 0});
    }
    ::poll(waiting.data(), waiting.size(), static_cast<int>(turn.count()));

    for (std::size_t i = 0; i < running.size();) {
      if (!running[i]->read(events)) {
        ++i;
        continue;
      }
      const std::size_t index = running[i]->index();
      done[index] = running[i]->finish();
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      if (events.finished) events.finished(index, done[index]);
    }

    // If more time has passed, this process was stopped, and so were the workers.
    const auto now = clock::now();
    const auto passed =
        std::min(std::chrono::duration_cast<milliseconds>(now - last_turn), turn * 5);
    if (passed.count() > 0) last_turn = now;
    for (const auto& w : running) {
      w->check_limits(limits, passed);
      if (interrupted()) w->ask_to_stop(limits.grace);
      if (interrupts_seen() > 1) w->kill(why_ended::interrupted);
    }
    if (events.tick) events.tick();
  }
  for (; next < jobs.size(); ++next) {
    done[next].ran = false;
    done[next].result.model = jobs[next].how.model;
    done[next].result.limit = "interrupted before it began";
  }
  return done;
}

}  // namespace fencepost::cli
