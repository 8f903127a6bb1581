// One exploration: runs the body again and again, and lets the search choose.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "execute/allocations.hpp"
#include "execute/events.hpp"
#include "execute/fibers.hpp"
#include "execute/graph_follower.hpp"
#include "execute/histories.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/operations.hpp"
#include "execute/order_table.hpp"
#include "execute/outcomes.hpp"
#include "execute/part_result.hpp"
#include "execute/program_objects.hpp"
#include "execute/resume_points.hpp"
#include "execute/resuming.hpp"
#include "execute/run_comparison.hpp"
#include "execute/run_ending.hpp"
#include "execute/run_limits.hpp"
#include "execute/scheduler.hpp"
#include "execute/spin_loops.hpp"
#include "execute/supervisor.hpp"
#include "execute/symmetric_threads.hpp"
#include "execute/tape.hpp"
#include "execute/thread_runner.hpp"
#include "execute/trace_recorder.hpp"
#include "execute/wait_lists.hpp"
#include "execute/wide_values.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"
#include "explore/loop_sites.hpp"
#include "explore/preemption_bound.hpp"
#include "explore/priorities.hpp"
#include "explore/sampler.hpp"
#include "explore/search_path.hpp"
#include "explore/symmetry.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

// What makes a counterexample hard to read: its steps, and then how often the thread changes.
std::pair<std::size_t, std::size_t> reading_length(const counterexample&);

class explorer final : public engine {
 public:
  explorer(const options&, std::function<void()> body);
  ~explorer();

  result explore();
  // A part of it, up to the first violation, with what was known when the part was named.
  part_result explore(const part&, part_control&);
  // On from a run that went wrong when a part was explored; so_far: what lies before it.
  result explore_from(const choice_path&, std::string_view wrong, result so_far);
  // What was learned when a part was explored. False: the run teaches nothing here.
  bool learn(const lesson&);
  void judge(result&) const;
  // In a process that was forked from that of the constructor.
  void belongs_to_this_process() noexcept { supervisor_.belongs_to_this_process(); }
  [[nodiscard]] result nothing_found() const;
  // What it has learned, in this order.
  [[nodiscard]] const std::vector<lesson>& lessons() const noexcept { return lessons_; }

  // engine
  location declare(const void* address, std::size_t size, value initial,
                   source_location where) override {
    return program_objects_.declare(address, size, initial, where);
  }
  void retire(location l, source_location where) override { program_objects_.retire(l, where); }
  value number_of(const wide_value& bytes) override { return wide_.number_of(bytes); }
  wide_value numbered(value number) override { return wide_.bytes(number); }
  void spin_pause() override { limits_.count_pause(); }
  void await(location l, value expected, order o, wait_for what, source_location where) override {
    operations_.await(l, expected, o, what, where);
  }
  void await_exchange(location l, value expected, value desired, order o, wait_for what,
                      source_location where) override {
    operations_.await_exchange(l, expected, desired, o, what, where);
  }
  void give_up() override { operations_.give_up(); }
  unsigned choose(unsigned alternatives, budget charge, source_location where) override {
    return operations_.choose(alternatives, charge, where);
  }
  location declare_plain(const void* address, std::size_t size, bool scalar,
                         source_location where) override {
    return program_objects_.declare_plain(address, size, scalar, where);
  }
  location declare_hidden(source_location where) override {
    return program_objects_.declare_hidden(where);
  }
  wait_list& waiters_at(const void* address) override {
    return program_objects_.waiters_at(address);
  }
  value look(location l, look_for what, source_location where) override {
    return operations_.look(l, what, where);
  }
  std::uint64_t last_event() override { return histories_.last_event(); }
  bool replaced(std::uint64_t look) override {
    return program_objects_.replaced(static_cast<event_id>(look));
  }
  void use(location l, bool may_outlast, source_location where) override {
    program_objects_.use(l, may_outlast, where);
  }
  value known(location l) override { return program_objects_.known(l); }
  void create(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
              source_location where) override {
    operations_.create(entry, arguments, ids, count, where);
  }
  void join(const unsigned* ids, unsigned count, source_location where) override {
    operations_.join(ids, count, where);
  }
  unsigned this_thread() override { return fibers_.running(); }
  void begin_operation(const char* what, const void* object, source_location) override;
  void fence_removed(order, source_location) override;
  std::uint64_t run_number() override;
  [[noreturn]] void fail(violation kind, std::string_view text, source_location where) override {
    ending_.report(kind, text, where);
  }
  bool fail_later(violation kind, std::string_view text, std::string_view file,
                  unsigned line) override {
    return ending_.report_later(kind, text, file, line);
  }
  void record_outcome(std::string_view text) override { histories_.record(text); }

 private:
  class presence;
  struct search;

  // engine
  location on_static(const void* address, std::size_t size, value initial, const char* file,
                     const char* function, std::uint64_t place) override {
    return objects_.static_at(address, size, initial, at(file, function, place));
  }
  value on_load(word w, order o, const char* file, const char* function,
                std::uint64_t place) override {
    return operations_.load(w, o, file, function, place);
  }
  void on_store(word w, value v, order o, const char* file, const char* function,
                std::uint64_t place) override {
    operations_.store(w, v, o, file, function, place);
  }
  value on_read_modify_write(word w, change_of c, value operand, const char* file,
                             const char* function, std::uint64_t place,
                             value (*custom)(value, value)) override {
    return operations_.read_modify_write(w, {c.op, c.size, c.how}, operand, file, function, place,
                                         custom);
  }
  exchanged on_compare_exchange(word w, value expected, value desired, orders_of o,
                                const char* file, const char* function,
                                std::uint64_t place) override {
    return operations_.compare_exchange(w, expected, desired, {o.weak, o.success, o.failure}, file,
                                        function, place);
  }
  void on_fence(order o, const char* file, const char* function, std::uint64_t place) override {
    operations_.fence(o, file, function, place);
  }
  void on_plain_read(location l, const char* file, const char* function,
                     std::uint64_t place) override {
    program_objects_.plain_read(l, file, function, place);
  }
  void on_plain_write(location l, const char* file, const char* function,
                      std::uint64_t place) override {
    program_objects_.plain_write(l, file, function, place);
  }

  // The search (search.cpp).
  result replay();
  bool go_to_replayed();
  bool go_to(const part&);
  bool approach(const part&);
  bool go_to_run(choice_path);
  bool take_lesson(const lesson&);
  run_end explore_next(search&);
  void take_violation(search&);
  void take_complete(search&);
  bool goes_on(search&, run_end);
  std::string limit_of_time(search&);
  void conclude(search&);
  bool next_run() { return sampler_.on() ? sampler_.next() : exploration_.backtrack(); }
  double part_done() const { return sampler_.on() ? sampler_.fraction() : exploration_.fraction(); }

  // One execution (run.cpp).
  run_end run();
  run_end run_or_learn();
  run_end run_once();
  run_end run_from_the_body();
  run_end run_on();
  void begin_run();
  void begin_to_go_on();

  struct extent {  // of the graph
    std::size_t trail = 0;
    std::size_t choices = 0;
  };
  run_end run_from_beginning(run_end, bool record, const extent& before);
  run_end add_again(const extent& before);
  run_end end_of_run();
  run_end stuck();
  void restart_exploration();
  void follow_graph();
  bool beyond_bound();
  std::optional<message> forbidden_outcome();
  bool accesses_any() const;

  // The same execution again (repeat.cpp).
  bool is_repeated(std::uint64_t execution) const;
  unsigned repetitions(std::uint64_t execution) const;
  run_end repeat(unsigned times);
  static void did_not_come_again(counterexample&);

  // What happened, for a counterexample (counterexamples.cpp).
  bool explain(counterexample&);
  std::optional<execution> example();

  options options_;
  std::function<void()> body_;

  // The search.
  graph graph_;
  consistency consistency_;
  priorities priorities_;
  symmetry symmetry_;
  exploration exploration_;
  sampler sampler_;
  loop_sites sites_;
  contention contention_;
  preemption_bound bound_;

  // The program.
  arena arena_;
  lifetimes objects_;
  wait_lists wait_lists_;
  wide_values wide_;
  order_table table_;
  fibers fibers_;
  trace_recorder trace_;
  tape tape_;
  outcomes outcomes_;
  model_threads threads_;
  run_ending ending_;
  run_comparison comparison_;
  supervisor supervisor_;
  run_limits limits_;
  spin_loops loops_;
  histories histories_;
  symmetric_threads symmetric_threads_;
  scheduler scheduler_;
  resume_points resume_points_;
  resuming resuming_;
  graph_follower follower_;
  thread_runner thread_runner_;
  events events_;
  operations operations_;
  program_objects program_objects_;
  allocations allocations_;

  // The run.
  std::uint64_t runs_ = 0;
  bool restarted_ = false;  // the exploration was: discard the statistics
  std::vector<lesson> lessons_;
};

}  // namespace fencepost::verify
