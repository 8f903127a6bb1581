#include "execute/event_requests.hpp"

namespace fencepost::verify {

namespace {

event request(event_kind kind, word w, order o) {
  event e;
  e.kind = kind;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = o;
  return e;
}

// A compare-exchange.
event exchange_if(word w, value expected, value desired, order success, order failure) {
  event e = request(event_kind::rmw, w, success);
  e.failure = failure;
  e.expected = expected;
  e.operand = desired;
  e.compares = true;
  return e;
}

}  // namespace

// Where the program has loops, the frames of its threads are compared: on a thread's own stack,
// nothing is then done but the switch to the second one.

value event_requests::load(word w, order o, const char* file, const char* function,
                           std::uint64_t place) {
  const source_location where = event_shapes::at(file, function, place);
  if (sites_.empty())
    if (const event* done = follower_.next(event_kind::load, w, o, 0, where)) return done->read;
  return fibers_.apart([&] {
    if (!sites_.contains(where))
      if (const event* done = follower_.next(event_kind::load, w, o, 0, where)) return done->read;
    return performer_.perform(request(event_kind::load, w, o), where).read;
  });
}

value event_requests::look(location l, look_for what, source_location where) {
  return fibers_.apart([&] {
    event e = request(event_kind::load, word(l), order::relaxed);
    e.looks = what;
    return performer_.perform(e, where).read;
  });
}

void event_requests::store(word w, value v, order o, const char* file, const char* function,
                           std::uint64_t place) {
  const source_location where = event_shapes::at(file, function, place);
  if (sites_.empty() && follower_.next(event_kind::store, w, o, v, where) != nullptr) return;
  fibers_.apart([&] {
    if (follower_.next(event_kind::store, w, o, v, where) != nullptr) return;
    event e = request(event_kind::store, w, o);
    e.operand = v;
    performer_.perform(e, where);
  });
}

value event_requests::read_modify_write(word w, change_of change, value operand, const char* file,
                                        const char* function, std::uint64_t place,
                                        value (*custom)(value, value)) {
  const source_location where = event_shapes::at(file, function, place);
  return fibers_.apart([&] {
    event e = request(event_kind::rmw, w, change.how);
    e.op = change.op;
    e.operand = operand;
    e.size = change.size;
    e.custom = custom;
    return performer_.perform(e, where).read;
  });
}

exchanged event_requests::compare_exchange(word w, value expected, value desired, orders_of orders,
                                           const char* file, const char* function,
                                           std::uint64_t place) {
  const source_location where = event_shapes::at(file, function, place);
  return fibers_.apart([&] {
    event e = exchange_if(w, expected, desired, orders.success, orders.failure);
    e.weak = orders.weak;
    const event& done = performer_.perform(e, where);
    return exchanged{done.read, done.succeeds()};
  });
}

void event_requests::fence(order o, const char* file, const char* function, std::uint64_t place) {
  const source_location where = event_shapes::at(file, function, place);
  if (sites_.empty() && follower_.next(event_kind::fence, {}, o, 0, where) != nullptr) return;
  fibers_.apart([&] {
    if (follower_.next(event_kind::fence, {}, o, 0, where) != nullptr) return;
    performer_.perform(request(event_kind::fence, {}, o), where);
  });
}

void event_requests::await(location l, value expected, order o, wait_for what,
                           source_location where) {
  fibers_.apart([&] {
    event e = request(event_kind::load, word(l), o);
    e.expected = expected;
    e.awaits = true;
    e.waits = what;
    performer_.perform(e, where);
  });
}

void event_requests::await_exchange(location l, value expected, value desired, order o,
                                    wait_for what, source_location where) {
  fibers_.apart([&] {
    event e = exchange_if(word(l), expected, desired, o, order::relaxed);
    e.awaits = true;
    e.waits = what;
    performer_.perform(e, where);
  });
}

void event_requests::give_up() {
  fibers_.apart([&] {
    threads_[fibers_.running()].at = model_thread::state::gave_up;
    for (;;) fibers_.yield();
  });
}

unsigned event_requests::choose(unsigned alternatives, budget charge, source_location where) {
  return fibers_.apart([&] {
    event e;
    e.kind = event_kind::choose;
    e.operand = alternatives;
    e.charge = charge;
    return static_cast<unsigned>(performer_.perform(e, where).read);
  });
}

void event_requests::create(void (*entry)(void*), void* const* arguments, unsigned* ids,
                            unsigned count, source_location where) {
  fibers_.apart([&] { create_threads(entry, arguments, ids, count, where); });
}

void event_requests::create_threads(void (*entry)(void*), void* const* arguments, unsigned* ids,
                                    unsigned count, source_location where) {
  event e;
  e.kind = event_kind::create;
  e.operand = count;
  const unsigned self = fibers_.running();
  const model_thread& t = threads_[self];
  if (t.position == graph_.thread(self).length() && count > max_threads - threads_.number_used()) {
    run_.reach_limit(message("an execution may have at most %u threads, including the main thread "
                             "and those that have ended",
                             max_threads),
                     where);
  }
  performer_.perform(e, where);
  const event_id id = make_id(self, t.position);
  const event& done = graph_.at(id);
  unsigned child = 0;
  for (unsigned i = 0; i < count; ++i) {
    ++child;
    if (done.named) {
      while (!done.concerns(child)) ++child;
    } else {
      while (threads_[child].at != model_thread::state::unused ||
             graph_.thread(child).length() != 0)
        ++child;
      graph_.begin_thread(child, id);
      threads_.set_creator(child, id);
    }
    ids[i] = child;
    trace_.forget_allocation(arguments[i]);
    thread_runner_.start(child, entry, arguments[i], where);
  }
  graph_.name_children(id);
  if (self == 0) {
    const engine_scope scope;
    symmetry_.created(ids, count);
  }
  scheduler_.reschedule();
}

void event_requests::join(const unsigned* ids, unsigned count, source_location where) {
  fibers_.apart([&] {
    event e;
    e.kind = event_kind::join;
    for (unsigned i = 0; i < count; ++i) e.partners |= std::uint64_t{1} << ids[i];
    performer_.perform(e, where);
  });
}

}  // namespace fencepost::verify
