#include "reexecute/promising_engine.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "execute/memory.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

namespace {

explored_event read_event(explored_event::kind what, word w, order success, order failure,
                          value read, source_location where) {
  explored_event e;
  e.what = what;
  e.success = success;
  e.failure = failure;
  e.cells[0] = w.fields[0];
  e.cells[1] = w.fields[1];
  e.read = read;
  e.where = where;
  return e;
}

// Of the write of a read-modify-write.
order store_order(order o) {
  if (o == order::seq_cst || o == order::plain) return o;
  return releases(o) ? order::release : order::relaxed;
}

unsigned fields_of(word w) { return w.whole() ? 2 : 1; }

}  // namespace

promising_engine::promising_engine(const batch& b, const options& o)
    : begins_(b), promises_(b.front()->from.promises), options_(o) {
  frames_are_compared_ = true;
  for (const promise& p : promises_) {
    other_fields_.push_back(p);
    if (!p.in_other_field) continue;
    other_fields_.back().promised = *p.in_other_field;
    other_fields_.back().in_other_field = p.promised;
  }
}

std::size_t promising_engine::number_of_promise(const promise& p) const {
  std::size_t i = 0;
  while (&promises_[i] != &p && &other_fields_[i] != &p) ++i;
  return i;
}

void promising_engine::begin_run(explorer& does_the_rest) {
  const engine_scope scope;
  end_run();
  explorer_ = &does_the_rest;
  trace_ = &does_the_rest.trace();
  orders_ = does_the_rest.orders();
  current_ = this;
  if (current_runner != static_cast<runner*>(this))
    records_ = std::exchange(current_runner, static_cast<runner*>(this));
  offset_.fill(0);
  repeated_.fill(~batch_set{0} >> (most_of_batch - begins_.size()));
  narrowed_.clear();
  patches_.clear();
  silent_.clear();
  silent_at_.clear();
  for (auto& thread : came_) thread.clear();
  clock_ = 0;
  locations_ = 0;
  kept_.assign(promises_.size(), false);
  left_ = promises_.size();
  read_again_ = declare_hidden({});
  waited_.assign(left_, 0);
  acquired_.assign(left_, 0);
  told_.clear();
  for (std::size_t i = 0; i < left_; ++i) told_.push_back(declare(nullptr, sizeof(int), 0, {}));
  looked_.fill(false);
  loses_order_ = denies_order_ = data_unordered_ = false;
  due_.reset();
  does_the_rest.on_turn_taken_back([this](unsigned position) { take_back(position); });
}

// An idle turn is taken back: the running thread has done nothing of what comes after its event of
// the explorer's. None has stored anything, nor waited for what is promised.
void promising_engine::take_back(unsigned position) {
  const unsigned t = this_thread();
  patches_.cut(t, position);
  offset_[t] = patches_.added(t);
  const unsigned left = number();
  if (came_.size() > t && came_[t].size() > left) came_[t].resize(left);
  for (std::size_t i = silent_.size(); i-- > 0;) {
    if (silent_[i].thread != t || silent_[i].after <= left) continue;
    silent_.erase(silent_.begin() + static_cast<std::ptrdiff_t>(i));
    silent_at_.erase(silent_at_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const auto undone = [&](const narrowing& n) { return n.thread == t && n.position > position; };
  for (auto n = narrowed_.rbegin(); n != narrowed_.rend(); ++n)
    if (undone(*n)) repeated_[t] = n->before;
  std::erase_if(narrowed_, undone);
}

// What goes wrong in one thread ends it, and so it keeps no promise: as it is if that is wrong
// whenever it comes, but not if it follows from data that would be there in another order.
void promising_engine::end_run() {
  if (due_ && left_ != 0 && data_unordered_)
    leave_out("something goes wrong before the write has come");
}

void promising_engine::show(const std::vector<promise>& kept) {
  if (!trace_->on()) return;
  for (const promise& p : kept)
    trace_->set_source(p.read, make_id(p.write.thread, patches_.number_without(p.write)));
}

run_judgement promising_engine::race_of(const silent_access& a, const silent_access& b) const {
  const auto place = [this](const silent_access& s) {
    const auto found = std::find_if(silent_.begin(), silent_.end(), [&](const silent_access& o) {
      return o.object == s.object && o.thread == s.thread && o.after == s.after && o.what == s.what;
    });
    return found - silent_.begin();
  };
  const bool in_order = place(a) < place(b);
  const silent_access& later = in_order ? b : a;
  const silent_access& earlier = in_order ? a : b;
  const auto done = [](const silent_access& s) {
    return (s.what == silent_access::kind::read ? "read by thread " : "written by thread ") +
           std::to_string(s.thread);
  };
  run_judgement r;
  r.data_race = "plain data is " + done(later) + " and " + done(earlier) +
                ", and neither happens before the other";
  r.thread = later.thread;
  r.where = silent_at_[static_cast<std::size_t>(place(later))];
  return r;
}

void promising_engine::leave_out(std::string_view why) {
  const engine_scope scope;
  if (left_out_.empty()) left_out_ = why;
}

from_future promising_engine::promised_here() {
  const explored_name here{this_thread(), next()};
  from_future all;
  for (const promise& p : promises_)
    if (p.read == here) all.fields[p.field] = &p;
  return all;
}

// What the running thread has read from the future there before: the field, or the word's other one
// of a write to both. Who has read one from it reads nothing older in the other, if it reads the
// whole word.
const promise* promising_engine::promised_before(word w, unsigned field) {
  const unsigned t = this_thread();
  if (const promise* const p = patches_.read_at(t, w.fields[field])) return p;
  const promise* const other = w.whole() ? patches_.read_at(t, w.fields[1 - field]) : nullptr;
  if (other == nullptr || !other->in_other_field) return nullptr;
  return &other_fields_[number_of_promise(*other)];
}

// What the read is promised, or what its thread has read from the future before, which is a choice;
// of a word of two fields, for each of them.
from_future promising_engine::promised(word w, source_location where) {
  const unsigned t = this_thread();
  choices_[t] = 0;
  other_field_[t] = 0;
  from_future p = promised_here();
  if (p.all_of(w)) return p;
  const batch_set others = without(next());
  if (others == 0) return p;
  from_future again;
  unsigned alternatives = 1;
  for (unsigned k = 0; k < fields_of(w); ++k) {
    if (p.fields[k] == nullptr) again.fields[k] = promised_before(w, k);
    if (again.fields[k] != nullptr) alternatives *= 2;
  }
  if (alternatives == 1) return p;
  unsigned chosen = explorer_->choose(alternatives, budget::none, where);
  if (chosen == 0) {
    remove_last();
    return p;
  }
  // The turns of a loop that waits begin at reads, of whatever it may be.
  static_cast<void>(explorer_->load(word(read_again_), order::relaxed, where));
  choices_[t] = 2;
  narrow(others);
  for (unsigned k = 0; k < 2; ++k) {
    if (again.fields[k] == nullptr) continue;
    if (chosen % 2 != 0) p.fields[k] = again.fields[k];
    chosen /= 2;
  }
  return p;
}

// The value of a read that gets some of it from the future. The explorer reads a field that does
// not come from there, and knows of no acquire by it.
value promising_engine::read_fields(const from_future& p, word w, source_location where) {
  value all = 0;
  for (unsigned k = 0; k < fields_of(w); ++k) {
    value field = 0;
    if (p.fields[k] != nullptr) {
      field = p.fields[k]->promised;
    } else {
      field = explorer_->load(word(w.fields[k]), order::relaxed, where);
      end_where_older(w.fields[k], 0);
      ++choices_[this_thread()];
      other_field_[this_thread()] = index_of(last());
    }
    all |= field << 32U * k;
  }
  return all;
}

// The explorer has no event for the read; or the choices, and the write of a read-modify-write.
void promising_engine::take(const from_future& p, explored_event read) {
  const engine_scope scope;
  const unsigned t = this_thread();
  const unsigned last_one = index_of(last());
  const unsigned used = read.writes ? 1 : 0;
  if (choices_[t] == 0 && used == 0) {
    patches_.add({patch::kind::added, t, last_one, read, p});
  } else {
    const unsigned first = last_one + 1 - choices_[t] - used;
    for (unsigned i = first; i < last_one; ++i) patches_.add({patch::kind::removed, t, i, {}, {}});
    for (unsigned i = first; i <= last_one; ++i) trace_->hide(make_id(t, i));
    patches_.add({patch::kind::replaced, t, last_one, read, p, other_field_[t]});
  }
  offset_[t] = patches_.added(t);
  trace_->record_promised({t, number()}, read, used != 0 ? last() : event_id{0}, orders_);
}

// The running thread's events up to now have come; those that nobody has marked, not before.
void promising_engine::mark() {
  const engine_scope scope;
  const unsigned t = this_thread();
  if (came_.size() <= t) came_.resize(t + 1);
  came_[t].resize(number(), ++clock_);
}

// Memory that is read before it is written leads anywhere.
void promising_engine::end_where_unknown(location l, source_location where) {
  if (l < locations_) return;
  data_unordered_ = true;  // it may be there in another order
  fail(violation::use_after_free, "an object is accessed that was never constructed", where);
}

// What the thread has read from the future is younger than what was there at first, and than what
// its writer has written there up to now: it reads nothing older than that afterwards.
__attribute__((noinline)) void promising_engine::end_where_older(location l, unsigned field) {
  for (std::size_t i = 0; i < promises_.size(); ++i) {
    if (!patches_.have_read(this_thread(), promises_[i], l)) continue;
    const event_id source = explorer_->last_source(field);
    if (source == initial_write || (!kept_[i] && thread_of(source) == promises_[i].write.thread))
      explorer_->give_up();
  }
}

void promising_engine::compare_last(word w, value got, bool writes) {
  for (unsigned k = 0; k < fields_of(w); ++k) end_where_older(w.fields[k], k);
  // Of a whole word half may have come, and the other half be still to come.
  if (!w.whole()) want_what_was_got(number());
  compare_last(kept_event::kind::read, got, writes);
}

// A kept event gets what it got, or its thread ends.
__attribute__((noinline)) void promising_engine::compare_last(kept_event::kind what, value got,
                                                              bool writes) {
  mark();
  const unsigned t = this_thread();
  const unsigned last_one = number();
  batch_set same = without(last_one);
  if (same == repeated_[t]) return;
  for_each_repeated([&](const start& s, batch_set bit) {
    if (last_one > kept_length(s, t)) return;
    const kept_event& then = s.from.kept[t][last_one - 1];
    if (then.what != what || (then.got == got && then.writes == writes)) same |= bit;
  });
  if (same == 0) explorer_->give_up();
  narrow(same);
}

void promising_engine::narrow(batch_set to) {
  const engine_scope scope;
  const unsigned t = this_thread();
  narrowed_.push_back({t, index_of(last()), repeated_[t]});
  repeated_[t] = to;
}

template <class F>
void promising_engine::for_each_repeated(F&& f) const {
  for (batch_set left = repeated_[explorer_->this_thread()]; left != 0; left &= left - 1)
    f(*begins_[static_cast<std::size_t>(std::countr_zero(left))], left & (~left + 1));
}

batch_set promising_engine::without(unsigned number) const {
  batch_set some = 0;
  for_each_repeated([&](const start& s, batch_set bit) {
    if (number > kept_length(s, explorer_->this_thread())) some |= bit;
  });
  return some;
}

batch_set promising_engine::repeated() const noexcept {
  batch_set all = ~batch_set{0};
  for (const batch_set some : repeated_) all &= some;
  return all;
}

// A read that is kept in each of them goes nowhere with another value than it got in any.
__attribute__((noinline)) void promising_engine::want_what_was_got(unsigned number) {
  if (without(number) != 0) return;
  const engine_scope scope;
  std::vector<value> all;
  bool each = true;
  for_each_repeated([&](const start& s, batch_set) {
    const kept_event& then = s.from.kept[explorer_->this_thread()][number - 1];
    each = each && then.what == kept_event::kind::read;
    all.push_back(then.got);
  });
  if (!each) return;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  explorer_->want(*wanted_.insert(std::move(all)).first);
}

__attribute__((noinline)) void promising_engine::wrote(word w, value v, order o) {
  mark();
  const auto leaves = [&](value promised) {
    return w.whole() ? (v & 0xffffffff) == promised || v >> 32U == promised : v == promised;
  };
  const unsigned t = this_thread();
  const unsigned last_one = number();
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const promise& p = promises_[i];
    if (kept_[i] || p.write.thread != t) continue;
    if (p.kept ? last_one != p.write.number : !leaves(p.promised)) continue;
    kept_[i] = true;
    --left_;
    tell(i, o);
  }
  if (left_ != 0 || !due_) return;
  const engine_scope scope;
  explorer_->fail_at_end(due_->thread, due_->kind, due_->text, due_->where);
}

// Neither this nor the wait for it is an event of the execution. What the one releases and the
// other acquires is what the write does, and who reads it.
void promising_engine::tell(std::size_t i, order o) {
  explorer_->store(word(told_[i]), 1, releases(o) ? order::release : order::relaxed, {});
  remove_last();
}

void promising_engine::remove_last() {
  const engine_scope scope;
  patches_.add({patch::kind::removed, this_thread(), index_of(last()), {}, {}});
  trace_->hide(last());
  offset_[this_thread()] = patches_.added(this_thread());
}

// What the thread does next comes after the write; and, if the two synchronize, after what happens
// before the write. The explorer is taken not to know all of that: of a release sequence that a
// read-modify-write continues, it does not.
void promising_engine::await_write(const promise& p, bool acquires) {
  loses_order_ = loses_order_ || p.synchronizes;
  const std::size_t i = number_of_promise(p);
  const std::uint64_t me = std::uint64_t{1} << this_thread();
  if ((acquired_[i] & me) != 0 || (!acquires && (waited_[i] & me) != 0)) return;
  waited_[i] |= me;
  if (acquires) acquired_[i] |= me;
  explorer_->await(told_[i], 1, acquires ? order::acquire : order::relaxed, wait_for::nothing, {});
  remove_last();
}

// The read, and the write of a read-modify-write.
void promising_engine::read_promised(const from_future& p, const explored_event& read) {
  const order o = read.compares && !read.writes ? read.failure : read.success;
  const word w(read.cells[0], read.cells[1]);
  if (read.writes) explorer_->store(w, read.written, store_order(o), read.where);
  take(p, read);
  if (!p.all_of(w)) {
    compare_last(kept_event::kind::read, read.read, read.writes);
    // Neither does the explorer know what is acquired by the other field, nor of what release
    // sequence the write is.
    loses_order_ = loses_order_ || acquires(o) || read.writes;
  }
  if (read.writes) {
    // Another thread may acquire by what is written here, and would not wait.
    for (const promise* const each : p.fields)
      loses_order_ = loses_order_ || (each != nullptr && each->synchronizes);
    wrote(w, read.written, store_order(o));
  }
  for (const promise* const each : p.fields)
    if (acquires(o) && each != nullptr) await_write(*each, true);
  mark();
}

void promising_engine::note(location l, silent_access::kind what, source_location where) {
  end_where_unknown(l, where);
  mark();
  const bool writes = what == silent_access::kind::write;
  if (explorer_->accesses_unordered(l, writes)) data_unordered_ = true;
  const engine_scope scope;
  if (trace_->on()) {
    trace_->add(this_thread(), writes ? step_kind::plain_write : step_kind::plain_read,
                (writes ? "write " : "read ") + trace_->name(l), where);
  }
  keep_silent(l, what, where);
}

void promising_engine::keep_silent(location l, silent_access::kind what, source_location where) {
  silent_.push_back({l, this_thread(), number(), what});
  silent_at_.push_back(where);
}

void promising_engine::use(location l, bool may_outlast, source_location where) {
  end_where_unknown(l, where);
  mark();
  explorer_->use(l, may_outlast, where);
  if (may_outlast) return;
  const engine_scope scope;
  keep_silent(l, silent_access::kind::read, where);
}

void promising_engine::fail(violation kind, std::string_view text, source_location where) {
  // Not before the promises are kept: without that there is no such execution.
  if (left_ != 0) {
    {
      const engine_scope scope;
      if (!due_) due_ = failure{kind, std::string(text), this_thread(), where};
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
  due_ = failure{kind, std::string(text), this_thread(), {kept_name(file), "", line, 0}};
  return true;
}

// ---------------------------------------------------------------------------------------------

// What takes a mutex acquires, and a wait whose read does not end it goes nowhere. So no front end
// has one.
void promising_engine::end_where_unsupported() {
  if (!promised_here().any()) return;
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
  explorer_->await_exchange(l, expected, desired, o, what, where);
  wrote(word(l), desired, o);
}

value promising_engine::look(location l, look_for what, source_location where) {
  end_where_unknown(l, where);
  choices_[this_thread()] = 0;
  const from_future p = promised_here();
  looked_[this_thread()] = p.any();
  if (p.any()) {
    const value v = p.fields[0]->promised;
    read_promised(p, read_event(explored_event::kind::load, word(l), order::relaxed, order::relaxed,
                                v, where));
    return v;
  }
  const value v = explorer_->look(l, what, where);
  compare_last(word(l), v, false);
  return v;
}

// A wait asks for it where it has not got what ends it.
std::uint64_t promising_engine::last_event() {
  if (looked_[this_thread()]) {
    leave_out("a wait sleeps by what it reads");
    explorer_->give_up();
  }
  return explorer_->last_event();
}

unsigned promising_engine::choose(unsigned alternatives, budget charge, source_location where) {
  const unsigned chosen = explorer_->choose(alternatives, charge, where);
  compare_last(kept_event::kind::choice, chosen, false);
  return chosen;
}

value promising_engine::on_load(word w, order o, const char* file, const char* function,
                                std::uint64_t place) {
  const source_location where = at(file, function, place);
  end_where_unknown(w.fields[0], where);
  if (const from_future p = promised(w, where); p.any()) {
    const value v = read_fields(p, w, where);
    read_promised(p, read_event(explored_event::kind::load, w, o, order::relaxed, v, where));
    return v;
  }
  const value v = explorer_->load(w, o, where);
  compare_last(w, v, false);
  return v;
}

void promising_engine::on_store(word w, value v, order o, const char* file, const char* function,
                                std::uint64_t place) {
  const source_location where = at(file, function, place);
  end_where_unknown(w.fields[0], where);
  explorer_->store(w, v, o, where);
  wrote(w, v, o);
}

value promising_engine::on_read_modify_write(word w, change_of change, value operand,
                                             const char* file, const char* function,
                                             std::uint64_t place, value (*custom)(value, value)) {
  const source_location where = at(file, function, place);
  end_where_unknown(w.fields[0], where);
  const from_future p = promised(w, where);
  if (!p.any()) {
    const value old =
        explorer_->read_modify_write(w, change.op, operand, change.size, change.how, where, custom);
    compare_last(w, old, true);
    wrote(w, modified(change.op, change.size, old, operand, custom), change.how);
    return old;
  }
  const value v = read_fields(p, w, where);
  explored_event e =
      read_event(explored_event::kind::update, w, change.how, order::relaxed, v, where);
  e.op = change.op;
  e.size = change.size;
  e.operand = operand;
  e.custom = custom;
  e.writes = true;
  e.written = modified(change.op, change.size, v, operand, custom);
  read_promised(p, e);
  return v;
}

bool promising_engine::fails_by_chance(value read, orders_of orders, value expected,
                                       source_location where) {
  if (!orders.weak || options_.spurious_failures == 0 || read != expected) return false;
  ++choices_[this_thread()];
  return explorer_->choose(2, budget::none, where) == 1;
}

exchanged promising_engine::on_compare_exchange(word w, value expected, value desired,
                                                orders_of orders, const char* file,
                                                const char* function, std::uint64_t place) {
  const source_location where = at(file, function, place);
  end_where_unknown(w.fields[0], where);
  const from_future p = promised(w, where);
  if (!p.any()) {
    const exchanged done = explorer_->compare_exchange(w, expected, desired, orders.weak,
                                                       orders.success, orders.failure, where);
    compare_last(w, done.old, done.success);
    if (done.success) wrote(w, desired, orders.success);
    return done;
  }
  const value v = read_fields(p, w, where);
  explored_event e =
      read_event(explored_event::kind::update, w, orders.success, orders.failure, v, where);
  e.compares = true;
  e.weak = orders.weak;
  e.expected = expected;
  e.operand = desired;
  e.spurious = fails_by_chance(v, orders, expected, where);
  e.writes = v == expected && !e.spurious;
  if (e.writes) e.written = desired;
  read_promised(p, e);
  return {v, e.writes};
}

void promising_engine::on_fence(order o, const char* file, const char* function,
                                std::uint64_t place) {
  explorer_->fence(o, at(file, function, place));
  const bool keeps = acquires(o) || releases(o);
  for (const promise& p : promises_)
    if (keeps && patches_.have_read(this_thread(), p)) await_write(p, acquires(o));
  mark();
}

void promising_engine::on_plain_read(location l, const char* file, const char* function,
                                     std::uint64_t place) {
  const source_location where = at(file, function, place);
  note(l, silent_access::kind::read, where);
  if (!explorer_->has_value(l)) fail(violation::misuse, lifetimes::read_without_value, where);
}

void promising_engine::on_plain_write(location l, const char* file, const char* function,
                                      std::uint64_t place) {
  note(l, silent_access::kind::write, at(file, function, place));
}

}  // namespace fencepost::verify
