// The engine of one exploration: runs the body again and again, and lets the search choose.
#pragma once

#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "execute/call_stack.hpp"
#include "execute/fiber.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/order_table.hpp"
#include "execute/run_control.hpp"
#include "execute/tape.hpp"
#include "execute/trace_recorder.hpp"
#include "execute/turns.hpp"
#include "execute/wait_lists.hpp"
#include "execute/wide_values.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"
#include "explore/loop_sites.hpp"
#include "explore/preemption_bound.hpp"
#include "explore/sampler.hpp"
#include "explore/symmetry.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

// What the calling OS thread has used so far.
struct usage_of_thread {
  std::uint64_t processor = 0;  // nanoseconds
  long given_up = 0;            // how often it gave the processor up to wait
  long slow_faults = 0;         // how often it waited for a page to be read

  static usage_of_thread now() noexcept;
};

class explorer final : public engine, private allocation_hook, private runner, private run_control {
 public:
  explorer(const options&, std::function<void()> body);
  ~explorer();

  result explore();

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
  std::uint64_t last_event() override { return make_id(running_, threads_[running_].position); }
  bool replaced(std::uint64_t look) override;
  void use(location, bool may_outlast, source_location) override;
  value known(location) override;
  void create(void (*)(void*), void* const*, unsigned*, unsigned, source_location) override;
  void join(const unsigned*, unsigned, source_location) override;
  unsigned this_thread() override { return running_; }
  void begin_operation(const char* what, const void* object, source_location) override;
  void fence_removed(order, source_location) override;
  std::uint64_t run_number() override { return runs_; }
  [[noreturn]] void fail(violation, std::string_view, source_location) override;
  bool fail_later(violation, std::string_view, std::string_view file, unsigned line) override;
  void record_outcome(std::string_view) override;

  // From a signal handler: the code under test crashed, or does not get on.
  bool in_body() const noexcept { return allocation_hook::in_body; }
  void crashed(int signal, const void* address);
  void tick();
  void look_whether_blocked();
  [[noreturn]] void break_contract(const char* what);
  // The program ends, or code runs where the body is not.
  [[noreturn]] void left();
  bool is_on_its_stack() const noexcept {
    return threads_[running_].stack.contains(__builtin_frame_address(0));
  }
  // False in a child that the body has forked.
  bool is_own_process() const noexcept { return process_ == getpid(); }

 private:
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

  enum class state : std::uint8_t {
    unused,     // not created in this run
    running,    // may be resumed: following the graph
    waiting,    // following the graph, for an event of another thread
    lingering,  // following the graph, with nothing but reads before it: to go last
    frontier,   // wants to add an event
    parked,     // likewise, but its next turn is idle unless something changes
    spinning,   // blocked behind an idle turn of a waiting loop
    blocked,    // blocked: read what it must not go on with
    finished,
  };
  struct model_thread {
    boost::context::detail::fcontext_t context = nullptr;
    boost::context::detail::fcontext_t engine = nullptr;  // see apart()
    fiber_stack stack;
    const char* live = nullptr;  // where its stack began when it last called the engine
    bool is_apart = false;
    char* lowest = nullptr;  // nothing was written on the stack below, most likely
    exception_state exceptions;
    state at = state::unused;
    bool following = false;    // not yet where the graph ends for it
    unsigned position = 0;     // events executed in this run
    unsigned constructed = 0;  // locations
    unsigned pauses = 0;       // since its last event
    event_id needs = 0;        // waiting: for this event, or (join) for this thread's end
    bool needs_end = false;
    bool gave_up = false;  // blocked: in give_up()
    const event* wants = nullptr;
    waiting_loop turns;
    source_location where;  // of the last thing it did
    void (*entry)(void*) = nullptr;
    void* argument = nullptr;
#ifdef FENCEPOST_ASAN
    void* fake_stack = nullptr;
#endif
  };
  enum class ending : std::uint8_t { complete, blocked, violation, again, cut, limit };

  class installation;
  struct needing {  // a thread that is resumed because another one needs it
    unsigned thread;
    unsigned next;           // it joins others: the next thread to look at
    bool found_some = true;  // … and of those looked at last some could go on
  };
  // allocation_hook, runner
  void* allocate(std::size_t, std::size_t) override;
  void release(void*) override;
  bool owns(const void* p) const noexcept override { return arena_.contains(p); }
  void broken(const char*, source_location) override;
  void record(std::string_view) override;
  moment called() override;
  moment returned(moment called) override;
  bool is_before(moment returned, moment called) override;
  void aside(bool begins) override { aside_ = begins; }

  // run_control
  [[noreturn]] void end_with(violation, std::string_view, source_location, location ended) override;

  // Running the program (run.cpp, waiting.cpp, operations.cpp, objects.cpp).
  ending run();
  ending run_once();
  void restart_exploration();
  void start(unsigned thread, void (*entry)(void*), void* argument, source_location where);
  bool all_finished(std::uint64_t threads) const noexcept;
  void check_stack();
  void count_silent_step(source_location);
  void call_body();
  void end_thread();
  static void enter(boost::context::detail::transfer_t);
  void resume(unsigned thread);
  void yield();
  [[noreturn]] void abandon();
  void drive(unsigned thread);
  bool has_what_it_needs(const model_thread& t) const;
  bool replayed(event_id id) const noexcept {
    return threads_[thread_of(id)].position >= index_of(id);
  }
  bool runnable(const event& e) const {
    if (e.kind == event_kind::join) return all_finished(e.partners);
    if (!e.awaits) return true;
    return graph_.written(graph_.history(e.loc[0]).mo.back(), e.loc[0]) == e.expected;
  }
  bool goes_first(const event&);
  bool may_go_first(const model_thread& t) const {
    return (t.at == state::frontier && runnable(*t.wants)) || (t.at == state::parked && changed(t));
  }
  unsigned pick_parked();
  unsigned next_to_linger();
  // A thread that lingers is needed, or the last.
  void let_go(unsigned thread) {
    model_thread& t = threads_[thread];
    if (t.at != state::lingering) return;
    t.at = state::running;
    t.turns.released = true;
  }
  unsigned pick() const;
  unsigned used_threads() const;
  void count_thread(unsigned thread);
  ending stuck();
  std::optional<message> forbidden_outcome();
  bool accesses_any() const;
  std::vector<unsigned> way_to(unsigned thread) const;
  void join_outcome();
  bool racy() const;
  [[noreturn]] void reach_limit(std::string_view, source_location);
  [[noreturn]] void restart();

  // Waiting loops (waiting.cpp).
  bool arrive(const event&, source_location where);
  bool comes_round(source_location where) const;
  bool only_reads_follow();
  void linger();
  arrival& note_arrival(source_location where);
  void leave_out(std::size_t begin, const event&);
  void park(std::size_t begin, const event&);
  template <class F>
  void for_each_access(const arrival& from, unsigned position, std::size_t plains, F&&) const;
  bool adds_access(std::size_t begin) const;
  void note_left_out(const arrival&);
  void note_meanwhile(location);
  void note_plain(location, bool write, unsigned before);
  bool is_youngest(const arrival&) const;
  bool is_settled(unsigned begin) const;
  bool is_wait(unsigned begin) const;
  static bool removable(const event&) noexcept;
  bool changed(const model_thread&) const;
  bool read_old(unsigned thread, unsigned index, unsigned field) const;
  bool read_latest(unsigned thread, unsigned index) const;
  template <class F>
  void for_each_piece(F&&) const;
  void copy_state(snapshot&);
  bool same_state(const snapshot&) const;
  bool same_memory(const memory_copy&) const;
  void copy_memory(memory_copy&) const;
  void yield_in_turn();
  void settle_overtaking();
  [[noreturn]] void no_end();
  std::string difference(const snapshot&) const;

  // Does the work on a stack of its own. Nothing of the engine is then on that of the thread, where
  // its registers are saved: all that the thread's state is, but for memory, is one range of bytes.
  template <class F>
  auto apart(F&& work) {
    using answer = std::invoke_result_t<F>;
    using function = std::remove_reference_t<F>;
    if constexpr (std::is_void_v<answer>) {
      run_apart([](void* w) { (*static_cast<function*>(w))(); }, &work);
    } else {
      struct call {
        function* work;
        answer value{};
      } c{&work};
      run_apart([](void* w) { static_cast<call*>(w)->value = (*static_cast<call*>(w)->work)(); },
                &c);
      return c.value;
    }
  }
  struct job {
    explorer* self;
    void (*work)(void*);
    void* argument;
  };
  void run_apart(void (*work)(void*), void* argument);
  static void serve(boost::context::detail::transfer_t);
  void show_violation();

  const event& perform(const event&, source_location);
  void do_plain_read(location, source_location);
  void do_plain_write(location, source_location);
  void create_threads(void (*)(void*), void* const*, unsigned*, unsigned, source_location);
  const event* recorded(event_kind, word, order, value operand, source_location);
  void follow(const event&, const event& recorded, source_location);
  void add(const event&, source_location);
  void compare_with_alike(const event&, source_location);
  void compare_ends();
  lifetimes::point here() const noexcept { return {running_, threads_[running_].position}; }
  // A destructor does not know from where it is called.
  const source_location& or_last(const source_location& where) const noexcept {
    return where.line != 0 ? where : threads_[running_].where;
  }
  void end_of_life(location, const source_location&, const char* what, bool typed);
  location next_location();
  const clock& hb() const noexcept {
    return graph_.thread(running_).view[threads_[running_].position].hb;
  }
  void keep_for_reuse(arena::block*, source_location);
  arena::block* reused(std::size_t size, std::size_t alignment, source_location);
  void violate(violation, std::string_view, source_location, location ended = no_location);
  void fail_if_due();
  bool postpone();

  bool next_run() { return sampler_.on() ? sampler_.next() : exploration_.backtrack(); }
  double part_done() const { return sampler_.on() ? sampler_.fraction() : exploration_.fraction(); }
  unsigned pick_at_random();
  bool may_go_on(unsigned thread);
  bool beyond_bound();

  // The same execution again (repeat.cpp).
  bool is_repeated(std::uint64_t execution) const;
  unsigned repetitions(std::uint64_t execution) const;
  ending repeat(unsigned times);
  static void did_not_come_again(counterexample&);
  void note(tape::entry);
  [[noreturn]] void differs(const tape::entry* then, const tape::entry* now, source_location);
  std::string in_words(const tape::entry&) const;
  std::string_view cause_of(const tape::entry* then, const tape::entry* now) const;

  // What happened, for a counterexample (counterexamples.cpp).
  void log(step_kind kind, std::string_view text, source_location where) {
    trace_.add(running_, kind, text, where);
  }
  bool explain(counterexample&);
  void name_calls(counterexample&) const;
  std::optional<execution> example();

  options options_;
  std::function<void()> body_;
  graph graph_;
  consistency consistency_;
  std::vector<unsigned> preferred_;    // all numbers that a thread may have
  std::vector<unsigned> by_priority_;  // those that a thread has had
  symmetry symmetry_;
  exploration exploration_;
  sampler sampler_;
  loop_sites sites_;
  contention contention_;
  preemption_bound bound_;
  arena arena_;
  lifetimes objects_;
  wait_lists wait_lists_;
  wide_values wide_;
  trace_recorder trace_;
  order_table table_;

  model_thread threads_[max_threads];
  unsigned created_ = 0;  // threads with a number below exist
  unsigned running_ = 0;
  boost::context::detail::fcontext_t home_ = nullptr;
  unsigned following_ = 0;        // threads that follow the graph
  unsigned owner_ = max_threads;  // the thread whose turn it is to add events
  event_id creators_[max_threads] = {};
  bool reschedule_ = false;  // another thread may have to go first now
  std::vector<needing> driven_;

  bool replaying_ = false;  // the violating run, for a debugger
  bool aside_ = false;      // what is allocated is not the program's
  bool ended_ = false;      // the run is over: violation or drop
  bool dropped_ = false;
  std::uint64_t runs_ = 0;
  std::uint64_t heartbeat_ = 0, last_heartbeat_ = 0;
  std::uint64_t silent_ = 0;  // steps since the last event
  unsigned idle_ticks_ = 0;
  std::uint64_t passing_heartbeat_ = 0;
  usage_of_thread usage_;
  unsigned blocked_looks_ = 0;
  call_stack calls_;  // of a call that a body must not make
  pid_t process_ = getpid();
  exception_state* exceptions_ = nullptr;

  tape tape_;
  unsigned char fill_ = arena::usual_fill;  // of memory that nobody has written
  std::string told_;                        // how a run differs from an earlier one
  // What was recorded, and by which thread: the way to it from the main one.
  struct recorded_outcome {
    std::vector<unsigned> thread;
    std::string text;
  };
  std::vector<recorded_outcome> recorded_;
  std::string outcome_;  // all of it

  bool restart_ = false;           // the exploration is to be restarted
  bool restarted_ = false;         // it was: discard the statistics
  std::optional<message> thrown_;  // by the body
  std::string limit_;              // what ended this run, and is no fault of the program's
  bool found_ = false;             // a violation in this run
  bool postponed_ = false;         // … of which the rest of the graph is still to be shown
  counterexample violation_;
  std::optional<counterexample> due_;  // … that its thread has not come to yet
#ifdef FENCEPOST_ASAN
  const void* home_stack_ = nullptr;
  std::size_t home_size_ = 0;
#endif
};

}  // namespace fencepost::verify
