#include "run/run_scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/interrupts.hpp"
#include "fencepost/verify/report.hpp"

namespace fencepost::cli {
namespace {

using clock = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

constexpr auto redraw_after = std::chrono::milliseconds(100);

// Returns how long the rest takes, if `done` of `all` took `elapsed`.
std::string time_left(double elapsed, double done, double all) {
  return verify::duration(elapsed * std::max(all - done, 0.0) / done);
}

std::string time_left(double elapsed, const verify::progress& p) {
  if (!p.whole) return p.fraction == 0 ? "" : time_left(elapsed, p.fraction, 1);
  const auto done = static_cast<double>(std::max<std::uint64_t>(p.executions, 1));
  const std::string least = time_left(elapsed, done, p.whole->at_least);
  const std::string most = time_left(elapsed, done, p.whole->at_most);
  return least == most ? most : least + " to " + most;
}

// "[3/24] 12.3 s, 1,312,000 executions/s; tail_split/two_thieves of about 4,100 to 5,000
// executions, 5.1 s to 7.2 s left; ..."
class live_status {
 public:
  live_status(screen& out, std::vector<const entry*> all) : out_(out), all_(std::move(all)) {}

  void started(std::size_t job) { running_[job] = {clock::now(), {}}; }
  void progressed(std::size_t job, const verify::progress& p) { running_[job].last = p; }
  void finished(std::size_t job) {
    running_.erase(job);
    ++done_;
  }

  void draw() {
    const auto now = clock::now();
    if (!out_.is_live() || now - drawn_ < redraw_after) return;
    drawn_ = now;
    if (interrupted()) {
      out_.live(
          fmt::format("[{}/{}] stopping; interrupt again to stop at once", done_, all_.size()));
      return;
    }
    double rate = 0;
    std::string each;
    for (const auto& [job, one] : running_) {
      const verify::progress& p = one.last;
      const double elapsed = seconds(now - one.began).count();
      if (p.seconds > 0) rate += static_cast<double>(p.executions + p.blocked) / p.seconds;
      each += fmt::format("; {}", all_[job]->about.name);
      const std::string left = time_left(elapsed, p);
      if (left.empty()) continue;
      each += p.whole ? " of " + in_words(*p.whole) : " " + verify::percent(p.fraction);
      each += fmt::format(", about {} left", left);
    }
    std::string line = fmt::format("[{}/{}] {}", done_, all_.size(),
                                   verify::duration(seconds(now - began_).count()));
    if (rate > 0)
      line += fmt::format(", {} executions/s", verify::grouped(static_cast<std::uint64_t>(rate)));
    out_.live(line + each);
  }

 private:
  struct state {
    clock::time_point began;
    verify::progress last;
  };
  screen& out_;
  std::vector<const entry*> all_;
  std::map<std::size_t, state> running_;
  std::size_t done_ = 0;
  clock::time_point began_ = clock::now();
  clock::time_point drawn_{};
};

}  // namespace

std::vector<finished_job> run_scenarios(
    const std::vector<const entry*>& selected, const common_options& common,
    const limit_options& limits, screen& out,
    const std::function<void(std::size_t, const finished_job&)>& finished) {
  std::vector<job> jobs;
  jobs.reserve(selected.size());
  for (const entry* e : selected) jobs.push_back({e, options_for(*e, common, limits)});
  live_status line(out, selected);
  worker_events events;
  events.started = [&](std::size_t i) { line.started(i); };
  events.progressed = [&](std::size_t i, const verify::progress& p) { line.progressed(i, p); };
  events.finished = [&](std::size_t i, const finished_job& done) {
    line.finished(i);
    finished(i, done);
  };
  events.tick = [&] { line.draw(); };
  worker_limits w;
  w.jobs = common.jobs;
  std::vector<finished_job> done = run_all(jobs, w, events);
  out.clear();
  return done;
}

void shorten_counterexamples(std::vector<finished_job>& done,
                             const std::vector<const entry*>& entries,
                             const std::vector<std::size_t>& which, const common_options& common,
                             const limit_options& limits, screen& out) {
  if (which.empty() || interrupted()) return;
  std::vector<const entry*> again;
  for (const std::size_t i : which) again.push_back(entries[i]);
  limit_options within = limits;
  within.resume.clear();
  within.on_checkpoint = nullptr;
  within.parts = 0;
  within.shorten = runs_to_shorten;
  within.recheck = false;
  within.timeout = seconds(time_to_shorten).count();
  if (limits.timeout != 0) within.timeout = std::min(within.timeout, limits.timeout);
  const std::vector<finished_job> found =
      run_scenarios(again, common, within, out, [](std::size_t, const finished_job&) {});
  for (std::size_t i = 0; i < which.size(); ++i) {
    verify::result& r = done[which[i]].result;
    const verify::result& other = found[i].result;
    if (!found[i].ran || !other.violation || other.violation->kind != r.violation->kind ||
        other.violation->steps.size() > r.violation->steps.size()) {
      continue;
    }
    r.violation = other.violation;
    r.violations = other.violations;
  }
}

}  // namespace fencepost::cli
