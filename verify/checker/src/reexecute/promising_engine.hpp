// The engine of a run in which some reads get values that are promised: it stands between the front
// end and the explorer, which does everything else.
//
// A promised read is no event of the explorer's graph; what its thread does next is a function of
// the values that it reads, as always. A later read of the location in the same thread may get the
// value as well, which is a choice. A kept event that gets another value than it had ends its
// thread, so the run does not count. The result is the execution in which each promised read reads
// from the write that has kept the promise.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "execute/explorer.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/options.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/clock.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/early_violation.hpp"
#include "reexecute/forwarding_engine.hpp"
#include "reexecute/promised_execution.hpp"
#include "reexecute/promised_reads.hpp"
#include "reexecute/promised_writes.hpp"
#include "reexecute/promises.hpp"
#include "reexecute/promising_runner.hpp"
#include "reexecute/repeated_starts.hpp"
#include "reexecute/unknown_order.hpp"

namespace fencepost::verify {

class promising_engine final : public forwarding_engine {
 public:
  promising_engine(const batch&, const options&);
  // To be called before a run, of which it becomes the engine.
  void begin_run(explorer&);

  // To be called after a run that was complete or violated.
  [[nodiscard]] const promised_execution& execution() const noexcept { return execution_; }
  [[nodiscard]] const repeated_starts& repeated() const noexcept { return repeated_; }
  [[nodiscard]] const unknown_order& unknown() const noexcept { return unknown_; }
  [[nodiscard]] bool promises_are_kept() const noexcept { return writes_.all_made(); }
  // Makes a counterexample show these promises, as they are kept in the run.
  void show(const std::vector<promise>& kept) { execution_.show(kept); }

  void leave_out(std::string_view why);
  // What no run has explored, or "".
  [[nodiscard]] const std::string& left_out();

  // engine
  void await(location, value expected, order, wait_for, source_location) override;
  void await_exchange(location, value expected, value desired, order, wait_for,
                      source_location) override;
  unsigned choose(unsigned alternatives, budget, source_location) override;
  value look(location, look_for, source_location) override;
  std::uint64_t last_event() override;
  void use(location, bool may_outlast, source_location) override;
  void renew_plain(location l, source_location w) override { plain_write(l, w); }
  void create(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
              source_location) override;
  [[noreturn]] void fail(violation, std::string_view, source_location) override;
  bool fail_later(violation, std::string_view, std::string_view file, unsigned line) override;

 private:
  value on_load(word, order, const char*, const char*, std::uint64_t) override;
  void on_store(word, value, order, const char*, const char*, std::uint64_t) override;
  value on_read_modify_write(word, change_of, value, const char*, const char*, std::uint64_t,
                             value (*)(value, value)) override;
  exchanged on_compare_exchange(word, value, value, orders_of, const char*, const char*,
                                std::uint64_t) override;
  void on_fence(order, const char*, const char*, std::uint64_t) override;
  void on_plain_read(location, const char*, const char*, std::uint64_t) override;
  void on_plain_write(location, const char*, const char*, std::uint64_t) override;

  void access(location, silent_access::kind, source_location);
  void end_where_unknown(location, source_location);
  void end_where_unsupported();
  void end_run();

  const options& options_;
  const promises promises_;
  unknown_order unknown_;
  early_violation early_;
  promised_execution execution_;
  promised_writes writes_;
  repeated_starts repeated_;
  promised_reads reads_;
  promising_runner runner_;
  std::array<bool, max_threads> looked_{};  // the thread's last look got what was promised
  std::string left_out_;
};

}  // namespace fencepost::verify
