// What a division explores in several processes, which give each other work.
#include <poll.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "divide/division.hpp"

namespace fencepost::verify {

namespace {

// Whatever has ended so many processes would end others as well.
constexpr unsigned most_ends = 3;

}  // namespace

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
          *page_));
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
    bool knows_more = false;  // than the other processes, and so does its front end
    for (;;) {
      const std::optional<part> explored = w->now();
      std::optional<worker_process::heard> h = w->hear();
      if (!h) break;
      if (h->given) ledger_.divide(explored->after, *h->given);
      if (h->done) {
        knows_more = h->done->how == ending::learned || h->done->how == ending::over;
        take(*explored, std::move(*h->done));
      }
    }
    const bool gone = !w->end().empty();
    if (gone) heard_of_end(*w);
    return gone || knows_more;
  });
  // Ends the processes whose parts come after what ends the exploration.
  std::erase_if(workers_,
                [this](const auto& w) { return w->now() && !ledger_.has(w->now()->after); });
}

// Faults of the body are caught in the process, so the system or a user has ended it.
void division::heard_of_end(worker_process& w) {
  if (w.now()) ledger_.reopen(w.now()->after);
  if (++ends_ == most_ends)
    limit_ = "exploring processes were ended from outside, the last one by " + w.end() +
             ": is there enough memory?";
}

// Stops the processes; what they have found until now counts.
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

}  // namespace fencepost::verify
