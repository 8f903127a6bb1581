// Bodies with load buffering in which objects begin or end, and are used.
#pragma once

#include "fencepost/verify/engine.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

// The first thread reads from the future, and the third thread acquires through it, and then
// destroys the object that the second thread has used. Correct if the second thread releases,
// wrong otherwise.
inline void end_by_way_of_another_thread(std::memory_order writes) {
  checked::atomic<int> a{0}, b{0};
  auto* const object = new checked::atomic<int>(0);
  bool ended = false;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, relaxed);
      b.store(1, relaxed);
    } else if (index == 1) {
      object->store(1, relaxed);
      if (b.load(relaxed) == 1) a.store(1, writes);
    } else if (a.load(acquire) == 2) {
      delete object;
      ended = true;
    }
  });
  if (!ended) delete object;
}

// As above, but no thread uses the object, or a bystander does, for which the destruction does not
// wait. Only load buffering lets the object end before all threads are joined. Correct without a
// use, wrong with one.
enum class bystander { none, stores, notifies };

inline void end_what_is_used(bystander does, std::memory_order writes, bool gives_up = false) {
  checked::atomic<int> a{0}, b{0};
  auto* const object = new checked::atomic<int>(0);
  bool ended = false;
  run_threads(4, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, relaxed);
      b.store(1, relaxed);
    } else if (index == 1) {
      if (b.load(relaxed) == 1) a.store(1, writes);
    } else if (index == 2) {
      if (does == bystander::stores) object->store(1, relaxed);
      if (does == bystander::notifies) object->notify_all();
    } else if (a.load(acquire) == 2) {
      delete object;
      ended = true;
      if (gives_up) engine::current()->give_up();
    }
  });
  if (!ended) delete object;
}

// The third thread uses the object that the second thread has created. It learns of the object
// through the first thread, which has read from the future. Wrong if the second thread does not
// release.
inline void use_by_way_of_another_thread(std::memory_order writes) {
  checked::atomic<int> a{0}, b{0};
  checked::atomic<int>* object = nullptr;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, relaxed);
      b.store(1, relaxed);
    } else if (index == 1) {
      object = new checked::atomic<int>(0);
      if (b.load(relaxed) == 1) a.store(1, writes);
    } else if (a.load(acquire) == 2) {
      object->store(1, relaxed);
    }
  });
  delete object;
}

// The third thread destroys a mutex that the second thread has locked and unlocked. It learns of
// the lock() directly, and of the rest through the first thread, which has read from the future.
// Correct, but not everything is explored.
inline void end_a_mutex_by_way_of_another_thread() {
  checked::atomic<int> a{0}, b{0}, taken{0};
  auto* const object = new checked::mutex;
  bool ended = false;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, relaxed);
      b.store(1, relaxed);
    } else if (index == 1) {
      object->lock();
      taken.store(1, release);
      object->unlock();
      if (b.load(relaxed) == 1) a.store(1, release);
    } else if (taken.load(acquire) == 1 && a.load(acquire) == 2) {
      delete object;
      ended = true;
    }
  });
  if (!ended) delete object;
}

}  // namespace fencepost::verify::testing
