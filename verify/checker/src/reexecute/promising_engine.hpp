// The engine of a run in which some reads get values that are promised: it stands between the front
// end and the explorer, which does everything else.
//
// A promised read is no event of the explorer's; what its thread does then is a function of the
// values that it reads, as it always is. A later read of the location in the same thread may get
// the value as well, which is a choice. A kept event that gets another value than it had ends its
// thread, and so the run does not count. What is left in the end is the execution with each
// promised read as a read of the write that has kept the promise.
//
// A thread that acquires what is promised, or comes to a fence, waits until the write has come.
// That is what keeps a read before what follows, and memory is then what it should be. By the wait
// it synchronizes with the write, if that releases: the explorer knows then what happens before.
// Nothing is lost: where the write comes after what the thread does next, another read on the way
// from there reads from the future too, and with a promise for that one nobody has to wait.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "execute/explorer.hpp"
#include "execute/trace_recorder.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/clock.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/beginning.hpp"
#include "reexecute/patches.hpp"

namespace fencepost::verify {

class promising_engine final : public engine, private runner {
 public:
  promising_engine(const batch&, const options&);
  // Before a run; it is the engine then.
  void begin_run(explorer&);

  // After a run that was complete or violated.
  [[nodiscard]] const patches& made() const noexcept { return patches_; }
  // A counterexample shows these promises, as they are kept in the run.
  void show(const std::vector<promise>& kept);
  // Plain data, which it does not hand on: whether accesses are ordered depends on the promises.
  // And uses of objects that are no events.
  [[nodiscard]] const std::vector<silent_access>& silent() const noexcept { return silent_; }
  // Of two accesses that race: the message, and thread and place of the later one.
  [[nodiscard]] run_judgement race_of(const silent_access&, const silent_access&) const;
  [[nodiscard]] bool promises_are_kept() const noexcept { return left_ == 0; }
  // Whose kept events have got what they got then.
  [[nodiscard]] batch_set repeated() const noexcept;
  // When each event came, by thread and number.
  [[nodiscard]] const std::vector<std::vector<unsigned>>& came() const noexcept { return came_; }
  // Does happens-before hold of more than the explorer knows?
  [[nodiscard]] bool loses_order() const noexcept { return loses_order_; }
  // Has the program been told that something does not come before something, where it may?
  [[nodiscard]] bool misses_order() const noexcept { return denies_order_ && loses_order_; }
  // What no run has explored, or "".
  [[nodiscard]] const std::string& left_out() {
    end_run();
    return left_out_;
  }
  void leave_out(std::string_view why);

  // engine
  location declare(const void* a, std::size_t n, value v, source_location w) override {
    return known_from(explorer_->declare(a, n, v, w));
  }
  location declare_unknown(const void* a, std::size_t n, source_location w) override {
    return known_from(explorer_->declare_unknown(a, n, w));
  }
  void begins_with(location l, value v) override { explorer_->begins_with(l, v); }
  void retire(location l, source_location w) override { explorer_->retire(l, w); }
  value number_of(const wide_value& v) override { return explorer_->number_of(v); }
  wide_value numbered(value v) override { return explorer_->numbered(v); }
  void spin_pause() override { explorer_->spin_pause(); }
  void await(location, value expected, order, wait_for, source_location) override;
  void await_exchange(location, value expected, value desired, order, wait_for,
                      source_location) override;
  void give_up() override { explorer_->give_up(); }
  unsigned choose(unsigned alternatives, budget, source_location) override;
  location declare_plain(const void* a, std::size_t n, bool scalar, source_location w) override {
    return known_from(explorer_->declare_plain(a, n, scalar, w));
  }
  void begins_without_value(location l) override { explorer_->begins_without_value(l); }
  location declare_hidden(source_location w) override {
    return known_from(explorer_->declare_hidden(w));
  }
  wait_list& waiters_at(const void* a) override {
    wait_list& list = explorer_->waiters_at(a);
    known_from(list.lock);
    return list;
  }
  value look(location, look_for, source_location) override;
  std::uint64_t last_event() override;
  bool replaced(std::uint64_t look) override { return explorer_->replaced(look); }
  void use(location, bool may_outlast, source_location) override;
  value known(location l) override { return explorer_->known(l); }
  bool read_initial() override { return explorer_->read_initial(); }
  void renew_plain(location l, source_location w) override { plain_write(l, w); }
  void create(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
              source_location w) override {
    explorer_->create(entry, arguments, ids, count, w);
    mark();  // what the threads do comes after it
  }
  void join(const unsigned* ids, unsigned count, source_location w) override {
    explorer_->join(ids, count, w);
  }
  unsigned this_thread() override { return explorer_->this_thread(); }
  void begin_operation(const char* what, const void* object, source_location w) override {
    explorer_->begin_operation(what, object, w);
  }
  void fence_removed(order o, source_location w) override { explorer_->fence_removed(o, w); }
  std::uint64_t run_number() override { return explorer_->run_number(); }
  [[noreturn]] void fail(violation, std::string_view, source_location) override;
  bool fail_later(violation, std::string_view, std::string_view file, unsigned line) override;
  void record_outcome(std::string_view text) override { explorer_->record_outcome(text); }

 private:
  location on_static(const void* a, std::size_t n, value v, const char* file, const char* function,
                     std::uint64_t place) override {
    return known_from(explorer_->of_static(a, n, v, at(file, function, place)));
  }
  value on_load(word, order, const char*, const char*, std::uint64_t) override;
  void on_store(word, value, order, const char*, const char*, std::uint64_t) override;
  value on_read_modify_write(word, change_of, value, const char*, const char*, std::uint64_t,
                             value (*)(value, value)) override;
  exchanged on_compare_exchange(word, value, value, orders_of, const char*, const char*,
                                std::uint64_t) override;
  void on_fence(order, const char*, const char*, std::uint64_t) override;
  void on_plain_read(location, const char*, const char*, std::uint64_t) override;
  void on_plain_write(location, const char*, const char*, std::uint64_t) override;

  // runner
  void broken(const char* what, source_location where) override {
    fail(violation::assertion, what, where);
  }
  void record(std::string_view outcome) override { records_->record(outcome); }
  moment called() override { return records_->called(); }
  moment returned(moment called) override { return records_->returned(called); }
  bool is_before(moment returned, moment called) override {
    const bool known = records_->is_before(returned, called);
    denies_order_ = denies_order_ || !known;
    return known;
  }
  void aside(bool begins) override { records_->aside(begins); }

  // The numbers of the running thread's last event and of the next, as the program counts. No call
  // of the explorer's may find one on the stack, or no turn of a loop would be like another.
  [[nodiscard]] unsigned number() {
    return static_cast<unsigned>(static_cast<int>(index_of(last())) + offset_[this_thread()]);
  }
  [[nodiscard]] unsigned next() { return number() + 1; }
  [[nodiscard]] event_id last() { return static_cast<event_id>(explorer_->last_event()); }
  static unsigned kept_length(const start& s, unsigned thread) noexcept {
    return thread < s.from.kept.size() ? static_cast<unsigned>(s.from.kept[thread].size()) : 0;
  }
  // Of those that the thread has repeated so far, the ones in which the event is not kept.
  [[nodiscard]] batch_set without(unsigned number) const;
  template <class F>
  void for_each_repeated(F&&) const;
  void narrow(batch_set to);
  void want_what_was_got(unsigned number);
  from_future promised(word, source_location);
  from_future promised_here();
  const promise* promised_before(word, unsigned field);
  [[nodiscard]] std::size_t number_of_promise(const promise&) const;
  value read_fields(const from_future&, word, source_location);
  void end_where_unsupported();
  bool fails_by_chance(value read, orders_of, value expected, source_location);
  void take(const from_future&, explored_event read);
  void read_promised(const from_future&, const explored_event& read);
  void compare_last(kept_event::kind, value got, bool writes);
  void compare_last(word, value got, bool writes);
  void wrote(word, value, order);
  void tell(std::size_t i, order);  // that the i-th promise is kept, by a write of this order
  void remove_last();
  void await_write(const promise&, bool acquires);
  location own_atomic();
  void mark();
  location known_from(location l) {
    locations_ = l < locations_ ? locations_ : l + 1;
    return l;
  }
  void end_where_unknown(location, source_location);
  void end_where_older(location, unsigned field);
  void end_run();
  void take_back(unsigned position);
  void note(location, silent_access::kind, source_location);
  void keep_silent(location, silent_access::kind, source_location);

  const batch& begins_;
  const std::vector<promise>& promises_;  // of each of them
  std::vector<promise> other_fields_;     // by promise: what its write leaves in the other field
  const options& options_;
  explorer* explorer_ = nullptr;
  trace_recorder* trace_ = nullptr;
  runner* records_ = nullptr;

  // Of the run.
  std::array<int, max_threads> offset_{};
  std::array<batch_set, max_threads> repeated_{};  // by thread, up to its last event
  struct narrowing {  // of these, when this was the last event that the explorer has
    unsigned thread;
    unsigned position;
    batch_set before;
  };
  std::vector<narrowing> narrowed_;
  patches patches_;
  std::vector<silent_access> silent_;  // in the order of the run
  std::vector<source_location> silent_at_;
  std::vector<std::vector<unsigned>> came_;  // by thread and number, see came()
  unsigned clock_ = 0;
  location locations_ = 0;               // so many are declared
  std::vector<bool> kept_;               // by promise
  std::size_t left_ = 0;                 // so many are not
  std::vector<location> told_;           // by promise: written when it is kept, for its waiters
  std::vector<std::uint64_t> waited_;    // by promise: a bit for each thread that has, …
  std::vector<std::uint64_t> acquired_;  // … and for each that has acquired by it
  // By thread: events that are there for choices only, to read a promise and how, and to read the
  // other field.
  std::array<unsigned, max_threads> choices_{};
  std::array<unsigned, max_threads> other_field_{};  // by thread: see patch::other_field
  std::array<bool, max_threads> looked_{};           // the thread's last look got what is promised
  location read_again_ = no_location;                // what is read where a promise is, by choice
  bool loses_order_ = false, denies_order_ = false;
  bool data_unordered_ = false;  // plain data may be another in a run in another order
  struct failure {
    violation kind;
    std::string text;
    unsigned thread;
    source_location where;
  };
  std::optional<failure> due_;  // when the promises are kept

  std::string left_out_;
  // What kept reads may get: of all runs, since the graph refers to it.
  std::set<std::vector<value>> wanted_;
};

}  // namespace fencepost::verify
