// One exploration: runs the body again and again, with the choices of the search. It is the engine
// that the program calls, and passes each request on to the part that handles it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "execute/machinery.hpp"
#include "execute/part_result.hpp"
#include "explore/search_path.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class explorer final : public engine {
 public:
  explorer(const options&, std::function<void()> body);
  ~explorer();

  result explore();
  // Explores a part, up to the first violation, with what was known when the part was named.
  part_result explore(const part&, part_control&);
  // Continues from a run that went wrong in a part; so_far: what was found before it.
  result explore_from(const choice_path&, std::string_view wrong, result so_far);
  // Estimates the number of complete executions: see prober.
  std::optional<double> probe(std::uint64_t seed, const std::function<void()>& pause);
  // Takes over a lesson learned in a part. Returns false if its run teaches nothing here.
  bool learn(const lesson&);
  // Makes this run, so that the front end observes what it leads to; nothing is counted.
  void make(const choice_path& run);
  void judge(result& r) const { parts_.main_search.judge(r); }
  // To be called in a process that was forked from the one that called the constructor.
  void belongs_to_this_process() noexcept { parts_.watch.belongs_to_this_process(); }
  [[nodiscard]] result nothing_found() const { return parts_.main_search.nothing_found(); }
  // For an engine between the program and this one.
  [[nodiscard]] trace_recorder& trace() noexcept { return parts_.trace; }
  [[nodiscard]] order_table* orders() noexcept { return orders_; }
  // Reports a violation of the thread, which ends the run when no thread can continue.
  void fail_at_end(unsigned thread, violation, std::string_view text, source_location);
  [[nodiscard]] const graph& events() const noexcept { return parts_.events_so_far; }
  [[nodiscard]] const consistency& model() const noexcept { return parts_.model; }
  // The write that this field of the running thread's last event has read from.
  [[nodiscard]] event_id last_source(unsigned field = 0) {
    return parts_.events_so_far.at(static_cast<event_id>(last_event())).rf[field];
  }
  // The running thread's last event is a read: with values other than these, its thread cannot
  // continue.
  void want(const std::vector<value>& in_order) {
    parts_.events_so_far.set_wanted(static_cast<event_id>(last_event()), in_order);
  }
  // `f` is called when a run is over, before options::judge_run, and returns whether there may be
  // such an execution.
  void on_run_over(std::function<bool()> f) { parts_.judge.ask_first(std::move(f)); }
  // `f` is called when the running thread's idle turn is taken back, with the position where it
  // began.
  void on_turn_taken_back(std::function<void(unsigned position)> f) {
    parts_.loops.on_taken_back(std::move(f));
  }
  // The lessons that the exploration has learned, in this order.
  [[nodiscard]] const std::vector<lesson>& lessons() const noexcept {
    return parts_.learned.lessons();
  }

  // For an engine in front of this one.
  [[nodiscard]] const unsigned* running() const noexcept { return running_; }

  // engine
  location declare(const void*, std::size_t, value, source_location) override;
  location declare_unknown(const void*, std::size_t, source_location) override;
  void begins_with(location, value) override;
  void retire(location, source_location) override;
  value number_of(const wide_value&) override;
  wide_value numbered(value) override;
  void spin_pause() override;
  void await(location, value, order, wait_for, source_location) override;
  void await_exchange(location, value, value, order, wait_for, source_location) override;
  void is_lock(location l, lock_kind how) override { parts_.events_so_far.set_lock(l, how); }
  void give_up() override;
  unsigned choose(unsigned, budget, source_location) override;
  location declare_plain(const void*, std::size_t, bool scalar, source_location) override;
  void begins_without_value(location) override;
  location declare_hidden(source_location) override;
  wait_list& waiters_at(const void*) override;
  value look(location, look_for, source_location) override;
  std::uint64_t last_event() override;
  bool replaced(std::uint64_t look) override;
  void use(location, bool may_outlast, source_location) override;
  value known(location) override;
  bool accesses_unordered(location, bool writes);  // see program_objects
  [[nodiscard]] bool has_value(location l) const noexcept {
    return parts_.objects_of_program.has_value(l);
  }
  bool read_initial() override { return last_source() == initial_write; }
  void renew_plain(location, source_location) override;
  void create(void (*)(void*), void* const*, unsigned*, unsigned, source_location) override;
  void join(const unsigned*, unsigned, source_location) override;
  void begin_operation(const char* what, const void* object, source_location) override;
  void fence_removed(order, source_location) override;
  std::uint64_t run_number() override;
  [[noreturn]] void fail(violation, std::string_view, source_location) override;
  bool fail_later(violation, std::string_view, std::string_view file, unsigned line) override;
  void record_outcome(std::string_view) override;

 private:
  class presence;

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

  machinery parts_;
};

}  // namespace fencepost::verify
