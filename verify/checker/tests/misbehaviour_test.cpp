// Bodies that go wrong in ways that would take a test program down with them: each ends in a
// violation that says what and where, and the next check works.
#undef NDEBUG  // assert() is one of the ways
#include <array>
#include <cassert>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "fencepost/verify/explored_graph.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

// Values that the optimizer does not know.
volatile int zero = 0;
volatile int* volatile nowhere = nullptr;
volatile int* volatile somewhere = nullptr;

class misbehaviour : public ::testing::Test {
 protected:
  // Expects the violation, reported as it should be, and then that a right program is verified.
  static void expect(violation kind, const std::function<void()>& body, options o = {}) {
    o.name = "the/name/of/the/test";
    const result r = check(o, body);
    ASSERT_EQ(r.outcome, verdict::violated) << to_text(r);
    ASSERT_TRUE(r.violation);
    EXPECT_EQ(to_string(r.violation->kind), to_string(kind)) << to_text(r);
    EXPECT_FALSE(r.violation->message.empty());
    EXPECT_NE(to_text(r).find(r.violation->message.substr(0, 20)), std::string::npos);
    EXPECT_NE(to_text(r).find(o.name), std::string::npos) << to_text(r);
    right_program();
  }
  static void expect_here(violation kind, const std::function<void()>& body, options o = {}) {
    o.name = "the/name/of/the/test";
    const result r = check(o, body);
    ASSERT_TRUE(r.violation) << to_text(r);
    EXPECT_EQ(to_string(r.violation->kind), to_string(kind)) << to_text(r);
    EXPECT_NE(std::string(r.violation->where.file).find("misbehaviour_test.cpp"), std::string::npos)
        << r.violation->where.file << ": not the test's own place";
    right_program();
  }
  // Expects a limit, reported with its place: the result is neither right nor wrong.
  static void expect_limit(const char* limit, const std::function<void()>& body, options o = {}) {
    const result r = check(o, body);
    EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
    EXPECT_NE(r.limit.find(limit), std::string::npos) << r.limit;
    EXPECT_NE(r.limit.find("misbehaviour_test.cpp:"), std::string::npos) << r.limit;
    EXPECT_NE(to_text(r).find(limit), std::string::npos) << to_text(r);
    right_program();
  }
  static void right_program() {
    const result r = check({}, [] {
      integer x{0};
      in_threads(3, [&](unsigned) { x.fetch_add(1); });
      require(x.load() == 3);
    });
    EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
    EXPECT_EQ(r.executions, 6U);
  }
};

TEST_F(misbehaviour, a_callback_throws) {
  options o;
  o.on_complete_graph = [](const explored_graph&) { throw std::runtime_error("by the callback"); };
  EXPECT_THROW(check(o, [] { const checked::atomic<int> a{0}; }), std::runtime_error);
  right_program();
}

TEST_F(misbehaviour, an_exception_leaves_the_body) {
  expect_here(violation::exception, [] {
    integer x{0};
    x.store(1);
    throw std::runtime_error("thrown");
  });
  expect(violation::exception, [] { throw 7; });
}

TEST_F(misbehaviour, abort_is_called) {
  expect_here(violation::crash, [] {
    integer x{0};
    x.store(1);
    std::abort();
  });
  expect_here(violation::crash, [] {
    integer x{0};
    in_threads(2, [&](unsigned) {
      if (x.fetch_add(1) == 1) std::abort();
    });
  });
}

TEST_F(misbehaviour, an_assertion_fails) {
  expect_here(violation::crash, [] {
    integer x{0};
    assert(x.load() == 1);
  });
}

void throws() {
  if (zero == 0) throw std::runtime_error("thrown");
}

TEST_F(misbehaviour, an_exception_meets_noexcept) {
  expect_here(violation::crash, [] {
    integer x{0};
    x.store(1);
    []() noexcept { throws(); }();
  });
}

TEST_F(misbehaviour, a_null_pointer_is_followed) {
  expect_here(violation::crash, [] {
    checked::atomic<int*> p{nullptr};
    checked::thread t([&] { *const_cast<volatile int*>(p.load()) = 1; });
    t.join();
  });
}

TEST_F(misbehaviour, a_division_by_zero) {
#if !defined(__x86_64__) && !defined(__i386__)
  GTEST_SKIP() << "this machine does not trap it: the result is some number";
#endif
  expect_here(violation::crash, [] {
    integer x{0};
    x.store(1);
    x.store(100 / zero);
  });
}

TEST_F(misbehaviour, before_the_first_access) {
  // The place is that of the construction, or of the thread's creation.
  expect_here(violation::crash, [] {
    const integer x{0};
    std::abort();
  });
  expect_here(violation::crash, [] {
    checked::thread t([] { std::abort(); });
    t.join();
  });
}

TEST_F(misbehaviour, crashes_again_and_again) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(found_in([] { std::abort(); }), violation::crash);
    EXPECT_EQ(found_in([] { *nowhere = 1; }), violation::crash);
  }
}

int endless(volatile int* depth) {
  volatile char frame[200] = {};
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  if (zero != 0) return 0;
  return endless(depth) + frame[0];
}

TEST_F(misbehaviour, endless_recursion) {
  expect_here(violation::stack_overflow, [] {
    integer x{0};
    x.store(1);
    volatile int depth = 0;
    x.store(endless(&depth));
  });
  expect(violation::stack_overflow, [] {
    checked::thread t([] {
      volatile int depth = 0;
      endless(&depth);
    });
    t.join();
  });
}

TEST_F(misbehaviour, endless_recursion_with_atomics) {
  struct recursive {
    static int descend(integer& x) { return zero != 0 ? 0 : x.load() + descend(x) + zero; }
  };
  const result r = check({}, [] {
    integer x{0};
    x.store(recursive::descend(x));
  });
  EXPECT_EQ(found(r), violation::stack_overflow) << to_text(r);
  right_program();
}

TEST_F(misbehaviour, memory_without_bound) {
  expect_limit("memory_size", [] {
    integer x{0};
    x.store(1);
    for (std::vector<int> v;; v.push_back(1)) {
    }
  });
  expect_limit("memory_size", [] {
    integer x{0};
    x.store(1);
    for (std::string s = "x";; s += s) {
    }
  });
  expect_limit("memory_size", [] {
    integer x{0};
    while (x.load() == 0) somewhere = new int[1'000'000];
  });
}

TEST_F(misbehaviour, an_endless_loop_of_atomics) {
  expect_here(violation::liveness, [] {
    integer x{0};
    concurrently([&] { x.store(0); },
                 [&] {
                   while (x.load() == 0) {
                   }
                 });
  });
}

// The checker does not know that the loop has no end.
TEST_F(misbehaviour, an_endless_loop_that_writes) {
  options o;
  o.max_events = 500;
  expect_limit(
      "max_events",
      [] {
        integer x{0};
        in_threads(2, [&](unsigned) {
          for (;;) x.fetch_add(1);
        });
      },
      o);
}

TEST_F(misbehaviour, an_endless_computation) {
  expect_here(violation::no_progress, [] {
    integer x{0};
    x.store(1);
    for (;;) zero = zero + 0;
  });
}

TEST_F(misbehaviour, an_endless_loop_of_plain_accesses) {
  expect_limit("a million plain accesses", [] {
    checked::plain<int> x{0};
    while (x.get() == 0) {
    }
  });
}

TEST_F(misbehaviour, state_that_outlives_the_execution) {
  static int runs = 0;
  runs = 0;
  expect_here(violation::nondeterminism, [] {
    integer x{0};
    ++runs;
    in_threads(2, [&](unsigned i) { x.store(runs * 10 + static_cast<int>(i)); });
  });
  runs = 0;
  expect(violation::nondeterminism, [] {
    integer x{0}, y{0};
    const bool odd = ++runs % 2 == 1;
    in_threads(2, [&](unsigned) { (odd ? x : y).fetch_add(1); });
  });
  runs = 0;
  expect(violation::nondeterminism, [] {
    integer x{++runs};
    in_threads(2, [&](unsigned) { x.fetch_add(1); });
  });
  runs = 0;
  expect(violation::nondeterminism, [] {
    integer x{0};
    // Fewer events, then fewer threads, in a later run.
    const bool first = ++runs == 1;
    in_threads(2, [&](unsigned) {
      x.fetch_add(1);
      if (first) x.fetch_add(1);
    });
  });
  runs = 0;
  expect(violation::nondeterminism, [] {
    integer x{0};
    in_threads(++runs == 1 ? 3 : 2, [&](unsigned) { x.fetch_add(1); });
  });
}

TEST_F(misbehaviour, addresses_from_outside_its_memory) {
  std::vector<void*> taken;
  taken.reserve(1000);
  expect(violation::nondeterminism, [&] {
    checked::atomic<void*> x{nullptr};
    in_threads(2, [&](unsigned) {
      void* p = std::malloc(32 + 16 * taken.size());
      taken.push_back(p);
      x.store(p);
    });
  });
  for (void* p : taken) std::free(p);
}

TEST_F(misbehaviour, a_thread_local_or_clock_that_changes_a_branch) {
  static thread_local int calls = 0;
  calls = 0;
  expect(violation::nondeterminism, [] {
    integer x{0}, y{0};
    concurrently(
        [&] {
          if (++calls > 1) x.store(1);
          y.store(1);
        },
        [&] { static_cast<void>(y.load()); });
  });
}

// ---------------------------------------------------------------------------------------------

TEST(side_by_side, checks_run_in_several_os_threads_at_once) {
  std::array<result, 4> right;
  std::array<result, 4> wrong;
  std::vector<std::thread> workers;
  for (unsigned w = 0; w < 4; ++w) {
    workers.emplace_back([&right, &wrong, w] {
      right[w] = check({}, [] {
        integer x{0};
        in_threads(6, [&](unsigned) { x.fetch_add(1); });
        require(x.load() == 6);
      });
      wrong[w] = check({}, [w] {
        integer x{0};
        in_threads(3, [&](unsigned) {
          if (x.fetch_add(1) != 2) return;
          if (w == 0) std::abort();
          if (w == 1) *nowhere = 1;
          if (w == 2) throw std::runtime_error("thrown");
          volatile int depth = 0;
          endless(&depth);
        });
      });
    });
  }
  for (std::thread& w : workers) w.join();
  for (unsigned w = 0; w < 4; ++w) {
    EXPECT_EQ(right[w].outcome, verdict::verified) << to_text(right[w]);
    EXPECT_EQ(right[w].executions, 720U);
  }
  EXPECT_EQ(found(wrong[0]), violation::crash);
  EXPECT_EQ(found(wrong[1]), violation::crash);
  EXPECT_EQ(found(wrong[2]), violation::exception);
  EXPECT_EQ(found(wrong[3]), violation::stack_overflow);
}

TEST(side_by_side, a_check_inside_a_check_is_refused) {
  const result outer = check({}, [] {
    const integer x{0};
    const result inner = check({}, [] {});
    require(inner.outcome == verdict::incomplete, "refused");
    require(!inner.limit.empty(), "and says why");
  });
  EXPECT_EQ(outer.outcome, verdict::verified) << to_text(outer);
}

TEST(side_by_side, signal_handlers_are_put_back) {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGSEGV, nullptr, &before);
  EXPECT_EQ(found_in([] { std::abort(); }), violation::crash);
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_sigaction, after.sa_sigaction);
}

TEST(side_by_side_death, a_crash_outside_of_a_body_stays_a_crash) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        options o;
        o.on_graph = [](std::uint64_t) { std::abort(); };
        check(o, [] { const integer x{0}; });
      },
      "");
}

TEST(side_by_side_death, an_atomic_outside_of_a_check_says_so) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH({ const integer x{0}; }, "outside of verify::check.*must be constinit");
}

}  // namespace
}  // namespace fencepost::verify::testing
