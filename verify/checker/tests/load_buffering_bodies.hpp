// Bodies with load buffering: what threads may read. A thread reads from the future if it reads
// from a write that comes after the read in program order and reads-from. Each comment says whether
// the body is correct or wrong under xc20.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "fencepost/verify/engine.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

// The first thread reads a whole word and then sets b. The third thread writes the high half, and
// the second thread writes the low half if it reads b. Wrong unless the order keeps the store to b
// behind the read of the word, which may otherwise observe both halves.
inline void read_a_whole_word(std::memory_order keeps) {
  checked::halves a{0, 0};
  checked::atomic<int> b{0};
  std::uint64_t read = 0;
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      read = a.load(relaxed);
      b.store(1, keeps);
    } else if (index == 1) {
      if (b.load(acquire) == 1) a.store_low(1, relaxed);
    } else {
      a.store_high(2, relaxed);
    }
  });
  require(read != (2ULL << 32U | 1U), "it was read before it was written");
}

// The first thread acquires, by a fence, what was written before the 1 that it has read from the
// future: so it waits until that was written. Correct.
inline void acquire_from_the_future() {
  checked::atomic<int> a{0}, b{0};
  checked::plain<int> data{0};
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      const int read = a.load(relaxed);
      b.store(1, relaxed);
      checked::fence(acquire);
      if (read == 1) require(data.get() == 2);
    } else if (b.load(relaxed) < 2) {
      data.set(2);
      a.store(1, release);
    }
  });
  require(data.get() == 2);
}

// As above, but a second load acquires. Correct.
inline void acquire_from_the_future_again() {
  checked::atomic<int> a{0}, b{0};
  checked::plain<int> data{0};
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      a.load(relaxed);
      b.store(1, relaxed);
      if (a.load(acquire) == 1) require(data.get() == 2);
    } else if (b.load(relaxed) < 2) {
      data.set(2);
      a.store(1, release);
    }
  });
  require(data.get() == 2);
}

// The reader reads 1 from the future, and then data that the other thread writes before that 1.
// The requirement holds if the read of the data comes after that write. Wrong, because of a data
// race.
inline void require_what_races(unsigned reader, void (*requires_it)(bool)) {
  checked::plain<int> data{0};
  checked::atomic<int> a{0}, b{0};
  run_threads(2, [&](unsigned index) {
    if (index == reader) {
      if (a.load(relaxed) == 1) requires_it(data.get() == 2);
      b.store(1, relaxed);
    } else {
      data.set(2);
      if (b.load(relaxed) == 1) a.store(1, relaxed);
    }
  });
}

inline void asserts_that(bool holds) { require(holds); }
inline void crashes_unless(bool holds) {
  if (!holds) std::abort();
}

// The first thread adds 1 to the 1 that it reads from the future, and reads the sum. Wrong.
inline void see_what_was_added_to_the_future() {
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

// The second thread loads a location twice, and the first load may read from the future. Both
// threads know an earlier write by the main thread, which the second load may not read after the
// future. Correct.
inline void look_twice_at_what_the_main_thread_wrote() {
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

// The thread that reads 1 from the future executes a fence, and still need not observe the data:
// either the fence does not acquire, or the write of 1 does not release. Wrong.
inline void see_no_data(std::memory_order writes, std::memory_order fence) {
  checked::atomic<int> a{0}, b{0}, data{0};
  int from_future = 0, seen = 0;
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      from_future = a.load(relaxed);
      b.store(1, relaxed);
      checked::fence(fence);
      seen = data.load(relaxed);
    } else {
      data.store(1, relaxed);
      if (b.load(relaxed) == 1) a.store(1, writes);
    }
  });
  require(from_future == 0 || seen == 1);
}

// The first thread reads from the future, and then data that it has written itself, or that no
// thread has written. Wrong, unless the thread writes the data or the order rules out load
// buffering.
inline void read_what_nobody_wrote(std::memory_order order, bool writes) {
  checked::plain<int> data;
  checked::atomic<int> a{0}, b{0};
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      const int read = a.load(relaxed);
      b.store(1, order);
      if (read == 1 && writes) data.set(1);
      if (read == 1) static_cast<void>(data.get());
    } else if (b.load(acquire) == 1) {
      a.store(1, relaxed);
    }
  });
}

// Two exchanges of a word, which may have halves. The first leads to the second, and may read what
// the second writes; but both happen only if the first thread has read 1 from the future. Wrong.
template <class Word, class... Initial>
void exchange_in_a_cycle(Initial... initial) {
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
  checked::atomic<int> references{2}, freed{0};
  int read = 0;
  run_threads(2, [&](unsigned index) {
    if (index == 0) read = freed.load(relaxed);
    if (references.fetch_sub(1, drop) == 1 && index == 1) {
      checked::fence(acquire);
      freed.store(1, relaxed);
    }
  });
  require(read == 0, "the object was there");
}

// The first thread reads half of a word from the future: the second thread then writes the whole
// word, 1 and 2. Wrong: the read may observe its half of that write.
inline void look_at_half_of_a_word(int half) {
  checked::halves a{0, 0};
  checked::atomic<int> b{0};
  std::uint32_t read = 0;
  run_threads(2, [&](unsigned index) {
    if (index == 0) {
      read = half == 1 ? a.load_low(relaxed) : a.load_high(relaxed);
      b.store(1, relaxed);
    } else if (b.load(relaxed) == 1) {
      a.store(2ULL << 32U | 1U, relaxed);
    }
  });
  require(read != static_cast<std::uint32_t>(half), "it was read before it was written");
}

// Before its read from the future, the second thread reads a whole word, whose halves two other
// threads write. Wrong.
inline void read_a_word_that_comes_by_halves() {
  checked::halves a{0, 0};
  checked::atomic<int> b{0}, c{0};
  int read = 0;
  run_threads(4, [&](unsigned index) {
    if (index == 0) {
      a.store_low(1, relaxed);
    } else if (index == 1) {
      const std::uint64_t whole = a.load(relaxed);
      read = b.load(relaxed);
      if (whole == (1ULL << 32U | 1U)) c.store(1, relaxed);
    } else if (index == 2) {
      if (c.load(relaxed) == 1) b.store(1, relaxed);
    } else {
      a.store_high(1, relaxed);
    }
  });
  require(read == 0, "it was read before it was written");
}

// The second thread reads 2 from the future, and then 3, which the fourth thread stores. The
// fourth thread comes last in the run, since its first event is a read. Until then, the second
// load can read only 1, which coherence forbids after the 2: a failure at that point does not
// count yet, and the fourth thread must continue. Wrong, since the second load may then read 3.
enum class fails { where_it_is_read, where_it_is_told, as_a_test_framework, by_abort, by_misuse };

inline void read_what_is_stored_last(fails how) {
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

}  // namespace fencepost::verify::testing
