// The operations by which threads wait and are woken, for the audit.
#include "fencepost/sync/barrier.hpp"
#include "fencepost/sync/completion.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/event_count.hpp"
#include "fencepost/sync/frame_handshake.hpp"
#include "fencepost/sync/rundown.hpp"
#include "fencepost/sync/wake_flag.hpp"
#include "fencepost/sync/worker_sleep.hpp"

namespace {
using core_latch = fencepost::core_latch<>;
using event_count = fencepost::event_count<>;
using barrier = fencepost::barrier<>;
using store_load_barrier =
    fencepost::barrier<fencepost::std_atomics, fencepost::barrier_options{.store_load = true}>;
using rundown = fencepost::rundown<>;
using completion = fencepost::completion<>;
using wake_flag = fencepost::wake_flag<>;
using worker_sleep = fencepost::worker_sleep<>;
using handshake = fencepost::frame_handshake<long>;
}  // namespace

extern "C" {
bool op_core_latch__probe(const core_latch& l) { return l.probe(); }
bool op_core_latch__set(core_latch& l) { return l.set(); }
bool op_core_latch__get_sleepy(core_latch& l) { return l.get_sleepy(); }
bool op_core_latch__fall_asleep(core_latch& l) { return l.fall_asleep(); }
void op_core_latch__wake_up(core_latch& l) { l.wake_up(); }

void op_event_count__notify_one(event_count& e) { e.notify_one(); }
std::uint32_t op_event_count__prepare_wait(event_count& e) { return e.prepare_wait().sequence; }
void op_event_count__cancel_wait(event_count& e) { e.cancel_wait(); }
bool op_event_count__wait(event_count& e, event_count::ticket seen) { return e.wait(seen); }

bool op_barrier__wait(barrier& b) { return b.wait(); }
bool op_barrier__wait_store_load(store_load_barrier& b) { return b.wait(); }
void op_barrier__destroy(barrier& b) { b.~barrier(); }

bool op_rundown__try_enter(rundown& g) { return g.try_enter(); }
void op_rundown__leave(rundown& g) { g.leave(); }
void op_rundown__close(rundown& g) { g.close(); }

void op_completion__complete(completion& c) { c.complete(); }
void op_completion__done(const completion& c, void (*then)()) {
  if (c.done()) then();
}
void op_completion__wait(completion& c) { c.wait(); }

void op_wake_flag__prepare_sleep(wake_flag& w) { w.prepare_sleep(); }
void op_wake_flag__awake(wake_flag& w) { w.awake(); }
bool op_wake_flag__claim(wake_flag& w) { return w.claim(); }

void op_worker_sleep__new_jobs(worker_sleep& s) { s.new_jobs(1, true); }
void op_worker_sleep__new_jobs_unfenced(worker_sleep& s) { s.new_jobs_unfenced(1, true); }
void op_worker_sleep__start_looking(worker_sleep& s, void (*then)(worker_sleep::idle_worker)) {
  then(s.start_looking(0));
}
void op_worker_sleep__work_found(worker_sleep& s) { s.work_found(); }
void op_worker_sleep__no_work_found(worker_sleep& s, worker_sleep::idle_worker& idle,
                                    core_latch& latch) {
  s.no_work_found(idle, latch, []() noexcept { return false; });
}
void op_worker_sleep__set_latch(worker_sleep& s, core_latch& latch) { s.set_latch(latch, 0); }
void op_worker_sleep__stop(worker_sleep& s) { s.stop(); }
bool op_worker_sleep__stopping(const worker_sleep& s) { return s.stopping(); }

bool op_frame_handshake__poll(handshake& h) {
  return h.poll([](long, fencepost::frame_role) {});
}
void op_frame_handshake__start(handshake& h) {
  h.start(1, [](long, fencepost::frame_role) {});
}
}
