// The explorer: visits every consistent execution graph of a program exactly once.
//
// The algorithm is TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: "Truly stateless,
// optimal dynamic partial order reduction", POPL 2022). A run executes the program along the graph
// as far as it goes, then adds events, each reading and writing last in modification order. Then
// the youngest choice is changed: another source of a read, another place of a write, or a write
// that an earlier read is made to read from (a revisit: what came after that read, and is not
// needed for the write, is deleted; allowed only if all of it had been added in the one canonical
// way, so that each graph has one history). Memory is linear in the depth.
#pragma once

#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "call_stack.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/result.hpp"
#include "fiber.hpp"
#include "graph.hpp"
#include "memory.hpp"
#include "model.hpp"
#include "order_table.hpp"
#include "symmetry.hpp"
#include "tape.hpp"
#include "turns.hpp"

namespace fencepost::verify {

// Without the folders: of the place in a message.
inline const char* base_name(const char* file) noexcept {
  if (file == nullptr) return "?";
  const char* const slash = std::strrchr(file, '/');
  return slash == nullptr ? file : slash + 1;
}

// What the calling OS thread has used so far.
struct usage_of_thread {
  std::uint64_t processor = 0;  // nanoseconds
  long given_up = 0;            // how often it gave the processor up to wait
  long slow_faults = 0;         // how often it waited for a page to be read

  static usage_of_thread now() noexcept;
};

class explorer final : public engine, private allocation_hook, private runner {
 public:
  explorer(const options&, std::function<void()> body);
  ~explorer();

  result explore();

  // engine
  location declare(const void*, std::size_t, value, source_location) override;
  void retire(location, source_location) override;
  value number_of(const wide_value&) override;
  wide_value numbered(value) override;
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
    bool given = false;  // sampling: the next read has this source
    event_id source = 0;
    waiting_loop turns;
    source_location where;  // of the last thing it did
    void (*entry)(void*) = nullptr;
    void* argument = nullptr;
#ifdef FENCEPOST_ASAN
    void* fake_stack = nullptr;
#endif
  };
  enum class ending : std::uint8_t { complete, blocked, violation, again, cut, limit };

  struct choice {
    enum kind_t : std::uint8_t { sources, places, revisited_places, alternatives };
    enum stage_t : std::uint8_t { next_source, revisiting, failing };
    static constexpr std::size_t unbegun = ~std::size_t{0};
    std::size_t trail_length = 0;  // with the event's own entries
    std::size_t cursor = unbegun;  // revisits: the entries of the trail below are still to be tried
    event_id event = 0;
    event_id reader = 0;                     // revisited_places: the read that now reads the event
    std::int32_t high[2] = {}, low[2] = {};  // range of modification-order positions
    std::int32_t position[2] = {};           // where we are; counts down
    std::int32_t next_high = 0;              // whole-word reads: next position of the second field
    kind_t kind = sources;
    stage_t stage = next_source;
    std::uint8_t field = 0;    // revisited_places: the field of the read
    bool tried = false;        // the source of a revisit; or waiting for a second field
    bool wrote = false;        // with the current source the event writes
    bool revisited = false;    // sources of a read that was revisited: one field is given…
    bool second_part = false;  // …and the second one is to be chosen again
    std::uint64_t done = 0, total = 0;  // for the estimate

    // Positions in the range of a field.
    [[nodiscard]] std::uint64_t number(unsigned k) const noexcept {
      return static_cast<std::uint64_t>(high[k] - low[k]) + 1;
    }
  };
  // Those that wait at an address. The lock stays from run to run, the queue does not.
  struct waiting_place {
    wait_list here;
    std::uint64_t run = 0;
  };
  struct frame {  // a revisit: what is needed to undo it
    std::size_t choices;
    std::size_t kept_trail;    // prefix of the trail that stays as it is
    std::size_t base_trail;    // its length right after the deletion
    std::vector<entry> trail;  // the rest of it
    struct saved_event {
      event_id id;
      event data;
      views view;
      source_location where;
    };
    std::vector<saved_event> events;
    std::size_t changed;  // the last ones of these are still there, but changed
    struct saved_place {
      location at;
      std::vector<event_id> mo, readers;
    };
    std::vector<saved_place> places;
    std::size_t place_count = 0;
    unsigned spurious, wakeups, timeouts, addresses;
  };
  enum class outcome_of_step : std::uint8_t { run, again, exhausted };
  struct needing {  // a thread that is resumed because another one needs it
    unsigned thread;
    unsigned next;           // it joins others: the next thread to look at
    bool found_some = true;  // … and of those looked at last some could go on
  };
  struct logged {
    step s;
    event_id id = 0;
    event_id reads_from = 0;
    bool has_source = false;
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

  // Running the program (run.cpp, waiting.cpp, operations.cpp, objects.cpp).
  ending run();
  ending run_once();
  void begin_anew();
  void start(unsigned thread, void (*entry)(void*), void* argument, source_location where);
  bool all_finished(std::uint64_t threads) const noexcept;
  const char* say(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void check_stack();
  void count_silent_step(source_location);
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
    return graph_.written(graph_.places[e.loc[0]].mo.back(), e.loc[0]) == e.expected;
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
  const char* forbidden_outcome();
  bool accesses_any() const;
  std::vector<unsigned> way_to(unsigned thread) const;
  void join_outcome();
  bool racy() const;

  // Waiting loops (waiting.cpp).
  site* find_site(source_location where) noexcept;
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

  event& perform(const event&, source_location);
  void do_plain_read(location, source_location);
  void do_plain_write(location, source_location);
  void create_threads(void (*)(void*), void* const*, unsigned*, unsigned, source_location);
  const event* recorded(event_kind, word, order, value operand, source_location);
  void follow(const event&, const event& recorded, source_location);
  void add(const event&, source_location);
  void compare_with_alike(const event&, source_location);
  void compare_ends();
  void settle(event_id id) {
    model_.settle(id);
    symmetry_.settle(id);
  }
  void check_alive(location, source_location);
  void end_of_life(location, source_location, const char* what);
  [[noreturn]] void reach_limit(std::string_view what, source_location);
  [[noreturn]] void accessed_at_the_end(location, event_id access, source_location,
                                        const char* what);
  void keep_typed(location, source_location, const char* what);
  location typed_at(const void* address, std::size_t size) const;
  void check_typed(const event&, source_location);
  void keep_for_reuse(arena::block*, source_location);
  arena::block* reused(std::size_t size, std::size_t alignment, source_location);
  [[noreturn]] void race(location, const char* here, const char* there, source_location);
  void violate(violation, std::string_view, source_location);
  void fail_if_due();
  bool postpone();
  location place_for(unsigned thread);

  // For options::on_complete_graph (described_graph.cpp).
  void note(location, silent_access::kind);
  explored_graph describe() const;

  // Random executions (sampling.cpp).
  bool next_run() { return sampling() ? next_sample() : backtrack(); }
  bool sampling() const noexcept { return options_.samples != 0; }
  double part_done() const {
    return sampling() ? static_cast<double>(drawn_) / static_cast<double>(options_.samples)
                      : fraction();
  }
  bool next_sample();
  void begin_sample();
  std::uint64_t random(std::uint64_t below);
  unsigned pick_at_random();
  bool may_go_on(unsigned thread);
  std::optional<event_id> drawn_source(unsigned thread, const event&, source_location);
  bool draw_sources(event_id);
  bool take_sources(event_id, unsigned low, unsigned high, bool spurious);
  void draw_places(event_id);
  void draw_alternative(event_id);

  // A bound on preemptions (bound.cpp).
  bool waits(event_id) const;
  clock lasting() const;
  std::optional<unsigned> slack(const clock& part) const;
  bool creates_behind(const event&, unsigned creator) const;
  unsigned count_preemptions() const;
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

  // What happened, for a counterexample (trace.cpp).
  void log(step_kind, std::string_view text, source_location, event_id = 0);
  void log_event(event_id);
  std::string name(location);
  location location_at(value address) const;
  std::string shown(value);
  bool explain(counterexample&);
  void name_calls(counterexample&) const;
  std::optional<execution> example();
  void write_down(execution&);
  void add_edges(execution&);
  bool latest(event_id, unsigned field) const;

  // Changing the graph (explorer.cpp).
  void add_read(event_id);
  void add_write(event_id);
  void add_choice(event_id);
  void remember(choice&);
  bool affordable(budget) const;
  outcome_of_step advance(std::size_t);
  outcome_of_step advance_sources(std::size_t);
  outcome_of_step advance_places(std::size_t);
  outcome_of_step advance_revisited(std::size_t);
  bool next_sources(choice&);
  bool torn(event_id) const;
  bool next_place(choice&);
  bool may_stand(event_id, unsigned field, std::int32_t position) const;
  bool canonical(const entry&, const clock& prefix) const;
  bool next_revisit(std::size_t);
  bool revisit(event_id writer, std::size_t target);
  void choose_sources_of_revisited(event_id reader, unsigned field);
  void undo_revisit();
  bool backtrack();
  double fraction() const;

  options options_;
  std::function<void()> body_;
  graph graph_;
  consistency model_;
  std::vector<unsigned> preferred_;    // all numbers that a thread may have
  std::vector<unsigned> by_priority_;  // those that a thread has had
  symmetry symmetry_;
  arena arena_;
  order_table table_;

  std::vector<choice> choices_;
  std::vector<std::unique_ptr<frame>> frames_;
  std::size_t frames_used_ = 0;

  model_thread threads_[max_threads];
  unsigned created_ = 0;  // threads with a number below exist
  unsigned running_ = 0;
  boost::context::detail::fcontext_t home_ = nullptr;
  unsigned following_ = 0;        // threads that follow the graph
  unsigned owner_ = max_threads;  // the thread whose turn it is to add events
  event_id creators_[max_threads] = {};
  bool reschedule_ = false;  // another thread may have to go first now
  std::vector<needing> driven_;

  bool logging_ = false;
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

  std::size_t counted_ = 0;  // bound on preemptions: length of the trail when they were counted
  std::uint64_t drawn_ = 0;  // sampling: the number of this execution
  std::uint64_t random_ = 0;
  unsigned prefers_same_ = 0, prefers_latest_ = 0;  // … to go on with the thread, to read; eighths
  bool draws_latest_ = false;  // sampling: nobody else can go on, so what is new is seen at last

  std::unordered_map<const void*, location> statics_;  // locations in all executions
  std::unordered_map<value, wide_value> wide_;  // by number; what there has been in any execution
  std::vector<silent_access> silent_accesses_;
  tape tape_;
  unsigned char fill_ = arena::usual_fill;  // of memory that nobody has written
  std::size_t atomics_ = 0, plain_ = 0;     // objects of this run
  std::string told_;                        // how a run differs from an earlier one
  // What was recorded, and by which thread: the way to it from the main one.
  struct recorded_outcome {
    std::vector<unsigned> thread;
    std::string text;
  };
  std::vector<recorded_outcome> recorded_;
  std::string outcome_;  // all of it
  std::vector<location> declared_;
  std::map<std::uintptr_t, waiting_place> waiting_places_;

  std::vector<site> sites_;  // reads that a thread came back to
  char said_[512] = {};
  bool restart_ = false;     // all begins anew…
  bool begun_anew_ = false;  // …and what was counted counts no more
  std::string limit_;        // what ended this run, and is no fault of the program's
  bool found_ = false;       // a violation in this run
  bool postponed_ = false;   // … of which the rest of the graph is still to be shown
  counterexample violation_;
  std::optional<counterexample> due_;    // … that its thread has not come to yet
  location ended_object_ = no_location;  // of a violation_ that is the end of its lifetime
  std::vector<logged> log_;
  std::unordered_map<location, std::size_t> names_;
  std::vector<value> addresses_;  // that are not those of locations
#ifdef FENCEPOST_ASAN
  const void* home_stack_ = nullptr;
  std::size_t home_size_ = 0;
#endif
};

}  // namespace fencepost::verify
