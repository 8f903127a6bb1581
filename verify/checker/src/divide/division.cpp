#include "divide/division.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <utility>

#include "divide/kept_exploration.hpp"
#include "divide/sum.hpp"
#include "explore/estimate.hpp"

namespace fencepost::verify {

namespace {

using ending = part_result::ending;

// Processor time of this process: what is explored in it does not depend on what else runs.
double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// How long one process explores before others are started: long programs lose little by it, and
// others need none.
constexpr double at_first = 0.1;
constexpr double between_reports = 0.1;
constexpr double between_keepings = 10;
// How long an exploration takes of which it is estimated how long it will take, and the part of its
// time that this may take; and what an estimate may take at the end, if there was none before.
constexpr double before_estimate = 0.3;
constexpr double estimating = 0.05;
constexpr double estimating_at_the_end = 0.1;
constexpr std::size_t probes_at_the_end = 100;
// After fewer runs there is no estimate at the end, which would take longer than they did.
constexpr std::uint64_t least_runs = 128;
// A program that ends so many processes would end others as well.
constexpr unsigned most_ends = 3;

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
  while (explore_all() && learn()) ledger_ = ledger();
  finish_estimate();
  // No more probes: what is kept is what is told.
  whole_ = best_estimate();
  estimator_.reset();
  keep();
  return conclude();
}

// False: it cannot, and limit_ says why.
bool division::resume() try {
  kept_exploration kept = kept_exploration_from(options_.resume);
  lessons_ = std::move(kept.lessons);
  ledger_ = std::move(kept.parts);
  before_ = kept.seconds;
  whole_ = kept.whole;
  if (renew()) return true;
  limit_ = "the checkpoint is of another program: what was learned of it does not hold here";
  return false;
} catch (const std::invalid_argument& e) {
  limit_ = std::string("what is to be resumed is no checkpoint: ") + e.what();
  return false;
}

void division::keep() {
  if (!options_.on_checkpoint) return;
  const std::uint64_t executions = ledger_.total().found.executions;
  options_.on_checkpoint(
      to_text(kept_exploration{lessons_, ledger_, before_ + seconds(), whole(executions)}));
}

// An explorer that knows what was known when the exploration began. False: it teaches nothing here.
bool division::renew() {
  explorer_.emplace(with_opinion(options_, opinion_), body_);
  return std::all_of(lessons_.begin(), lessons_.end(),
                     [this](const lesson& l) { return explorer_->learn(l); });
}

// True if that was all, of the whole tree.
bool division::explore_all() {
  if (options_.parts == 0 || ledger_.left().size() < options_.parts) explore_here();
  if (options_.parts != 0) divide_up();
  while (!ledger_.complete() && limit_.empty()) explore_together();
  workers_.clear();
  return ledger_.complete() && is_whole();
}

// True if something was, so that all is to be explored again.
bool division::learn() {
  const std::optional<lesson> learned = ledger_.learned();
  if (!learned) return false;
  const std::vector<lesson>& known = explorer_->lessons();
  const bool knows_it = known.size() == lessons_.size() + 1 && known.back() == *learned;
  if (!knows_it && !(renew() && explorer_->learn(*learned))) return false;
  estimator_.reset();  // its tree was another one
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

// ---------------------------------------------------------------------------------------------
// Alone.

class division::here final : public part_control {
 public:
  explicit here(division& d)
      : all_(d), before_(d.sum_so_far()), until_(processor_seconds() + d.alone()) {}

  bool is_over(const result& part) override {
    const std::uint64_t executions = before_.executions + part.executions;
    const std::uint64_t blocked = before_.blocked + part.blocked;
    all_.limit_ = all_.limit_of(executions + blocked);
    if (all_.seconds() >= all_.next_report_) {
      all_.next_report_ = all_.seconds() + between_reports;
      all_.allow_estimate();
      all_.tell_progress(executions, blocked);
    }
    return !all_.limit_.empty() || (processor_seconds() > until_ && all_.is_divided());
  }
  bool wants_a_part() override { return false; }
  void give(const part&) override {}

 private:
  division& all_;
  result before_;
  double until_;  // of processor time
};

void division::explore_here() {
  const std::optional<part> first = ledger_.take();
  if (!first) return;
  here control(*this);
  ledger_.close(first->after, explore(*first, control));
  if (ledger_.complete() || !limit_.empty()) return;
  const result sum = sum_so_far();
  limit_ = limit_of(sum.executions + sum.blocked);
}

// Explores for some ten milliseconds, which is the end of a small part; and, if it is to, gives
// away a piece of a large one.
class division::probe final : public part_control {
 public:
  explicit probe(bool divides) : divides_(divides) {}

  bool is_over(const result&) override { return given_ || asked_++ != 0; }
  bool wants_a_part() override { return divides_ && !given_; }
  void give(const part& p) override { given_ = p; }
  [[nodiscard]] const std::optional<part>& given() const noexcept { return given_; }

 private:
  bool divides_;
  std::optional<part> given_;
  int asked_ = 0;
};

// Not into equal parts, whose sizes nobody knows, but none that is over at once is left.
void division::divide_up() {
  const auto probe_all = [this](bool divide) {
    for (const part& p : ledger_.left()) {
      if (!limit_.empty() || (divide && ledger_.left().size() >= 2 * options_.parts)) return;
      if (const std::optional<part> taken = ledger_.take(p.after)) look_into(*taken, divide);
    }
  };
  while (!ledger_.complete() && limit_.empty() && ledger_.left().size() < options_.parts) {
    probe_all(true);
    probe_all(false);
  }
  if (!ledger_.complete() && limit_.empty()) limit_ = "parts";
}

void division::look_into(const part& p, bool divide) {
  probe control(divide);
  part_result r = explore(p, control);
  const bool learned = r.how == ending::learned;
  if (control.given()) ledger_.divide(p.after, *control.given());
  ledger_.close(p.after, std::move(r));
  if (learned && is_whole()) renew();  // there may be something else to be learned before it
  look_at_limits();
}

std::string division::limit_of(std::uint64_t runs) const {
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
    return "interrupted";
  if (options_.timeout.count() != 0 &&
      seconds() * 1000 > static_cast<double>(options_.timeout.count()))
    return "timeout";
  if (options_.max_executions != 0 && runs >= options_.max_executions) return "max_executions";
  return {};
}

// ---------------------------------------------------------------------------------------------
// Together.

void division::explore_together() {
  page_->stop.store(false, std::memory_order_relaxed);
  while (!ledger_.complete() && limit_.empty()) {
    hire();
    hand_out();
    wait();
    listen();
    look_at_limits();
    if (seconds() < next_keeping_ || !limit_.empty()) continue;
    next_keeping_ = seconds() + between_keepings;
    stop_all();
    keep();
    page_->stop.store(false, std::memory_order_relaxed);
  }
  if (!limit_.empty()) stop_all();
}

void division::hire() {
  const auto needed = static_cast<std::size_t>(processes());
  while (workers_.size() < needed && limit_.empty()) {
    std::array<bool, most_processes> taken{};
    for (const auto& w : workers_) taken[w->number()] = true;
    const auto free = std::find(taken.begin(), taken.end(), false) - taken.begin();
    try {
      workers_.push_back(std::make_unique<worker_process>(
          static_cast<unsigned>(free),
          [this](const part& p, part_control& c) {
            explorer_->belongs_to_this_process();
            return explore(p, c);
          },
          page_));
    } catch (const std::runtime_error& e) {
      if (workers_.empty()) limit_ = e.what();
      return;
    }
  }
}

void division::hand_out() {
  int without = 0;
  for (const auto& w : workers_) {
    if (w->now()) continue;
    if (const std::optional<part> p = ledger_.take())
      w->explore(*p);
    else
      ++without;
  }
  page_->wanted.store(without, std::memory_order_relaxed);
}

void division::wait() {
  std::vector<pollfd> all;
  for (const auto& w : workers_) all.push_back({w->descriptor(), POLLIN, 0});
  ::poll(all.data(), all.size(), static_cast<int>(between_reports * 1000));
}

void division::listen() {
  std::erase_if(workers_, [this](const auto& w) {
    bool knows_more = false;  // than those that explore with it
    for (;;) {
      const std::optional<part> explored = w->now();
      std::optional<worker_process::heard> h = w->hear();
      if (!h) break;
      if (h->given) ledger_.divide(explored->after, *h->given);
      if (h->done) {
        knows_more = h->done->how == ending::learned;
        ledger_.close(explored->after, std::move(*h->done));
      }
    }
    const bool gone = !w->end().empty();
    if (gone) heard_of_end(*w);
    return gone || knows_more;
  });
  // What they explore comes after what ends the exploration.
  std::erase_if(workers_,
                [this](const auto& w) { return w->now() && !ledger_.has(w->now()->after); });
}

// The body's faults are caught in the process: this is the system, or somebody, who has ended it.
void division::heard_of_end(worker_process& w) {
  if (w.now()) ledger_.reopen(w.now()->after);
  if (++ends_ == most_ends)
    limit_ = "processes that explore are ended from outside, the last one by " + w.end() +
             ": is there enough memory?";
}

void division::look_at_limits() {
  const double now = seconds();
  if (!limit_.empty() || now < next_report_) return;
  next_report_ = now + between_reports;
  result sum = sum_so_far();
  for (const auto& w : workers_) {
    if (!w->now()) continue;
    const shared_state::counts& c = page_->of[w->number()];
    sum.executions += c.executions.load(std::memory_order_relaxed);
    sum.blocked += c.blocked.load(std::memory_order_relaxed);
  }
  limit_ = limit_of(sum.executions + sum.blocked);
  allow_estimate();
  tell_progress(sum.executions, sum.blocked);
}

// What they have found until now counts.
void division::stop_all() {
  constexpr double patience = 2;
  page_->stop.store(true, std::memory_order_relaxed);
  const double until = seconds() + patience;
  const auto busy = [](const auto& w) { return w->now().has_value(); };
  while (std::any_of(workers_.begin(), workers_.end(), busy) && seconds() < until) {
    wait();
    listen();
  }
}

// ---------------------------------------------------------------------------------------------
// How much there is.

void division::begin_to_estimate() {
  if (estimator_) return;
  estimator_.emplace([this](std::uint64_t seed, const std::function<void()>& pause) {
    explorer_->belongs_to_this_process();
    return explorer_->probe(seed, pause);
  });
}

void division::allow_estimate() {
  if (!can_estimate() || seconds() < before_estimate) return;
  begin_to_estimate();
  const auto exploring = static_cast<double>(std::max<std::size_t>(workers_.size(), 1));
  estimator_->allow(std::chrono::duration<double>(estimating * exploring * seconds()));
}

// If a limit was reached, other than that somebody will not wait.
void division::finish_estimate() {
  if (limit_ != "timeout" && limit_ != "max_executions" && limit_ != "parts") return;
  if (!can_estimate() || ledger_.complete()) return;
  const result sum = sum_so_far();
  if (sum.executions + sum.blocked < least_runs) return;
  begin_to_estimate();
  const double patience = std::max(10 * estimating_at_the_end, estimating * seconds());
  estimator_->allow(std::chrono::duration<double>(estimating_at_the_end + estimating * seconds()));
  estimator_->wait(probes_at_the_end, std::chrono::duration<double>(patience));
}

std::optional<estimated> division::best_estimate() const {
  const std::optional<estimated> now = estimator_ ? estimator_->now() : std::nullopt;
  return now && (!whole_ || now->probes >= whole_->probes) ? now : whole_;
}

std::optional<estimated> division::whole(std::uint64_t executions) const {
  return with_explored(best_estimate(), executions);
}

void division::tell_progress(std::uint64_t executions, std::uint64_t blocked) const {
  if (!options_.on_progress) return;
  const std::optional<estimated> all = whole(executions);
  const double done = all ? static_cast<double>(executions) / all->executions : 0;
  options_.on_progress({executions, blocked, done, seconds(), all});
}

// ---------------------------------------------------------------------------------------------
// The end.

result division::sum_so_far() const {
  result r = explorer_->nothing_found();
  add(r, ledger_.total().found);
  return r;
}

result division::conclude() {
  result r = sum_so_far();
  const part_result all = ledger_.total();
  r.seconds = before_ + seconds();
  for (const outcome_example& e : all.examples)
    if (r.examples.size() < options_.examples) r.examples[e.outcome] = e.shown;
  if (const part_result* const violation = ledger_.violation()) {
    opinion_.restart();
    result others;  // and what other processes have met
    others.places = r.places;
    r = explorer_->explore_from(violation->at, violation->text, std::move(r));
    if (options_.recheck) others.recheck = opinion_.so_far();
    add(r, others);
  } else if (!ledger_.complete()) {
    r.limit = limit_;
  } else if (all.how == ending::learned && !is_whole()) {
    r.limit = "learned";
  } else if (all.how == ending::limit) {
    r.limit = all.text;
  } else if (all.how == ending::lost || all.how == ending::learned) {
    r.limit = "the program does not do in one process what it does in another";
  } else if (!is_whole()) {
    r.limit = "part";
  }
  if (!r.limit.empty() && is_whole()) r.whole = whole(r.executions);
  explorer_->judge(r);
  return r;
}

}  // namespace fencepost::verify
