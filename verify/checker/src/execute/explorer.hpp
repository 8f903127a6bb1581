// One exploration: runs the body again and again, and lets the search choose.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "execute/fibers.hpp"
#include "execute/histories.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/order_table.hpp"
#include "execute/outcomes.hpp"
#include "execute/part_result.hpp"
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

class explorer final : public engine, private allocation_hook {
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
  location declare(const void*, std::size_t, value, source_location) override;
  void retire(location, source_location) override;
  value number_of(const wide_value& bytes) override { return wide_.number_of(bytes); }
  wide_value numbered(value number) override { return wide_.bytes(number); }
  void spin_pause() override;
  void await(location, value, order, wait_for, source_location) override;
  void await_exchange(location, value, value, order, wait_for, source_location) override;
  void give_up() override;
  unsigned choose(unsigned, budget, source_location) override;
  location declare_plain(const void*, std::size_t, bool scalar, source_location) override;
  location declare_hidden(source_location) override;
  wait_list& waiters_at(const void*) override;
  value look(location, look_for, source_location) override;
  std::uint64_t last_event() override { return histories_.last_event(); }
  bool replaced(std::uint64_t look) override;
  void use(location, bool may_outlast, source_location) override;
  value known(location) override;
  void create(void (*)(void*), void* const*, unsigned*, unsigned, source_location) override;
  void join(const unsigned*, unsigned, source_location) override;
  unsigned this_thread() override { return fibers_.running(); }
  void begin_operation(const char* what, const void* object, source_location) override;
  void fence_removed(order, source_location) override;
  std::uint64_t run_number() override;
  [[noreturn]] void fail(violation, std::string_view, source_location) override;
  bool fail_later(violation, std::string_view, std::string_view file, unsigned line) override;
  void record_outcome(std::string_view text) override { histories_.record(text); }

 private:
  using state = model_thread::state;
  class presence;
  struct search;

  // engine
  location on_static(const void*, std::size_t, value, const char*, const char*,
                     std::uint64_t) override;
  value on_load(word, order, const char*, const char*, std::uint64_t) override;
  void on_store(word, value, order, const char*, const char*, std::uint64_t) override;
  value on_read_modify_write(word, change_of, value, const char*, const char*, std::uint64_t,
                             value (*)(value, value)) override;
  exchanged on_compare_exchange(word, value, value, orders_of, const char*, const char*,
                                std::uint64_t) override;
  void on_fence(order, const char*, const char*, std::uint64_t) override;
  void on_plain_read(location, const char*, const char*, std::uint64_t) override;
  void on_plain_write(location, const char*, const char*, std::uint64_t) override;

  // allocation_hook
  void* allocate(std::size_t, std::size_t) override;
  void release(void*) override;
  bool owns(const void* p) const noexcept override { return arena_.contains(p); }

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
  void start(unsigned thread, void (*entry)(void*), void* argument, source_location where);
  void run_thread();
  void call_body();
  void end_thread();
  void resume(unsigned thread);
  void follow_graph();
  bool beyond_bound();
  std::optional<message> forbidden_outcome();
  bool accesses_any() const;

  // Events (perform.cpp).
  const event& perform(const event&, source_location);
  const event* recorded(event_kind, word, order, value operand, source_location);
  void follow(const event&, const event& recorded, source_location);
  void wait_for_turn(const event&, bool may_come_round, bool removable, source_location);
  bool add(const event&, source_location);
  void yield_for_resume_point(const event&, std::size_t trail_index, source_location);
  bool racy() const;

  // What front ends ask for (operations.cpp, objects.cpp).
  void create_threads(void (*)(void*), void* const*, unsigned*, unsigned, source_location);
  void do_plain_read(location, source_location);
  void do_plain_write(location, source_location);
  void end_of_life(location, const source_location&, const char* what, bool typed);
  location next_location();
  void keep_for_reuse(arena::block*, source_location);
  arena::block* reused(std::size_t size, std::size_t alignment, source_location);

  // The same execution again (repeat.cpp).
  bool is_repeated(std::uint64_t execution) const;
  unsigned repetitions(std::uint64_t execution) const;
  run_end repeat(unsigned times);
  static void did_not_come_again(counterexample&);

  // What happened, for a counterexample (counterexamples.cpp).
  void log(step_kind kind, std::string_view text, source_location where) {
    trace_.add(fibers_.running(), kind, text, where);
  }
  bool explain(counterexample&);
  std::optional<execution> example();

  model_thread& running() noexcept { return threads_[fibers_.running()]; }
  const model_thread& running() const noexcept { return threads_[fibers_.running()]; }
  lifetimes::point here() const noexcept { return {fibers_.running(), running().position}; }
  const clock& hb() const noexcept {
    return graph_.thread(fibers_.running()).view[running().position].hb;
  }
  // A destructor does not know from where it is called.
  const source_location& or_last(const source_location& where) const noexcept {
    return where.line != 0 ? where : running().where;
  }

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

  // The run.
  std::uint64_t runs_ = 0;
  bool restarted_ = false;  // the exploration was: discard the statistics
  std::vector<lesson> lessons_;
  std::optional<message> thrown_;  // by the body
};

}  // namespace fencepost::verify
