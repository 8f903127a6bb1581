// A command line with made-up scenarios for real threads: every kind of result, and some that
// misbehave.
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "fencepost/models/litmus_shapes.hpp"
#include "fencepost/stress/stress_atomics.hpp"
#include "fencepost/stress/subject.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {
namespace {

using stress::stress_atomics;

struct holds {
  static constexpr auto about =
      scenario{.name = "sample/holds", .threads = 2, .claim = "Each thread comes once."};
  stress_atomics::atomic<int> came{0};
  void thread(unsigned) { came.fetch_add(1, std::memory_order_relaxed); }
  void after() { require(came.load(std::memory_order_relaxed) == 2, "all come"); }
};

struct breaks {
  static constexpr auto about =
      scenario{.name = "bad/breaks", .threads = 2, .claim = "Nothing happens."};
  void thread(unsigned) {}
  void after() { require(false, "something <happens>"); }
};

constexpr known_outcome known[] = {{"1", expect::forbidden, "must not be"},
                                   {"2", expect::interesting, "never seen"}};
struct forbidden {
  static constexpr auto about = scenario{.name = "bad/forbidden", .threads = 1, .outcomes = known};
  void thread(unsigned) {}
  void after() { outcome(1); }
};

constexpr known_outcome only_two[] = {{"2"}};
struct unknown {
  static constexpr auto about =
      scenario{.name = "bad/unknown_outcome", .threads = 1, .outcomes = only_two};
  void thread(unsigned) {}
  void after() { outcome(1); }
};

struct hangs {
  static constexpr auto about = scenario{.name = "bad/hangs", .threads = 2};
  void thread(unsigned) { std::this_thread::sleep_for(std::chrono::hours(1)); }
};

struct crashes {
  static constexpr auto about = scenario{.name = "bad/crashes", .threads = 2};
  void thread(unsigned) { std::raise(SIGSEGV); }
};

struct fault_seen {
  static constexpr auto about =
      scenario{.name = "fault/seen", .threads = 2, .expected = violation::assertion};
  void thread(unsigned) {}
  void after() { require(false, "as it must be"); }
};

struct fault_not_seen {
  static constexpr auto about =
      scenario{.name = "fault/not_seen", .threads = 2, .expected = violation::data_race};
  void thread(unsigned) {}
};

}  // namespace

std::vector<entry> registry() {
  std::vector<entry> all;
  const auto add = [&]<class S> {
    all.push_back({S::about, [](const verify::options&) { return verify::result{}; }});
    static const stress::subject on_threads = stress::subject_of<S>();
    all.back().on_threads = &on_threads;
  };
  add.operator()<holds>();
  add.operator()<breaks>();
  add.operator()<forbidden>();
  add.operator()<unknown>();
  add.operator()<hangs>();
  add.operator()<crashes>();
  add.operator()<fault_seen>();
  add.operator()<fault_not_seen>();
  add.operator()<models::litmus_shapes::sb<stress_atomics>>();
  add.operator()<models::litmus_shapes::mp<stress_atomics>>();
  add.operator()<models::litmus_shapes::lb<stress_atomics>>();
  add.operator()<models::litmus_shapes::sb_accesses<stress_atomics>>();
  return all;
}

}  // namespace fencepost::cli
