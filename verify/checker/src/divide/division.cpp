#include "divide/division.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "divide/kept_exploration.hpp"
#include "divide/sum.hpp"
#include "execute/front_end_state.hpp"

namespace fencepost::verify {

namespace {

// The seconds that one process explores before others are started: long explorations lose little by
// it, and short ones need no others.
constexpr double at_first = 0.1;

options with_opinion(options o, axioms::second_opinion& opinion) {
  if (!o.recheck) return o;
  o.on_complete_graph = [&opinion](const explored_graph& g) { opinion.hear(g); };
  o.on_restart = [&opinion] { opinion.restart(); };
  return o;
}

}  // namespace

bool division::can_divide(const options& o) {
  const bool calls_back = o.on_execution || o.on_restart || o.on_complete_graph || o.on_graph ||
                          o.on_preemptions || o.on_class;
  return o.samples == 0 && o.probes == 0 && o.replay.empty() && !o.keep_going && !calls_back;
}

bool division::is_wanted(const options& o) {
  return o.jobs > 1 || o.jobs_now != nullptr || o.parts != 0 || !o.resume.empty() ||
         o.on_checkpoint || o.estimate;
}

division::division(const options& o, std::function<void()> body)
    : options_(o),
      body_(std::move(body)),
      explorer_(std::in_place, with_opinion(o, opinion_), body_),
      next_keeping_(o.on_checkpoint ? between_keepings : std::numeric_limits<double>::infinity()) {}

bool division::is_divided() const {
  return processes() > 1 || options_.parts != 0 || options_.on_checkpoint;
}

double division::alone() const {
  return options_.parts == 0 ? at_first
                             : std::chrono::duration<double>(options_.before_parts).count();
}

unsigned division::processes() const {
  const unsigned wanted = options_.jobs_now == nullptr
                              ? options_.jobs
                              : options_.jobs_now->load(std::memory_order_relaxed);
  return std::clamp(wanted, 1U, most_processes);
}

result division::run() {
  if (!options_.resume.empty() && !resume()) return conclude();
  while (explore_all() && learn()) begin_again();
  finish_estimate();
  // No more probes, so that the estimate that is kept is the one that is reported.
  whole_ = best_estimate();
  estimator_.reset();
  keep();
  return conclude();
}

// Discards what earlier sittings have explored; their runs no longer count.
void division::begin_again() {
  ledger_ = ledger();
  runs_before_ = 0;
}

// Returns false if it cannot; limit_ then says why.
bool division::resume() try {
  kept_exploration kept = kept_exploration_from(options_.resume);
  lessons_ = std::move(kept.lessons);
  ledger_ = std::move(kept.parts);
  before_ = kept.seconds;
  const result found = ledger_.total().found;
  runs_before_ = found.executions + found.blocked;
  whole_ = kept.whole;
  if (renew()) return true;
  limit_ =
      "the checkpoint belongs to another program: what was learned about it does not hold here";
  return false;
} catch (const std::invalid_argument& e) {
  limit_ = std::string("cannot resume: this is not a checkpoint: ") + e.what();
  return false;
}

void division::keep() {
  if (!options_.on_checkpoint) return;
  const std::uint64_t executions = ledger_.total().found.executions;
  options_.on_checkpoint(
      to_text(kept_exploration{lessons_, ledger_, before_ + seconds(), whole(executions)}));
}

// Creates an explorer with the lessons that are known so far. Returns false if one of them does not
// apply to this program.
bool division::renew() {
  explorer_.emplace(with_opinion(options_, opinion_), body_);
  return std::all_of(lessons_.begin(), lessons_.end(),
                     [this](const lesson& l) { return explorer_->learn(l); });
}

// Returns true if the whole tree has been explored.
bool division::explore_all() {
  if (options_.parts == 0 || ledger_.left().size() < options_.parts) explore_here();
  if (options_.parts != 0) divide_up();
  while (!ledger_.complete() && limit_.empty()) explore_together();
  workers_.clear();
  return ledger_.complete() && is_whole();
}

// Returns true if something was learned, so that the exploration must restart.
bool division::learn() {
  const std::optional<lesson> learned = ledger_.learned();
  if (!learned) return false;
  const std::vector<lesson>& known = explorer_->lessons();
  const bool knows_it = known.size() == lessons_.size() + 1 && known.back() == *learned;
  if (!knows_it && !(renew() && explorer_->learn(*learned))) return false;
  estimator_.reset();  // it has probed another tree
  whole_.reset();
  lessons_.push_back(*learned);
  return true;
}

part_result division::explore(const part& p, part_control& control) {
  opinion_.restart();
  part_result r = explorer_->explore(p, control);
  if (options_.recheck) r.found.recheck = opinion_.so_far();
  return r;
}

// Takes what was found in a part.
void division::take(const part& p, part_result r) {
  if (r.how == ending::late) {
    ledger_.reopen(p.after);
    if (limit_.empty()) limit_ = r.text;
  } else {
    ledger_.close(p.after, std::move(r));
  }
}

std::string division::limit_of(std::uint64_t runs) const {
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
    return "interrupted";
  if (options_.timeout.count() != 0 &&
      seconds() * 1000 > static_cast<double>(options_.timeout.count()))
    return "timeout";
  // There may be fewer runs than before: parts behind a violation do not count.
  const std::uint64_t counted = runs - std::min(runs, runs_before_);
  if (options_.max_executions != 0 && counted >= options_.max_executions) return "max_executions";
  return {};
}

void division::look_at_limits() {
  const double now = seconds();
  if (!limit_.empty() || now < next_report_) return;
  next_report_ = now + between_reports;
  result sum = sum_so_far();
  for (const auto& w : workers_) {
    if (!w->now()) continue;
    const division_state::counts& c = page_->of[w->number()];
    sum.executions += c.executions.load(std::memory_order_relaxed);
    sum.blocked += c.blocked.load(std::memory_order_relaxed);
  }
  limit_ = limit_of(sum.executions + sum.blocked);
  allow_estimate();
  tell_progress(sum.executions, sum.blocked);
}

result division::sum_so_far() const {
  result r = explorer_->nothing_found();
  add(r, ledger_.total().found);
  return r;
}

// True if the front end ends the exploration after this run. The run is repeated here, so that the
// front end of this process knows why.
bool division::ends_here(const choice_path& run) {
  if (!front_end_state::why_over_now()) explorer_->make(run);
  return front_end_state::why_over_now().has_value();
}

result division::conclude() {
  result r = sum_so_far();
  const part_result all = ledger_.total();
  r.seconds = before_ + seconds();
  for (const outcome_example& e : all.examples)
    if (r.examples.size() < options_.examples) r.examples[e.outcome] = e.shown;
  if (const part_result* const violation = ledger_.violation()) {
    opinion_.restart();
    result others;  // what other processes have found
    others.places = r.places;
    r = explorer_->explore_from(violation->at, violation->text, std::move(r));
    if (options_.recheck) others.recheck = opinion_.so_far();
    add(r, others);
  } else if (!ledger_.complete()) {
    r.limit = limit_;
  } else if (all.how == ending::learned && !is_whole()) {
    r.limit = "learned";
  } else if (all.how == ending::limit || (all.how == ending::over && ends_here(all.at))) {
    r.limit = all.text;
  } else if (all.how == ending::over || all.how == ending::lost || all.how == ending::learned) {
    r.limit = "the program behaves differently in different processes";
  } else if (!is_whole()) {
    r.limit = "part";
  }
  if (!r.limit.empty() && is_whole()) r.whole = whole(r.executions);
  explorer_->judge(r);
  return r;
}

}  // namespace fencepost::verify
