#include "reexecute/promising_engine.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "execute/memory.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

namespace {

constexpr std::size_t most_later_reads = 4;  // of promises, by choice, in one run

explored_event read_event(explored_event::kind what, word w, order success, order failure,
                          value read, source_location where) {
  explored_event e;
  e.what = what;
  e.success = success;
  e.failure = failure;
  e.cells[0] = w.fields[0];
  e.read = read;
  e.where = where;
  return e;
}

// Of the write of a read-modify-write.
order store_order(order o) {
  if (o == order::seq_cst || o == order::plain) return o;
  return releases(o) ? order::release : order::relaxed;
}

}  // namespace

promising_engine::promising_engine(const beginning& b, const options& o)
    : begins_(b), options_(o), table_(o.changes) {
  frames_are_compared_ = true;
  if (!o.changes.empty()) orders_ = &table_;
}

void promising_engine::begin_run(engine& explorer) {
  const engine_scope scope;
  explorer_ = &explorer;
  current_ = this;
  if (current_runner != static_cast<runner*>(this))
    records_ = std::exchange(current_runner, static_cast<runner*>(this));
  offset_.fill(0);
  patches_.clear();
  silent_.clear();
  kept_.assign(begins_.promises.size(), false);
  left_ = begins_.promises.size();
  taken_.clear();
  taken_at_.clear();
  later_reads_ = 0;
  loses_order_ = false;
  due_.reset();
}

void promising_engine::leave_out(std::string_view why) {
  const engine_scope scope;
  if (left_out_.empty()) left_out_ = why;
}

const promise* promising_engine::promised(word w, source_location where) {
  by_choice_ = false;
  const unsigned t = this_thread();
  const unsigned number = next();
  for (const promise& p : begins_.promises)
    if (p.read == explored_name{t, number}) return &p;
  if (w.whole() || number <= kept_length(t)) return nullptr;
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i]->read.thread != t || taken_at_[i] != w.fields[0]) continue;
    if (later_reads_ == most_later_reads) {
      leave_out("a thread reads what is promised again and again");
      return nullptr;
    }
    if (explorer_->choose(2, budget::none, where) == 1) {
      ++later_reads_;
      by_choice_ = true;
      return taken_[i];
    }
    const engine_scope scope;
    patches_.add({patch::kind::removed, t, index_of(last()), {}, nullptr});
    --offset_[t];
    break;
  }
  return nullptr;
}

// The explorer has no event for the read; or the choice, or the write of a read-modify-write.
void promising_engine::take(const promise& p, explored_event read) {
  const engine_scope scope;
  const unsigned t = this_thread();
  const unsigned number = index_of(last());
  if (read.writes) {
    if (by_choice_) {
      patches_.add({patch::kind::removed, t, number - 1, {}, nullptr});
      --offset_[t];
    }
    patches_.add({patch::kind::replaced, t, number, read, &p});
  } else if (by_choice_) {
    patches_.add({patch::kind::replaced, t, number, read, &p});
  } else {
    patches_.add({patch::kind::added, t, number, read, &p});
    ++offset_[t];
  }
  taken_.push_back(&p);
  taken_at_.push_back(read.cells[0]);
}

// A kept event gets what it got, or its thread ends.
void promising_engine::compare(unsigned number, kept_event::kind what, value got, bool writes) {
  const unsigned t = this_thread();
  if (number > kept_length(t)) return;
  const kept_event& then = begins_.kept[t][number - 1];
  if (then.what != what || (then.got == got && then.writes == writes)) return;
  explorer_->give_up();
}

void promising_engine::wrote(unsigned number, value v) {
  const unsigned t = this_thread();
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const promise& p = begins_.promises[i];
    if (kept_[i] || p.write.thread != t) continue;
    if (p.kept ? number != p.write.number : v != p.promised) continue;
    kept_[i] = true;
    --left_;
  }
  if (left_ == 0 && due_) explorer_->fail(due_->kind, due_->text, due_->where);
}

// From here on something may happen before that the explorer does not know of.
void promising_engine::lose_order(const promise& p) {
  if (!p.synchronizes) return;
  loses_order_ = true;
  if (options_.races_are_outcomes) return;  // no plain data but what is in the graph
  leave_out("what is read may synchronize with a write that is still to come");
}

void promising_engine::note(location l, silent_access::kind what) {
  const engine_scope scope;
  silent_.push_back({l, this_thread(), next() - 1, what});
}

void promising_engine::fail(violation kind, std::string_view text, source_location where) {
  // Not before the promises are kept: without that there is no such execution.
  if (left_ != 0) {
    {
      const engine_scope scope;
      if (!due_) due_ = failure{kind, std::string(text), "", where};
    }
    explorer_->give_up();
  }
  explorer_->fail(kind, text, where);
  std::abort();  // not reached
}

// The thread goes on, and may keep a promise.
bool promising_engine::fail_later(violation kind, std::string_view text, std::string_view file,
                                  unsigned line) {
  if (left_ == 0) return explorer_->fail_later(kind, text, file, line);
  if (!allocation_hook::in_body) return false;
  const engine_scope scope;
  if (due_) return true;
  due_ = failure{kind, std::string(text), std::string(file), {"", "", line, 0}};
  due_->where.file = due_->file.c_str();
  return true;
}

// ---------------------------------------------------------------------------------------------

bool promising_engine::is_promised_here() {
  const explored_name here{this_thread(), next()};
  return std::any_of(begins_.promises.begin(), begins_.promises.end(),
                     [&](const promise& p) { return p.read == here; });
}

void promising_engine::end_where_unsupported() {
  if (!is_promised_here()) return;
  leave_out("the read belongs to a wait");
  explorer_->give_up();
}

void promising_engine::await(location l, value expected, order o, wait_for what,
                             source_location where) {
  end_where_unsupported();
  explorer_->await(l, expected, o, what, where);
}

void promising_engine::await_exchange(location l, value expected, value desired, order o,
                                      wait_for what, source_location where) {
  end_where_unsupported();
  const unsigned number = next();
  explorer_->await_exchange(l, expected, desired, o, what, where);
  wrote(number, desired);
}

value promising_engine::look(location l, look_for what, source_location where) {
  end_where_unsupported();
  const unsigned number = next();
  const value v = explorer_->look(l, what, where);
  compare(number, kept_event::kind::read, v, false);
  return v;
}

unsigned promising_engine::choose(unsigned alternatives, budget charge, source_location where) {
  const unsigned number = next();
  const unsigned chosen = explorer_->choose(alternatives, charge, where);
  compare(number, kept_event::kind::choice, chosen, false);
  return chosen;
}

value promising_engine::on_load(word w, order o, const char* file, const char* function,
                                std::uint64_t place) {
  const source_location where = at(file, function, place);
  if (const promise* const p = promised(w, where)) {
    take(*p, read_event(explored_event::kind::load, w, o, order::relaxed, p->promised, where));
    if (acquires(o)) lose_order(*p);
    return p->promised;
  }
  const unsigned number = next();
  const value v = explorer_->load(w, o, where);
  compare(number, kept_event::kind::read, v, false);
  return v;
}

void promising_engine::on_store(word w, value v, order o, const char* file, const char* function,
                                std::uint64_t place) {
  const unsigned number = next();
  explorer_->store(w, v, o, at(file, function, place));
  wrote(number, v);
}

value promising_engine::on_read_modify_write(word w, change_of change, value operand,
                                             const char* file, const char* function,
                                             std::uint64_t place, value (*custom)(value, value)) {
  const source_location where = at(file, function, place);
  const promise* const p = promised(w, where);
  const unsigned number = next();
  if (p == nullptr) {
    const value old =
        explorer_->read_modify_write(w, change.op, operand, change.size, change.how, where, custom);
    compare(number, kept_event::kind::read, old, true);
    wrote(number, modified(change.op, change.size, old, operand, custom));
    return old;
  }
  explored_event e =
      read_event(explored_event::kind::update, w, change.how, order::relaxed, p->promised, where);
  e.op = change.op;
  e.size = change.size;
  e.operand = operand;
  e.custom = custom;
  e.writes = true;
  e.written = modified(change.op, change.size, p->promised, operand, custom);
  explorer_->store(w, e.written, store_order(change.how), where);
  take(*p, e);
  lose_order(*p);
  wrote(number, e.written);
  return p->promised;
}

exchanged promising_engine::on_compare_exchange(word w, value expected, value desired,
                                                orders_of orders, const char* file,
                                                const char* function, std::uint64_t place) {
  const source_location where = at(file, function, place);
  const promise* const p = promised(w, where);
  const unsigned number = next();
  if (p == nullptr) {
    const exchanged done = explorer_->compare_exchange(w, expected, desired, orders.weak,
                                                       orders.success, orders.failure, where);
    compare(number, kept_event::kind::read, done.old, done.success);
    if (done.success) wrote(number, desired);
    return done;
  }
  explored_event e = read_event(explored_event::kind::update, w, orders.success, orders.failure,
                                p->promised, where);
  e.compares = true;
  e.weak = orders.weak;
  e.expected = expected;
  e.operand = desired;
  e.writes = p->promised == expected;
  if (e.writes && orders.weak && options_.spurious_failures != 0)
    leave_out("the read is of a weak compare-exchange, which may fail");
  if (e.writes) {
    e.written = desired;
    explorer_->store(w, desired, store_order(orders.success), where);
  }
  take(*p, e);
  if (e.writes || acquires(orders.failure)) lose_order(*p);
  if (e.writes) wrote(number, desired);
  return {p->promised, e.writes};
}

void promising_engine::on_fence(order o, const char* file, const char* function,
                                std::uint64_t place) {
  explorer_->fence(o, at(file, function, place));
  if (!acquires(o)) return;
  for (const promise* p : taken_)
    if (p->read.thread == this_thread()) lose_order(*p);
}

void promising_engine::on_plain_read(location l, const char*, const char*, std::uint64_t) {
  note(l, silent_access::kind::read);
}

void promising_engine::on_plain_write(location l, const char*, const char*, std::uint64_t) {
  note(l, silent_access::kind::write);
}

}  // namespace fencepost::verify
