// The operations of the queues, for the audit of the generated code.
#include <utility>

#include "fencepost/queue/external_slots.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/queue/ticket_queue.hpp"

namespace {
using slab_queue = fencepost::slab_queue<long>;
using ticket_queue = fencepost::ticket_queue<long>;
struct job : fencepost::injector_link<job> {};
using injector = fencepost::injector<job>;
using external_slots = fencepost::external_slots<job>;
}  // namespace

extern "C" {
bool op_slab_queue__push(slab_queue& q, long item) { return q.try_push(std::move(item)); }
long op_slab_queue__pop(slab_queue& q) { return q.pop().value_or(0); }
bool op_slab_queue__empty(slab_queue& q) { return q.empty(); }

bool op_ticket_queue__push(ticket_queue& q, long item) { return q.try_push(std::move(item)); }
long op_ticket_queue__pop(ticket_queue& q) { return q.pop().value_or(0); }
bool op_ticket_queue__ready(ticket_queue& q) { return q.ready(); }
bool op_ticket_queue__empty(ticket_queue& q) { return q.empty(); }

bool op_injector__push(injector& q, job& j) { return q.push(j); }
job* op_injector__try_pop(injector& q) { return q.try_pop().job; }
job* op_injector__pop(injector& q) { return q.pop(); }
job* op_injector__take_all(injector& q) { return q.take_all().pop(); }
bool op_injector__empty(injector& q) { return q.empty(); }

bool op_external_slots__try_submit(external_slots& t, job& j) { return t.try_submit(j); }
job* op_external_slots__take(external_slots& t, std::uint32_t begin) { return t.take(begin); }
bool op_external_slots__any(external_slots& t) { return t.any(); }
}
