#include "reexecute/promised_reads.hpp"

#include "model/consistency.hpp"
#include "reexecute/coherent_promises.hpp"

namespace fencepost::verify {

namespace {

unsigned fields_of(word w) { return w.whole() ? 2 : 1; }

// The order of the write of a read-modify-write.
order store_order(order o) {
  if (o == order::seq_cst || o == order::plain) return o;
  return releases(o) ? order::release : order::relaxed;
}

}  // namespace

void promised_reads::begin_run() { read_again_ = execution_.explores().declare_hidden({}); }

from_future promised_reads::promised() {
  taken_[execution_.this_thread()] = {};
  return promises_.made_to({execution_.this_thread(), execution_.next()});
}

// Returns the promise that the thread has read before for this field, or, if the promised write is
// to both fields, for the word's other one: a thread that has read one field from that write reads
// nothing older in the other when it reads the whole word.
const promise* promised_reads::promised_before(word w, unsigned field) const {
  const unsigned t = execution_.this_thread();
  const patches& made = execution_.made();
  if (const promise* const p = made.read_at(t, w.fields[field])) return p;
  const promise* const other = w.whole() ? made.read_at(t, w.fields[1 - field]) : nullptr;
  if (other == nullptr || !other->in_other_field) return nullptr;
  return &promises_.for_other_field(*other);
}

from_future promised_reads::choose(word w, source_location where) {
  from_future p = promised();
  if (p.all_of(w)) return p;
  const batch_set others = repeated_.without_next();
  if (others == 0) return p;
  from_future again;
  unsigned alternatives = 1;
  for (unsigned k = 0; k < fields_of(w); ++k) {
    if (p.fields[k] == nullptr) again.fields[k] = promised_before(w, k);
    if (again.fields[k] != nullptr) alternatives *= 2;
  }
  if (alternatives == 1) return p;
  unsigned chosen = execution_.explores().choose(alternatives, budget::none, where);
  if (chosen == 0) {
    execution_.remove_last();
    return p;
  }
  // The turns of a loop that waits begin at reads: this one stands for the read from the future.
  static_cast<void>(execution_.explores().load(word(read_again_), order::relaxed, where));
  taken_[execution_.this_thread()].count = 2;
  repeated_.narrow(others);
  for (unsigned k = 0; k < 2; ++k) {
    if (again.fields[k] == nullptr) continue;
    if (chosen % 2 != 0) p.fields[k] = again.fields[k];
    chosen /= 2;
  }
  return p;
}

value promised_reads::value_of(const from_future& p, word w, source_location where) {
  value all = 0;
  for (unsigned k = 0; k < fields_of(w); ++k) {
    value field = 0;
    if (p.fields[k] != nullptr) {
      field = p.fields[k]->promised;
    } else {
      field = execution_.explores().load(word(w.fields[k]), order::relaxed, where);
      end_where_older(w.fields[k], 0);
      events_taken& taken = taken_[execution_.this_thread()];
      ++taken.count;
      taken.other_field = index_of(execution_.last());
    }
    all |= field << 32U * k;
  }
  return all;
}

bool promised_reads::fails_by_chance(source_location where) {
  ++taken_[execution_.this_thread()].count;
  return execution_.explores().choose(2, budget::none, where) == 1;
}

void promised_reads::add(const from_future& p, const explored_event& read) {
  const order o = read.compares && !read.writes ? read.failure : read.success;
  const word w(read.cells[0], read.cells[1]);
  if (read.writes) execution_.explores().store(w, read.written, store_order(o), read.where);
  const events_taken& taken = taken_[execution_.this_thread()];
  execution_.add_read(p, read, taken.count, taken.other_field);
  if (!p.all_of(w)) {
    repeated_.compare_last({kept_event::kind::read, read.read, read.writes});
    // The explorer knows neither what the other field acquires, nor which release sequence the
    // write is part of.
    unknown_.lose(acquires(o) || read.writes);
  }
  if (read.writes) {
    // Another thread may acquire through this write, and would not wait.
    for (const promise* const each : p.fields) unknown_.lose(each != nullptr && each->synchronizes);
    writes_.wrote(w, read.written, store_order(o));
  }
  for (const promise* const each : p.fields)
    if (acquires(o) && each != nullptr) writes_.await(*each, true);
  execution_.mark();
}

void promised_reads::explored(word w, value got, bool writes) {
  for (unsigned k = 0; k < fields_of(w); ++k) end_where_older(w.fields[k], k);
  // In a whole word, one field may have the value that was got, and the other may still have to be
  // written.
  if (!w.whole()) repeated_.want_what_was_got();
  repeated_.compare_last({kept_event::kind::read, got, writes});
}

// What the thread has read from the future is later in modification order than what it knew by
// then, and than what the writer has written there so far: afterwards, the thread reads nothing
// older than that. (Nor older than other writes that come before it. But a revisit may delete the
// reason why they do, and keep what the thread has read.)
__attribute__((noinline)) void promised_reads::end_where_older(location l, unsigned field) {
  explorer& e = execution_.explores();
  for (const promise& p : promises_) {
    const auto last = execution_.made().last_before(execution_.this_thread(), p, l);
    if (!last) continue;
    if (reads_what_is_older(e, execution_.last(), field, p, *last) ||
        (!writes_.made(p) && thread_of(e.last_source(field)) == p.write.thread))
      e.give_up();
  }
}

void promised_reads::keep_before_fence(order o) {
  if (!acquires(o) && !releases(o)) return;
  for (const promise& p : promises_)
    if (execution_.made().last_before(execution_.this_thread(), p)) writes_.await(p, acquires(o));
}

}  // namespace fencepost::verify
