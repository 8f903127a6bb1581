#include "polling_programs.hpp"

#include "polling_loops.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using plain = checked::plain<int>;
using mutex = checked::mutex;

// The sender: a receiver that finds `done` set, under the mutex, may read the message.
void send(mutex& m, plain& data, plain& done) {
  data.set(1);
  const std::lock_guard lock(m);
  done.set(1);
}

auto counting(integer& count, integer& done) {
  return [&] {
    count.fetch_add(1, release);
    const bool is_done = done.load(relaxed) == 1;
    count.fetch_sub(1, release);
    return is_done;
  };
}

template <class By>
struct programs {
  static void message() {
    mutex m;
    plain done{0}, data{0};
    concurrently([&] { send(m, data, done); },
                 [&] {
                   By::until(under(m, [&] { return done.get() == 1; }));
                   outcome(data.get());
                 });
  }
  static void atomic_message() {
    mutex m;
    integer done{0}, data{0};
    int seen = 0, before = 0;
    concurrently(
        [&] {
          data.store(1, relaxed);
          const std::lock_guard lock(m);
          data.store(2, relaxed);
          done.store(1, relaxed);
        },
        [&] {
          before = data.load(relaxed);
          By::until(under(m, [&] { return done.load(relaxed) == 1; }));
          seen = data.load(relaxed);
        });
    outcome(before, seen);
  }
  // Another thread takes the mutex meanwhile, more than once.
  static void among_others() {
    mutex m;
    plain done{0}, count{0};
    int seen = 0;
    concurrently(
        [&] {
          for (int i = 0; i < 2; ++i) {
            const std::lock_guard lock(m);
            seen = seen * 10 + count.get();
            count.set(count.get() + 1);
          }
        },
        [&] {
          const std::lock_guard lock(m);
          count.set(count.get() + 5);
          done.set(1);
        },
        [&] {
          int last = 0;
          By::until(under(m, [&] {
            last = count.get();
            return done.get() == 1;
          }));
          outcome(last);
        });
    outcome(seen, count.get());
  }
  static void two_pollers() {
    mutex m;
    plain stage{0};
    int order = 0;
    const auto step = [&](int from) {
      By::until(under(m, [&, from] {
        if (stage.get() < from) return false;
        order = order * 10 + from;
        stage.set(stage.get() + 1);
        return true;
      }));
    };
    concurrently([&] { step(0); }, [&] { step(1); }, [&] { step(1); });
    outcome(order);
  }
  static void nested() {
    mutex a, b;
    plain done{0};
    integer x{0};
    int seen = 0;
    concurrently(
        [&] {
          x.store(1, relaxed);
          const std::lock_guard outer(a);
          x.store(2, relaxed);
          const std::lock_guard inner(b);
          done.set(1);
        },
        [&] {
          By::until([&] {
            const std::lock_guard outer(a);
            const std::lock_guard inner(b);
            return done.get() == 1;
          });
        },
        [&] { seen = x.load(relaxed); });
    outcome(seen);
  }
  // The other thread writes to the stack of the thread that polls.
  static void in_its_own_stack() {
    mutex m;
    plain done{0}, data{0};
    checked::thread other([&] { send(m, data, done); });
    By::until(under(m, [&] { return done.get() == 1; }));
    outcome(data.get());
    other.join();
  }
  static void two_in_sequence() {
    mutex a, b;
    integer x{0}, y{0};
    int seen = 0;
    concurrently(
        [&] {
          {
            const std::lock_guard lock(a);
            x.store(1, relaxed);
          }
          const std::lock_guard lock(b);
          y.store(1, relaxed);
        },
        [&] {
          By::until([&] {
            const bool first = under(a, [&] { return x.load(relaxed) == 1; })();
            const bool second = under(b, [&] { return y.load(relaxed) == 1; })();
            seen = 2 * first + second;
            return first || second;
          });
        });
    outcome(seen);
  }
  // Store buffering in which the polling thread's fence is in the turns of its loop.
  static void store_buffering() {
    mutex m;
    integer x{0}, y{0}, done{0};
    int seen[2] = {};
    concurrently(
        [&] {
          x.store(1, relaxed);
          checked::fence(seq_cst);
          seen[0] = y.load(relaxed);
          const std::lock_guard lock(m);
          done.store(1, relaxed);
        },
        [&] {
          y.store(1, relaxed);
          By::until([&] {
            checked::fence(seq_cst);
            return under(m, [&] { return done.load(relaxed) == 1; })();
          });
          seen[1] = x.load(relaxed);
        },
        [&] {
          const std::lock_guard lock(m);
          y.store(2, relaxed);
        });
    outcome(seen[0], seen[1], y.load(relaxed));
  }
  // No other thread tries the mutex.
  static void tries() {
    mutex m;
    plain done{0}, data{0};
    int seen = 0;
    concurrently([&] { send(m, data, done); },
                 [&] {
                   By::until([&] {
                     if (!m.try_lock()) return false;
                     const std::lock_guard lock(m, std::adopt_lock);
                     return done.get() == 1;
                   });
                   seen = data.get();
                 });
    outcome(seen);
  }
  // The try_lock() of the polling thread before its loop sees other threads, not the thread itself.
  static void after_a_try() {
    mutex m;
    plain done{0};
    bool free = false;
    concurrently(
        [&] {
          const std::lock_guard lock(m);
          done.set(1);
        },
        [&] {
          free = m.try_lock();
          if (free) m.unlock();
          By::until(under(m, [&] { return done.get() == 1; }));
        });
    outcome(free);
  }
  template <class Lock>
  static void under_a_spinlock() {
    Lock m;
    plain items{0};
    int sum = 0;
    concurrently(
        [&] {
          const std::lock_guard lock(m);
          items.set(items.get() + 1);
        },
        [&] {
          By::until(under(m, [&] {
            sum = items.get();
            return sum > 0;
          }));
        },
        [&] {
          const std::lock_guard lock(m);
          if (items.get() > 0) items.set(5);
        });
    outcome(sum, items.get());
  }
  // In each turn a number grows, and shrinks again. The other thread may find it in the middle, and
  // changes it: that is the only way to notice a turn.
  static void counts() {
    integer count{0}, done{0};
    int seen = 0;
    concurrently(
        [&] {
          seen = count.fetch_add(10, relaxed);
          done.store(1, relaxed);
        },
        [&] { By::until(counting(count, done)); });
    outcome(seen, count.load(relaxed));
  }
  // What precedes the loop is published by the turn that the other thread has noticed.
  static void counts_and_publishes() {
    integer count{0}, done{0}, x{0};
    int seen = 0, before = 0;
    concurrently(
        [&] {
          before = count.fetch_add(10, acquire);
          seen = x.load(relaxed);
          done.store(1, relaxed);
        },
        [&] {
          x.store(1, relaxed);
          By::until(counting(count, done));
        });
    outcome(before, seen);
  }
  // The thread takes a reference in each turn, as std::weak_ptr::lock() does, and drops it.
  static void takes_references() {
    integer references{1};
    int last = 0;
    const auto drop = [&](int thread) {
      if (references.fetch_sub(1, acq_rel) == 1) last = thread;
    };
    concurrently([&] { drop(1); },
                 [&] {
                   By::until([&] {
                     int n = references.load(relaxed);
                     while (n != 0 && !references.compare_exchange_strong(n, n + 1, relaxed)) {
                     }
                     if (n == 0) return true;
                     drop(2);
                     return false;
                   });
                 });
    outcome(last);
  }
  static void before_a_second_loop() {
    mutex m;
    plain done{0}, again{0};
    concurrently(
        [&] {
          {
            const std::lock_guard lock(m);
            done.set(1);
          }
          By::until(under(m, [&] { return again.get() == 1; }));
          outcome(1);
        },
        [&] {
          By::until(under(m, [&] { return done.get() == 1; }));
          const std::lock_guard lock(m);
          again.set(1);
        });
  }
  static void as_readers() {
    as_reader m;
    plain done{0}, data{0};
    integer x{0};
    int seen[2] = {};
    const auto poll = [&](int& saw) {
      By::until(under(m, [&] { return done.get() == 1; }));
      saw = 10 * data.get() + x.load(relaxed);
    };
    concurrently(
        [&] {
          data.set(1);
          x.store(1, relaxed);
          {
            const std::lock_guard lock(m.of());
            done.set(1);
          }
          x.store(2, relaxed);
        },
        [&] { poll(seen[0]); }, [&] { poll(seen[1]); });
    outcome(seen[0], seen[1]);
  }
  // Another reader, which synchronizes with the reader that polls.
  static void beside_a_reader() {
    as_reader m;
    integer x{0}, done{0};
    int seen[2] = {};
    concurrently(
        [&] {
          x.store(1, relaxed);
          const std::lock_guard lock(m.of());
          done.store(1, relaxed);
        },
        [&] {
          x.store(2, relaxed);
          By::until(under(m, [&] { return done.load(relaxed) == 1; }));
          seen[0] = x.load(relaxed);
        },
        [&] {
          seen[1] = under(m, [&] { return x.load(relaxed); })();
          { const std::lock_guard lock(m.of()); }
          seen[1] = 10 * seen[1] + x.load(relaxed);
        });
    outcome(seen[0], seen[1], x.load(relaxed));
  }
  // What the lock orders is what coherence orders, unless there are fences.
  static void under_a_relaxed_lock() {
    with_a_relaxed_lock([] {});
  }
  static void under_a_relaxed_lock_with_fences() {
    with_a_relaxed_lock([] { checked::fence(acq_rel); });
  }
  template <class Fence>
  static void with_a_relaxed_lock(Fence fence) {
    relaxed_lock m;
    integer x{0}, y{0}, done{0};
    int seen[2] = {};
    concurrently(
        [&] {
          x.store(1, relaxed);
          const std::lock_guard lock(m);
          fence();
          y.store(1, relaxed);
          done.store(1, relaxed);
        },
        [&] {
          By::until([&] {
            const std::lock_guard lock(m);
            fence();
            return done.load(relaxed) == 1;
          });
          seen[0] = x.load(relaxed);
        },
        [&] {
          const std::lock_guard lock(m);
          seen[1] = 10 * y.load(relaxed);
          fence();
          seen[1] += x.load(relaxed);
        });
    outcome(seen[0], seen[1]);
  }
};

template <class By>
std::vector<known_program> all() {
  using p = programs<By>;
  return {{"message", 0, p::message},
          {"atomic_message", 0, p::atomic_message},
          {"among_others", 0, p::among_others},
          {"two_pollers", 0, p::two_pollers},
          {"nested", 0, p::nested},
          {"in_its_own_stack", 0, p::in_its_own_stack},
          {"two_in_sequence", 0, p::two_in_sequence},
          {"store_buffering", 0, p::store_buffering},
          {"tries", 0, p::tries},
          {"after_a_try", 0, p::after_a_try},
          {"as_readers", 0, p::as_readers},
          {"beside_a_reader", 0, p::beside_a_reader},
          {"under_a_relaxed_lock", 0, p::under_a_relaxed_lock},
          {"under_a_relaxed_lock_with_fences", 0, p::under_a_relaxed_lock_with_fences},
          {"under_a_spinlock", 0, p::template under_a_spinlock<spinlock>},
          {"under_a_tested_spinlock", 0, p::template under_a_spinlock<tested_spinlock>},
          {"counts", 0, p::counts},
          {"counts_and_publishes", 0, p::counts_and_publishes},
          {"takes_references", 0, p::takes_references},
          {"before_a_second_loop", 0, p::before_a_second_loop}};
}

}  // namespace

std::vector<known_program> polling_programs() { return all<by_polling>(); }
std::vector<known_program> polling_programs_of_two_turns() { return all<in_turns<2>>(); }
std::vector<known_program> polling_programs_of_three_turns() { return all<in_turns<3>>(); }

}  // namespace fencepost::verify::testing
