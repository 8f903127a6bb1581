// Programs of known count that wait: for locks, and in loops that end after some turns.
#include <mutex>

#include "known_counts.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

using integer = checked::atomic<int>;

// Waits for a value other than 0, and writes 0 in each turn in vain.
[[gnu::noinline]] void wait_and_write(const integer& x, volatile char& zero) {
  for (;;) {
    if (x.load(relaxed) != 0) return;
    zero = 0;
  }
}
// The same in a deep frame, most of which is not written.
[[gnu::noinline]] void wait_in_a_deep_frame(const integer& x) {
  volatile char frame[1200];
  wait_and_write(x, frame[200]);
}
// The same, but only if another value is small.
[[gnu::noinline]] void wait_at_times_in_a_deep_frame(const integer& x, const integer& other) {
  volatile char frame[1200];
  if (other.load(relaxed) < 3) wait_and_write(x, frame[200]);
}
[[gnu::noinline]] void leave_ones_on_the_stack() {
  volatile char frame[2000];
  for (volatile char& byte : frame) byte = 1;
}

// A thread reads a value from 0 to this. It waits in a deep frame if the value is `deep`, and in
// another frame otherwise.
constexpr int last_value = 20;
enum class deep_wait : std::uint8_t { each_time, at_times, fails };
void wait_in_some_frame(int deep, deep_wait how) {
  integer x{0}, y{0}, other{0};
  const auto add = [&] {
    for (int i = 0; i < 3; ++i) other.fetch_add(1, relaxed);
  };
  concurrently(
      [&] {
        for (int value = 1; value <= last_value; ++value) y.store(value, relaxed);
        x.store(1, relaxed);
      },
      add, add,
      [&] {
        volatile char zero = 0;
        if (y.load(relaxed) != deep) {
          wait_and_write(x, zero);
          leave_ones_on_the_stack();
        } else if (how == deep_wait::at_times) {
          wait_at_times_in_a_deep_frame(x, other);
        } else {
          wait_in_a_deep_frame(x);
          if (how == deep_wait::fails) require(other.load(relaxed) != 2);
        }
      });
}

// Returns the graphs that an exploration visits, in order, then its number of blocked runs.
std::vector<std::uint64_t> met(std::uint64_t samples, const std::function<void()>& body) {
  options o;
  std::vector<std::uint64_t> all;
  o.samples = samples;
  o.on_restart = [&] { all.clear(); };
  o.on_graph = [&](std::uint64_t graph) { all.push_back(graph); };
  const result r = check(o, body);
  all.push_back(r.blocked);
  return all;
}

}  // namespace

void locks(std::vector<known_program>& all) {
  for (unsigned n = 2; n <= 5; ++n) {
    all.push_back({numbered("ticket lock, threads", n), factorial(n), [n] {
                     integer next{0}, serving{0};
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       const int ticket = next.fetch_add(1, relaxed);
                       while (serving.load(acquire) != ticket) checked::spin_pause();
                       inside.set(inside.get() + 1);
                       serving.store(ticket + 1, release);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
    all.push_back({numbered("mutex, threads", n), factorial(n), [n] {
                     checked::mutex m;
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       const std::lock_guard lock(m);
                       inside.set(inside.get() + 1);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
  }
  for (unsigned n = 2; n <= 4; ++n) {
    // Each exchange that succeeds reads the preceding unlock; spinning leaves no other trace.
    all.push_back({numbered("test-and-test-and-set lock, threads", n), 0, [n] {
                     integer held{0};
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       for (;;) {
                         while (held.load(relaxed) != 0) checked::spin_pause();
                         if (held.exchange(1, acquire) == 0) break;
                       }
                       inside.set(inside.get() + 1);
                       held.store(0, release);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
  }
}

// Loops that end after three turns at the latest: none, one, two or three of these are in vain.
// Also a loop that waits forever if its first turn is not distinguished from what comes before it.
void loops_that_count(std::vector<known_program>& all) {
  const auto add = [&](const char* name, auto count) {
    all.push_back({std::string("a loop that counts ") + name, 4, [count] {
                     integer x{0};
                     int of_main = 0;
                     const auto on_heap = std::make_unique<int>(0);
                     concurrently([&] { x.store(1, relaxed); },
                                  [&] {
                                    int in_register = 0;
                                    volatile int on_stack = 0;
                                    while (x.load(relaxed) == 0 &&
                                           count(in_register, on_stack, of_main, *on_heap) < 3) {
                                    }
                                  });
                   }});
  };
  add("in a register", [](int& i, volatile int&, int&, int&) { return ++i; });
  add("on its stack", [](int&, volatile int& i, int&, int&) {
    i = i + 1;
    return int{i};
  });
  add("on another stack", [](int&, volatile int&, int& i, int&) { return ++i; });
  add("on the heap", [](int&, volatile int&, int&, int& i) { return ++i; });
  all.push_back({"a loop behind a read", 2, [] {
                   integer x{0}, own{0};
                   concurrently([&] { x.store(1, relaxed); },
                                [&] {
                                  int c = x.load(relaxed);
                                  own.store(1, relaxed);
                                  while (c == 0) c = x.load(relaxed);
                                });
                 }});
  all.push_back({"a loop that takes turns", 1, [] {
                   integer x{0}, y{0};
                   concurrently([&] { x.store(1, relaxed); },
                                [&] {
                                  while (x.load(relaxed) == 0) {
                                  }
                                  y.store(1, relaxed);
                                },
                                [&] {
                                  while (y.load(relaxed) == 0) {
                                  }
                                });
                 }});
}

// The loop in the deep frame is deeper in the stack than any before it. Its turns are idle from the
// first one on, unless what earlier runs have left there differs from what its turns write.
void loops_in_deep_frames(std::vector<known_program>& all) {
  for (const int deep : {0, 1, last_value}) {
    const auto n = static_cast<unsigned>(deep);
    all.push_back({numbered("a loop in a deep frame, having read", n),
                   (last_value + 1) * choose(6, 3),
                   [deep] { wait_in_some_frame(deep, deep_wait::each_time); }});
    all.push_back({numbered("a loop at times in a deep frame, having read", n),
                   (last_value + 7) * choose(6, 3),
                   [deep] { wait_in_some_frame(deep, deep_wait::at_times); }});
  }
}

std::string wrong_order_in_deep_frames() {
  constexpr int none = last_value + 1;
  for (const std::uint64_t samples : {0U, 200U}) {
    const auto met_where = [&](int deep) {
      return met(samples, [&] { wait_in_some_frame(deep, deep_wait::each_time); });
    };
    if (met_where(0) != met_where(none) || met_where(last_value) != met_where(none))
      return "what is met depends on how deep the frame is in which a thread waits";
  }
  return "";
}

std::string wrong_replay_of_deep_frames() {
  for (const int deep : {0, last_value}) {
    const auto fails = [deep] { wait_in_some_frame(deep, deep_wait::fails); };
    options o;
    o.resume_points = true;
    const result first = check(o, fails);
    if (!first.violation) return "nothing is wrong";
    o.replay = first.violation->path;
    const result again = check(o, fails);
    if (!again.violation) return o.replay + ": " + again.limit;
    if (to_text(*again.violation) != to_text(*first.violation)) return "another violation";
  }
  return "";
}

}  // namespace fencepost::verify::testing
