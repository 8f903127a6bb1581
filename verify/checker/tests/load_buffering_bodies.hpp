// Bodies with load buffering, for the tests of it and of the faults planted in it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify::testing {

// The first thread reads a whole word, of which the third thread writes the high half. The second
// thread writes the low half, after a read of what the first thread stores next. Wrong if nothing
// keeps that store behind the read of the word: both halves may then be observed.
inline void read_a_whole_word(std::memory_order keeps) {
  using checked = checked_atomics;
  checked::halves a{0, 0};
  checked::atomic<int> b{0};
  std::uint64_t read = 0;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      read = a.load(std::memory_order_relaxed);
      b.store(1, keeps);
    } else if (index == 1) {
      if (b.load(std::memory_order_acquire) == 1) a.store_low(1, std::memory_order_relaxed);
    } else {
      a.store_high(2, std::memory_order_relaxed);
    }
  });
  require(read != (2ULL << 32U | 1U), "it was read before it was written");
}

// The thread that reads 1 from the future acquires what is written before that 1, so it waits until
// that has been written. Right.
inline void acquire_from_the_future() {
  using checked = checked_atomics;
  checked::atomic<int> a{0}, b{0};
  checked::plain<int> data{0};
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      const int read = a.load(std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
      checked::fence(std::memory_order_acquire);
      if (read == 1) require(data.get() == 2);
    } else if (b.load(std::memory_order_relaxed) < 2) {
      data.set(2);
      a.store(1, std::memory_order_release);
    }
  });
  require(data.get() == 2);
}

// The same, but a second load acquires. Right.
inline void acquire_from_the_future_again() {
  using checked = checked_atomics;
  checked::atomic<int> a{0}, b{0};
  checked::plain<int> data{0};
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      a.load(std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
      if (a.load(std::memory_order_acquire) == 1) require(data.get() == 2);
    } else if (b.load(std::memory_order_relaxed) < 2) {
      data.set(2);
      a.store(1, std::memory_order_release);
    }
  });
  require(data.get() == 2);
}

// The third thread acquires by way of the first one, which has read from the future, and ends the
// object that the second one has used. Right if the second one releases, wrong otherwise.
inline void end_by_way_of_another_thread(std::memory_order writes) {
  using checked = checked_atomics;
  checked::atomic<int> a{0}, b{0};
  auto* const object = new checked::atomic<int>(0);
  bool ended = false;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
    } else if (index == 1) {
      object->store(1, std::memory_order_relaxed);
      if (b.load(std::memory_order_relaxed) == 1) a.store(1, writes);
    } else if (a.load(std::memory_order_acquire) == 2) {
      delete object;
      ended = true;
    }
  });
  if (!ended) delete object;
}

// As above, but nobody uses the object, or a bystander does, for which the end does not wait. Only
// load buffering lets it end before all threads are joined. Right without a use, wrong with one.
enum class bystander { none, stores, notifies };

inline void end_what_is_used(bystander does, std::memory_order writes, bool gives_up = false) {
  using checked = checked_atomics;
  checked::atomic<int> a{0}, b{0};
  auto* const object = new checked::atomic<int>(0);
  bool ended = false;
  run_threads(4, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
    } else if (index == 1) {
      if (b.load(std::memory_order_relaxed) == 1) a.store(1, writes);
    } else if (index == 2) {
      if (does == bystander::stores) object->store(1, std::memory_order_relaxed);
      if (does == bystander::notifies) object->notify_all();
    } else if (a.load(std::memory_order_acquire) == 2) {
      delete object;
      ended = true;
      if (gives_up) engine::current()->give_up();
    }
  });
  if (!ended) delete object;
}

// The third thread uses the object that the second one has made, which it learns of by way of the
// first one, which has read from the future. Wrong if the second one does not release.
inline void use_by_way_of_another_thread(std::memory_order writes) {
  using checked = checked_atomics;
  checked::atomic<int> a{0}, b{0};
  checked::atomic<int>* object = nullptr;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
    } else if (index == 1) {
      object = new checked::atomic<int>(0);
      if (b.load(std::memory_order_relaxed) == 1) a.store(1, writes);
    } else if (a.load(std::memory_order_acquire) == 2) {
      object->store(1, std::memory_order_relaxed);
    }
  });
  delete object;
}

// The third thread ends a mutex that the second one has taken and released. It learns directly that
// the mutex was taken, and the rest by way of the first one, which has read from the future. Right,
// but not everything is explored.
inline void end_a_mutex_by_way_of_another_thread() {
  using checked = checked_atomics;
  checked::atomic<int> a{0}, b{0}, taken{0};
  auto* const object = new checked::mutex;
  bool ended = false;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
    } else if (index == 1) {
      object->lock();
      taken.store(1, std::memory_order_release);
      object->unlock();
      if (b.load(std::memory_order_relaxed) == 1) a.store(1, std::memory_order_release);
    } else if (taken.load(std::memory_order_acquire) == 1 &&
               a.load(std::memory_order_acquire) == 2) {
      delete object;
      ended = true;
    }
  });
  if (!ended) delete object;
}

// One thread reads 1 from the future, and then data that the other one writes before that 1: what
// the reader requires holds if it comes second. Wrong, because of a data race.
inline void require_what_races(unsigned reader, void (*requires_it)(bool)) {
  using checked = checked_atomics;
  checked::plain<int> data{0};
  checked::atomic<int> a{0}, b{0};
  run_threads(2, [&](unsigned index) {
    if (index == reader) {
      if (a.load(std::memory_order_relaxed) == 1) requires_it(data.get() == 2);
      b.store(1, std::memory_order_relaxed);
    } else {
      data.set(2);
      if (b.load(std::memory_order_relaxed) == 1) a.store(1, std::memory_order_relaxed);
    }
  });
}

inline void asserts_that(bool holds) { require(holds); }
inline void crashes_unless(bool holds) {
  if (!holds) std::abort();
}

// The first thread adds 1 to the 1 that it reads from the future, and reads the sum. Wrong.
inline void see_what_was_added_to_the_future() {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
  checked::atomic<int> a{0}, b{0};
  int before = 0, after = 0;
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      before = a.fetch_add(1, relaxed);
      after = a.load(relaxed);
      b.store(1, relaxed);
    } else if (b.load(relaxed) == 1) {
      a.store(1, relaxed);
    }
  });
  require(before != 1 || after != 2);
}

// The second thread loads again what it may have read from the future. The main thread has written
// there before, as both threads know: after the future, nothing as old as that may be read. Right.
inline void look_twice_at_what_the_main_thread_wrote() {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
  checked::atomic<int> a{0}, b{0};
  a.store(1, relaxed);
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      if (b.load(relaxed) == 1) a.store(2, relaxed);
    } else {
      const int first = a.load(relaxed), second = a.load(relaxed);
      b.store(1, relaxed);
      require(first <= second);
    }
  });
}

// Cells that are read, and to which 1 is written.
struct cells {
  static constexpr std::string_view name = "cells";
  struct operation {
    bool writes;
    unsigned at;
  };
  using result = int;
  std::array<int, 2> values{};

  std::vector<possibility<cells>> apply(operation o) const {
    cells next = *this;
    if (o.writes) next.values[o.at] = 1;
    return {{o.writes ? 0 : values[o.at], next}};
  }
  static std::string text(operation o, const result* r) {
    return std::string(o.writes ? "write(" : "read(") + std::to_string(o.at) + ")" +
           (r == nullptr ? "" : " -> " + std::to_string(*r));
  }
  friend auto operator<=>(const cells&, const cells&) = default;
};

// The third thread reads after the second one has written, if it acquires what the second one
// releases, by way of the first one, which has read from the future. Wrong then; right otherwise.
inline void read_by_way_of_another_thread(std::memory_order writes) {
  using checked = checked_atomics;
  checked::atomic<int> a{0}, b{0}, cell{0};
  history<cells> operations{3};
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
    } else if (index == 1) {
      operations.run(index, {true, 0}, [&] {
        cell.store(1, std::memory_order_relaxed);
        return 0;
      });
      if (b.load(std::memory_order_relaxed) == 1) a.store(1, writes);
    } else if (a.load(std::memory_order_acquire) == 2) {
      operations.run(index, {false, 0}, [] { return 0; });
    }
  });
  require_linearizable(operations);
}

// The same, but the first thread reads one half of a word from the future, and the other half from
// the third thread, whose release sequence its exchange continues.
inline void read_by_way_of_a_word(std::memory_order writes) {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
  checked::halves a{0, 0};
  checked::atomic<int> b{0}, cell{0};
  history<cells> operations{4};
  run_threads(4, [&](unsigned index) {
    if (index == 0) {
      std::uint64_t seen = 2ULL << 32U | 1U;
      a.compare_exchange_strong(seen, 3, relaxed, relaxed);
      b.store(1, relaxed);
    } else if (index == 1) {
      if (b.load(relaxed) == 1) a.store_low(1, relaxed);
    } else if (index == 2) {
      operations.run(index, {true, 0}, [&] {
        cell.store(1, relaxed);
        return 0;
      });
      a.store_high(2, writes);
    } else if (a.load(std::memory_order_acquire) == 3) {
      operations.run(index, {false, 0}, [] { return 0; });
    }
  });
  require_linearizable(operations);
}

// Each thread reads the cell that the other one writes afterwards. Wrong if both read 1; right if
// the order of the writes keeps them behind the reads.
inline void read_two_cells(std::memory_order writes) {
  using checked = checked_atomics;
  checked::atomic<int> cell[2] = {0, 0};
  history<cells> operations{2};
  run_threads(2, [&](unsigned index) {
    const unsigned other = 1 - index;
    operations.run(index, {false, other},
                   [&] { return cell[other].load(std::memory_order_relaxed); });
    operations.run(index, {true, index}, [&] {
      cell[index].store(1, writes);
      return 0;
    });
  });
  require_linearizable(operations);
}

// The thread that reads 1 from the future comes to a fence, and still need not see the data: either
// the fence does not acquire, or the write of 1 does not release. Wrong.
inline void see_no_data(std::memory_order writes, std::memory_order fence) {
  using checked = checked_atomics;
  checked::atomic<int> a{0}, b{0}, data{0};
  int from_future = 0, seen = 0;
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      from_future = a.load(std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
      checked::fence(fence);
      seen = data.load(std::memory_order_relaxed);
    } else {
      data.store(1, std::memory_order_relaxed);
      if (b.load(std::memory_order_relaxed) == 1) a.store(1, writes);
    }
  });
  require(from_future == 0 || seen == 1);
}

// A first thread that has read from the future reads data that nobody has written, or that it has
// written itself. Wrong, unless the thread writes the data or the order rules out the future.
inline void read_what_nobody_wrote(std::memory_order order, bool writes) {
  using checked = checked_atomics;
  checked::plain<int> data;
  checked::atomic<int> a{0}, b{0};
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      const int read = a.load(std::memory_order_relaxed);
      b.store(1, order);
      if (read == 1 && writes) data.set(1);
      if (read == 1) static_cast<void>(data.get());
    } else if (b.load(std::memory_order_acquire) == 1) {
      a.store(1, std::memory_order_relaxed);
    }
  });
}

// Two exchanges of a word, whole or not. The first leads to the second, and may read what the
// second writes; but both happen only if the first thread has read 1 from the future. Wrong.
template <class Word, class... Initial>
void exchange_in_a_cycle(Initial... initial) {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
  checked::atomic<int> a{0}, b{0}, c{0};
  Word word{initial...};
  bool second_comes_first = false;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      const int read = a.load(relaxed);
      b.store(1, relaxed);
      if (read != 1) return;
      std::uint64_t seen = 0;
      word.compare_exchange_strong(seen, 1, relaxed, relaxed);
      second_comes_first = seen == 2;
      c.store(1, relaxed);
    } else if (index == 1) {
      if (b.load(relaxed) == 1) a.store(1, relaxed);
    } else if (c.load(relaxed) == 1) {
      std::uint64_t seen = 0;
      word.compare_exchange_strong(seen, 2, relaxed, relaxed);
    }
  });
  require(!second_comes_first, "what comes second was not there before");
}

// The object may be read until the reference to it is dropped. Wrong unless the drop releases.
inline void drop_last_reference(std::memory_order drop) {
  using checked = checked_atomics;
  checked::atomic<int> references{2}, freed{0};
  int read = 0;
  run_threads(2, [&](unsigned index) {
    if (index == 0) read = freed.load(std::memory_order_relaxed);
    if (references.fetch_sub(1, drop) == 1 && index == 1) {
      checked::fence(std::memory_order_acquire);
      freed.store(1, std::memory_order_relaxed);
    }
  });
  require(read == 0, "the object was there");
}

// One thread reads a half of a word from the future; the other one then writes the whole word, 1
// and 2. Wrong: the read may observe either half of that write.
inline void look_at_half_of_a_word(int half) {
  using checked = checked_atomics;
  checked::halves a{0, 0};
  checked::atomic<int> b{0};
  std::uint32_t read = 0;
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      read = half == 1 ? a.load_low(std::memory_order_relaxed)
                       : a.load_high(std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
    } else if (b.load(std::memory_order_relaxed) == 1) {
      a.store(2ULL << 32U | 1U, std::memory_order_relaxed);
    }
  });
  require(read != static_cast<std::uint32_t>(half), "it was read before it was written");
}

// Before the load that reads from the future, a thread reads a whole word, of which two threads
// write a half each. Wrong.
inline void read_a_word_that_comes_by_halves() {
  using checked = checked_atomics;
  checked::halves a{0, 0};
  checked::atomic<int> b{0}, c{0};
  int read = 0;
  run_threads(4, [&](unsigned index) {
    if (index == 0) {
      a.store_low(1, std::memory_order_relaxed);
    } else if (index == 1) {
      const std::uint64_t whole = a.load(std::memory_order_relaxed);
      read = b.load(std::memory_order_relaxed);
      if (whole == (1ULL << 32U | 1U)) c.store(1, std::memory_order_relaxed);
    } else if (index == 2) {
      if (c.load(std::memory_order_relaxed) == 1) b.store(1, std::memory_order_relaxed);
    } else {
      a.store_high(1, std::memory_order_relaxed);
    }
  });
  require(read == 0, "it was read before it was written");
}

// The second thread reads 2 from the future, and then 3, which the fourth one stores. The fourth
// one comes last in the run, since its first event is a read. Until then, the second load can only
// read 1, which coherence forbids after the 2: what seems to be wrong is not, and the fourth thread
// must continue. Wrong.
enum class fails { where_it_is_read, where_it_is_told, as_a_test_framework, by_abort, by_misuse };

inline void read_what_is_stored_last(fails how) {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
  checked::atomic<int> a{0}, b{0}, told{0}, late{0};
  run_threads(4, [&](unsigned index) {
    if (index == 0) {
      a.store(1, relaxed);
    } else if (index == 1) {
      const int first = a.load(relaxed);
      const int second = a.load(relaxed);
      b.store(1, relaxed);
      const bool both = first == 2 && second != 2;
      if (how == fails::where_it_is_read)
        require(!both, "2 is read where nothing has stored it");
      else if (both)
        told.store(1, relaxed);
    } else if (index == 2) {
      if (b.load(relaxed) != 1) return;
      a.fetch_add(1, relaxed);
      const bool wrong = told.load(relaxed) == 1;
      if (how == fails::where_it_is_told) require(!wrong, "2 is read where nothing has stored it");
      if (how == fails::as_a_test_framework && wrong)
        engine::current()->fail_later(violation::assertion, "2 is read", __FILE__, __LINE__);
      if (how == fails::by_abort && wrong) std::abort();
      if (how == fails::by_misuse && wrong) checked::mutex{}.unlock();
    } else {
      late.load(relaxed);
      a.store(3, relaxed);
    }
  });
}

// Two threads take the free mutex. The first may not read what the second writes, since it would
// wait. No load-buffering race.
inline void take_a_mutex() {
  using checked = checked_atomics;
  checked::mutex mutex;
  checked::atomic<int> a{0};
  run_threads(2, [&](unsigned index) {
    if (index == 1) a.load(std::memory_order_relaxed);
    mutex.lock();
    if (index == 0) a.store(1, std::memory_order_relaxed);
    mutex.unlock();
  });
}

// The thread that may read 1 from the future waits, reads that location again in each turn, and
// then acquires what the other thread has released: the turns that are left out leave nothing
// behind. Right.
inline void look_again_while_waiting(std::memory_order wait, std::memory_order fence) {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
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
      flag.store(1, std::memory_order_release);
    }
  });
  require(data.get() == 2);
}

// The thread that may read 1 from the future reads data in the turns of a loop, none of which comes
// after the loop, when the other thread writes the data. Right.
inline void read_data_before_it_is_released() {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
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
      go.store(1, std::memory_order_release);
    } else {
      b.load(relaxed);
      a.store(1, relaxed);
      flag.store(1, relaxed);
      if (go.load(std::memory_order_acquire) == 1) data.set(1);
    }
  });
}

// The first thread reads 1 from the future in the first turn of its loop, which may or may not be
// the last. What it reads in a turn that is left out, it need not read later. Wrong.
inline void read_from_the_future_in_the_last_turn() {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
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

// A turn of a loop: it leaves nothing of its own in the caller's frame, and clear_stack() clears
// what it has left below that. So the first turn begins as the others do, however it is compiled.
[[gnu::noinline]] inline void read_both(const checked_atomics::plain<int>& data,
                                        const checked_atomics::atomic<int>& other) {
  static_cast<void>(data.get());
  other.load(std::memory_order_relaxed);
}
[[gnu::noinline]] inline void clear_stack() {
  volatile char bytes[1024];
  for (volatile char& b : bytes) b = 0;
}

// The thread that has read 1 from the future reads data in each turn of a loop, all of which are
// left out; another thread writes the data when the loop is over. Wrong.
inline void read_data_while_waiting() {
  using checked = checked_atomics;
  constexpr auto relaxed = std::memory_order_relaxed;
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
