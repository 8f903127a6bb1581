#include "reexecute/promising_engine.hpp"

#include <cstdlib>

#include "execute/memory.hpp"
#include "execute/trace_recorder.hpp"
#include "model/consistency.hpp"
#include "reexecute/coherent_promises.hpp"
#include "reexecute/read_events.hpp"

namespace fencepost::verify {

promising_engine::promising_engine(const batch& b, const options& o)
    : options_(o),
      promises_(b.front()->from.promises),
      writes_(promises_, execution_, unknown_, early_),
      repeated_(b, execution_),
      reads_({promises_, execution_, repeated_, writes_, unknown_}),
      runner_(*this, unknown_) {}

void promising_engine::begin_run(explorer& e) {
  const engine_scope scope;
  end_run();
  forwarding_engine::begin_run(e);
  runner_.begin_run();
  unknown_.clear();
  early_.clear();
  looked_.fill(false);
  execution_.begin_run(e);
  repeated_.begin_run();
  reads_.begin_run();
  writes_.begin_run();
  e.on_run_over([this] {
    return !writes_.all_made() ||
           may_be_coherent(execution_.explores().events(), execution_.made());
  });
  e.on_turn_taken_back([this](unsigned position) {
    execution_.take_back(position);
    repeated_.take_back(position);
  });
}

// A thread in which something goes wrong ends, and keeps no promise. That is right if it goes wrong
// in any order of the run, but not if it follows from data that may differ in another order.
void promising_engine::end_run() {
  if (early_.any() && !writes_.all_made() && unknown_.doubts_data())
    leave_out("something goes wrong before the write is reached");
}

void promising_engine::leave_out(std::string_view why) {
  const engine_scope scope;
  if (left_out_.empty()) left_out_ = why;
}

const std::string& promising_engine::left_out() {
  end_run();
  return left_out_;
}

// ---------------------------------------------------------------------------------------------
// What goes wrong.

void promising_engine::fail(violation kind, std::string_view text, source_location where) {
  if (!writes_.all_made()) {
    early_.add(kind, text, this_thread(), where);
    explores().give_up();
  }
  explores().fail(kind, text, where);
  std::abort();  // not reached
}

// The thread continues, and may still keep a promise.
bool promising_engine::fail_later(violation kind, std::string_view text, std::string_view file,
                                  unsigned line) {
  if (writes_.all_made()) return explores().fail_later(kind, text, file, line);
  if (!allocation_hook::in_body) return false;
  const engine_scope scope;
  early_.add(kind, text, this_thread(), {kept_name(file), "", line, 0});
  return true;
}

// A read of memory that was never written may get any value.
void promising_engine::end_where_unknown(location l, source_location where) {
  if (is_declared(l)) return;
  unknown_.doubt_data();
  fail(violation::use_after_free, "an object is accessed that was never constructed", where);
}

// ---------------------------------------------------------------------------------------------
// Events.

value promising_engine::on_load(word w, order o, const char* file, const char* function,
                                std::uint64_t place) {
  const source_location where = at(file, function, place);
  end_where_unknown(w.fields[0], where);
  if (const from_future p = reads_.choose(w, where); p.any()) {
    const value v = reads_.value_of(p, w, where);
    reads_.add(p, load_event(w, o, v, where));
    return v;
  }
  const value v = explores().load(w, o, where);
  reads_.explored(w, v, false);
  return v;
}

void promising_engine::on_store(word w, value v, order o, const char* file, const char* function,
                                std::uint64_t place) {
  const source_location where = at(file, function, place);
  end_where_unknown(w.fields[0], where);
  explores().store(w, v, o, where);
  writes_.wrote(w, v, o);
}

value promising_engine::on_read_modify_write(word w, change_of change, value operand,
                                             const char* file, const char* function,
                                             std::uint64_t place, value (*custom)(value, value)) {
  const source_location where = at(file, function, place);
  end_where_unknown(w.fields[0], where);
  const from_future p = reads_.choose(w, where);
  if (!p.any()) {
    const value old =
        explores().read_modify_write(w, change.op, operand, change.size, change.how, where, custom);
    reads_.explored(w, old, true);
    writes_.wrote(w, modified(change.op, change.size, old, operand, custom), change.how);
    return old;
  }
  const value v = reads_.value_of(p, w, where);
  reads_.add(p, update_event(w, {change.op, change.size, change.how, operand, custom}, v, where));
  return v;
}

exchanged promising_engine::on_compare_exchange(word w, value expected, value desired,
                                                orders_of orders, const char* file,
                                                const char* function, std::uint64_t place) {
  const source_location where = at(file, function, place);
  end_where_unknown(w.fields[0], where);
  const from_future p = reads_.choose(w, where);
  if (!p.any()) {
    const exchanged done = explores().compare_exchange(w, expected, desired, orders.weak,
                                                       orders.success, orders.failure, where);
    reads_.explored(w, done.old, done.success);
    if (done.success) writes_.wrote(w, desired, orders.success);
    return done;
  }
  const value v = reads_.value_of(p, w, where);
  const bool spurious = orders.weak && options_.spurious_failures != 0 && v == expected &&
                        reads_.fails_by_chance(where);
  const explored_event e = exchange_event(
      w, {expected, desired, orders.weak, orders.success, orders.failure}, v, spurious, where);
  reads_.add(p, e);
  return {v, e.writes};
}

void promising_engine::on_fence(order o, const char* file, const char* function,
                                std::uint64_t place) {
  explores().fence(o, at(file, function, place));
  reads_.keep_before_fence(o);
  execution_.mark();
}

unsigned promising_engine::choose(unsigned alternatives, budget charge, source_location where) {
  const unsigned chosen = explores().choose(alternatives, charge, where);
  repeated_.compare_last({kept_event::kind::choice, chosen, false});
  return chosen;
}

void promising_engine::create(void (*entry)(void*), void* const* arguments, unsigned* ids,
                              unsigned count, source_location where) {
  explores().create(entry, arguments, ids, count, where);
  execution_.mark();  // what the threads do comes after it
}

// ---------------------------------------------------------------------------------------------
// Waits. A thread that takes a mutex acquires, and a wait continues only if its read ends it. So
// neither reads from the future.

void promising_engine::end_where_unsupported() {
  if (!reads_.promised().any()) return;
  leave_out("the read belongs to a wait");
  explores().give_up();
}

void promising_engine::await(location l, value expected, order o, wait_for what,
                             source_location where) {
  end_where_unsupported();
  explores().await(l, expected, o, what, where);
}

void promising_engine::await_exchange(location l, value expected, value desired, order o,
                                      wait_for what, source_location where) {
  end_where_unsupported();
  explores().await_exchange(l, expected, desired, o, what, where);
  writes_.wrote(word(l), desired, o);
}

value promising_engine::look(location l, look_for what, source_location where) {
  end_where_unknown(l, where);
  const from_future p = reads_.promised();
  looked_[this_thread()] = p.any();
  if (p.any()) {
    const value v = p.fields[0]->promised;
    reads_.add(p, load_event(word(l), order::relaxed, v, where));
    return v;
  }
  const value v = explores().look(l, what, where);
  reads_.explored(word(l), v, false);
  return v;
}

// A wait calls this after a look that does not end it.
std::uint64_t promising_engine::last_event() {
  if (looked_[this_thread()]) {
    leave_out("a thread sleeps because of the value that it reads");
    explores().give_up();
  }
  return explores().last_event();
}

// ---------------------------------------------------------------------------------------------
// Accesses that are no events.

void promising_engine::use(location l, bool may_outlast, source_location where) {
  end_where_unknown(l, where);
  execution_.mark();
  explores().use(l, may_outlast, where);
  if (may_outlast) return;
  execution_.add_access(l, silent_access::kind::read, where);
}

void promising_engine::access(location l, silent_access::kind what, source_location where) {
  end_where_unknown(l, where);
  execution_.mark();
  const bool writes = what == silent_access::kind::write;
  if (explores().accesses_unordered(l, writes)) unknown_.doubt_data();
  execution_.show_access(l, writes, where);
  execution_.add_access(l, what, where);
}

void promising_engine::on_plain_read(location l, const char* file, const char* function,
                                     std::uint64_t place) {
  const source_location where = at(file, function, place);
  access(l, silent_access::kind::read, where);
  if (!explores().has_value(l)) fail(violation::misuse, lifetimes::read_without_value, where);
}

void promising_engine::on_plain_write(location l, const char* file, const char* function,
                                      std::uint64_t place) {
  access(l, silent_access::kind::write, at(file, function, place));
}

}  // namespace fencepost::verify
