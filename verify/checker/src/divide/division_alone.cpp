// What a division explores in this process: the beginning of the tree, and the pieces into which it
// is cut.
#include <ctime>
#include <utility>

#include "divide/division.hpp"

namespace fencepost::verify {

namespace {

// Processor time of this process: what is explored in it does not depend on what else runs.
double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace

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
  take(*first, explore(*first, control));
  if (ledger_.complete() || !limit_.empty()) return;
  const result sum = sum_so_far();
  limit_ = limit_of(sum.executions + sum.blocked);
}

// Explores for some ten milliseconds, which completes a small part; if `divides`, gives away a
// piece of a large one.
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

// The parts are not equal, since their sizes are not known, but none is left that is over at once.
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
  take(p, std::move(r));
  if (learned && is_whole()) renew();  // there may be something else to be learned before it
  look_at_limits();
}

}  // namespace fencepost::verify
