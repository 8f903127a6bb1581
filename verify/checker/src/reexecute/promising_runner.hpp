// The runner of a run with promised reads: forwards everything, and notes when the program is told
// that an operation is not before another.
#pragma once

#include <string_view>
#include <utility>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/verify/engine.hpp"
#include "reexecute/unknown_order.hpp"

namespace fencepost::verify {

class promising_runner final : public runner {
 public:
  promising_runner(engine& e, unknown_order& u) noexcept : engine_(e), unknown_(u) {}

  void begin_run() noexcept {
    if (current_runner != this) records_ = std::exchange(current_runner, this);
  }

  void broken(const char* what, source_location where) override {
    engine_.fail(violation::assertion, what, where);
  }
  void record(std::string_view outcome) override { records_->record(outcome); }
  moment called() override { return records_->called(); }
  moment returned(moment called) override { return records_->returned(called); }
  bool is_before(moment returned, moment called) override {
    const bool known = records_->is_before(returned, called);
    if (!known) unknown_.deny();
    return known;
  }
  void aside(bool begins) override { records_->aside(begins); }

 private:
  engine& engine_;
  unknown_order& unknown_;
  runner* records_ = nullptr;
};

}  // namespace fencepost::verify
