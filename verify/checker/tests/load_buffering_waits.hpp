// Bodies with load buffering in which threads wait.
#pragma once

#include "programs.hpp"

namespace fencepost::verify::testing {

// Two threads lock a free mutex. The first one may not read what the second one writes, since it
// would wait. No load-buffering race.
inline void take_a_mutex() {
  checked::mutex mutex;
  checked::atomic<int> a{0};
  run_threads(2, [&](unsigned index) {
    if (index == 1) a.load(relaxed);
    mutex.lock();
    if (index == 0) a.store(1, relaxed);
    mutex.unlock();
  });
}

// The thread that may read 1 from the future reads that location in each turn of a waiting loop,
// and then acquires what the other thread has released. The turns that are left out have no
// effect. Correct.
inline void look_again_while_waiting(std::memory_order wait, std::memory_order fence) {
  checked::atomic<int> a{0}, b{0}, flag{0};
  checked::plain<int> data{0};
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      a.load(relaxed);
      a.store(2, relaxed);
      b.store(1, relaxed);
      while (flag.load(wait) == 0) a.load(relaxed);
      checked::fence(fence);
      data.set(2);
    } else {
      b.load(relaxed);
      a.store(1, relaxed);
      data.set(1);
      flag.store(1, release);
    }
  });
  require(data.get() == 2);
}

// The thread that may read 1 from the future reads data in the turns of a loop. All turns come
// before the end of the loop, after which the other thread writes the data. Correct.
inline void read_data_before_it_is_released() {
  checked::atomic<int> a{0}, b{0}, c{0}, flag{0}, go{0};
  checked::plain<int> data{0};
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      a.load(relaxed);
      b.store(1, relaxed);
      while (flag.load(relaxed) == 0) {
        c.load(relaxed);
        static_cast<void>(data.get());
      }
      go.store(1, release);
    } else {
      b.load(relaxed);
      a.store(1, relaxed);
      flag.store(1, relaxed);
      if (go.load(acquire) == 1) data.set(1);
    }
  });
}

// The first thread reads 1 from the future in the first turn of its loop, which need not be the
// last. A value that it reads in a turn that is left out need not be read later. Wrong.
inline void read_from_the_future_in_the_last_turn() {
  checked::atomic<int> a{0}, b{0}, c{0}, flag{0};
  bool over = false, wrong = false;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      c.load(relaxed);  // so that the first turn finds the stack as a turn leaves it
      for (int turns = 0; !over;) {
        over = flag.load(relaxed) == 1;
        const int read = a.load(relaxed);
        if (over) wrong = read == 1 && turns == 0;
        if (!over && read == 0 && ++turns == 2) return;
        c.load(relaxed);
      }
      b.store(1, relaxed);
    } else if (index == 1) {
      if (b.load(relaxed) == 1) a.store(1, relaxed);
    } else {
      flag.store(1, relaxed);
    }
  });
  require(!wrong, "it was read before it was written");
}

// A turn of a loop. It leaves nothing in the caller's frame, and clear_stack() clears what it has
// left below that frame. So the first turn begins like the others, however it is compiled.
[[gnu::noinline]] inline void read_both(const checked::plain<int>& data,
                                        const checked::atomic<int>& other) {
  static_cast<void>(data.get());
  other.load(relaxed);
}
[[gnu::noinline]] inline void clear_stack() {
  volatile char bytes[1024];
  for (volatile char& b : bytes) b = 0;
}

// The thread that has read 1 from the future reads data in each turn of a loop, and all of these
// turns are left out. Another thread writes the data after the loop. Wrong.
inline void read_data_while_waiting() {
  checked::atomic<int> a{0}, b{0}, c{0}, flag{0}, go{0};
  checked::plain<int> data{0}, own{0};
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      const int read = a.load(relaxed);
      b.store(1, relaxed);
      if (read != 1) return;
      read_both(own, c);
      clear_stack();
      while (flag.load(relaxed) == 0) {
        read_both(data, c);
        clear_stack();
      }
      go.store(1, relaxed);
    } else if (index == 1) {
      if (b.load(relaxed) == 1) a.store(1, relaxed);
      flag.store(1, relaxed);
    } else if (go.load(relaxed) == 1) {
      data.set(1);
    }
  });
}

}  // namespace fencepost::verify::testing
