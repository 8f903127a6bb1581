// Bodies that depend on something besides what they read through the policy: none may be verified,
// whatever the circumstances. Bodies that only seem to depend on something else are verified.
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<std::uint64_t>;
using pointer = checked::atomic<void*>;

std::uint64_t now() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

struct program {
  const char* name;
  std::function<void()> body;
  violation as_well = violation::nondeterminism;  // the kind that may be found by chance
};
std::ostream& operator<<(std::ostream& out, const program& p) { return out << p.name; }
std::string name_of(const ::testing::TestParamInfo<program>& p) { return p.param.name; }

std::uint64_t static_counter = 0;
thread_local std::uint64_t thread_local_counter = 0;
std::uint64_t shared_without_wrapping = 0;
bool prepared = false;

// Reads whatever the stack holds, hidden from the optimizer.
[[gnu::noinline]] std::uint64_t unwritten_stack() {
  volatile std::uint64_t words[8];
  std::uint64_t sum = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  for (unsigned i = 0; i < 8; ++i) sum += words[i];
#pragma GCC diagnostic pop
  return sum;
}

// Waits for another thread, but only for three turns, which are counted outside the body.
template <class Waits>
void wait_three_turns(std::uint64_t& turns, Waits waits) {
  turns = 0;
  integer x{0};
  checked::thread t([&] { x.store(1); });
  while (waits(x))
    if (++turns == 3) break;
  t.join();
  require(turns != 3, "the other thread has come in time");
}

class depends_on : public ::testing::TestWithParam<program> {};

TEST_P(depends_on, something_else_and_is_never_verified) {
  for (int i = 0; i < 50; ++i) {
    static_counter = thread_local_counter = shared_without_wrapping = 0;
    prepared = false;
    const result r = check({}, GetParam().body);
    ASSERT_TRUE(r.violation) << "run " << i << ": " << to_text(r);
    if (r.violation->kind == GetParam().as_well) continue;
    ASSERT_EQ(to_string(r.violation->kind), to_string(violation::nondeterminism)) << to_text(r);
    EXPECT_NE(r.violation->message.find("then "), std::string::npos) << r.violation->message;
    EXPECT_NE(r.violation->message.find("now "), std::string::npos) << r.violation->message;
  }
}

const program dependent[] = {
    {"a_clock_in_a_branch",
     [] {
       integer x{0};
       checked::thread t([&] {
         if (now() % 2 == 0)
           x.store(1);
         else
           x.store(2);
       });
       t.join();
     }},
    {"a_clock_that_decides_what_is_accessed",
     [] {
       integer x{0}, y{0};
       (now() % 2 == 0 ? x : y).store(1);
     }},
    {"a_clock_that_seldom_decides",
     [] {
       integer x{0};
       if (now() % 8 == 0) x.store(1);
     }},
    {"a_time_stamp_that_is_stored",
     [] {
       integer x{0};
       in_threads(2, [&](unsigned) { x.store(now()); });
     }},
    {"a_time_stamp_to_begin_with", [] { const integer x{now()}; }},
    {"a_time_stamp_in_plain_data",
     [] {
       integer ready{0};
       checked::plain<std::uint64_t> at{0};
       at.set(now());
       ready.store(1);
       static_cast<void>(at.get());
     }},
    {"a_time_stamp_as_a_size",
     [] {
       integer x{0};
       const std::vector<char> bytes(1 + now() % 64);
       x.store(1);
     }},
    {"a_time_stamp_as_an_outcome",
     [] {
       integer x{0};
       x.store(1);
       outcome(now());
     }},
    {"a_clock_in_a_requirement",
     [] {
       integer x{0};
       x.store(1);
       require(now() % 4 != 0, "not now");
     },
     violation::assertion},
    {"random_device",
     [] {
       integer x{0};
       x.fetch_add(std::random_device()() % 1000);
     }},
    {"a_static_counter",
     [] {
       integer x{0};
       in_threads(2, [&](unsigned) { x.store(++static_counter); });
     }},
    {"a_static_counter_of_one_thread",
     [] {
       integer x{0};
       x.store(++static_counter);
     }},
    {"a_static_that_is_prepared_once",
     [] {
       integer x{0};
       checked::plain<int> table{0};
       if (!prepared) table.set(1);
       prepared = true;
       x.store(1);
     }},
    // Each resets its counter, and so does the same whenever it reads the same. But the turns of
    // its loop are not all the same, although nothing that is compared has changed in them.
    {"a_static_that_counts_turns",
     [] { wait_three_turns(static_counter, [](integer& x) { return x.load() == 0; }); }},
    {"a_thread_local_that_counts_the_turns_of_exchanges",
     [] { wait_three_turns(thread_local_counter, [](integer& x) { return x.exchange(0) == 0; }); }},
    {"a_captured_variable_that_counts_the_turns_of_two_loads",
     [turns = std::make_shared<std::uint64_t>(0)] {
       integer y{0};
       wait_three_turns(*turns, [&](integer& x) { return x.load() == 0 && y.load() == 0; });
     }},
    {"a_block_from_malloc_that_counts_turns",
     [turns = std::shared_ptr<void>(std::malloc(8), std::free)] {
       wait_three_turns(*static_cast<std::uint64_t*>(turns.get()),
                        [](integer& x) { return x.load() == 0; });
     }},
    {"a_static_that_counts_turns_under_a_mutex",
     [] {
       static_counter = 0;
       checked::mutex m;
       bool ready = false;
       checked::thread t([&] {
         const std::lock_guard lock(m);
         ready = true;
       });
       for (;;) {
         const std::lock_guard lock(m);
         if (ready || ++static_counter == 3) break;
       }
       t.join();
       require(static_counter < 3, "it was ready in time");
     }},
    {"a_static_that_counts_turns_for_a_requirement",
     [] {
       static_counter = 0;
       integer x{0};
       checked::thread t([&] { x.store(1); });
       while (x.load() == 0) ++static_counter;
       t.join();
       require(static_counter < 3, "it was ready in time");
     }},
    {"a_thread_local_counter",
     [] {
       integer x{0}, y{0};
       if (++thread_local_counter > 1) x.store(1);
       y.store(1);
     }},
    {"a_thread_local_counter_that_comes_round",
     [] {
       integer x{0};
       x.store(++thread_local_counter % 3);
     }},
    {"an_address_from_mmap",
     [] {
       pointer x{nullptr};
       void* const p = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       x.store(p);
       munmap(p, 4096);
     }},
    {"an_address_from_malloc",
     [] {
       pointer x{nullptr};
       void* const p = std::malloc(40);
       x.store(p);
       std::free(p);
     }},
    {"a_hash_of_an_address_from_malloc",
     [] {
       integer x{0};
       void* const p = std::malloc(600);
       x.store(reinterpret_cast<std::uintptr_t>(p) / 16 % 1021);
       std::free(p);
     }},
    {"memory_that_was_never_written",
     [] {
       integer x{0};
       const auto p = std::make_unique_for_overwrite<std::uint64_t>();
       x.store(*static_cast<volatile std::uint64_t*>(p.get()));
     }},
    {"a_stack_that_was_never_written",
     [] {
       integer x{0};
       checked::thread t([&] { x.store(unwritten_stack()); });
       t.join();
     }},
};
INSTANTIATE_TEST_SUITE_P(nondeterminism, depends_on, ::testing::ValuesIn(dependent), name_of);

class looks_as_if : public ::testing::TestWithParam<program> {};

TEST_P(looks_as_if, but_is_verified) {
  for (int i = 0; i < 5; ++i) {
    const result r = check({}, GetParam().body);
    ASSERT_EQ(r.outcome, verdict::verified) << to_text(r);
  }
}

const program independent[] = {
    {"a_container_hashed_by_address",
     [] {
       integer x{0};
       std::unordered_map<const int*, unsigned> numbers;
       std::vector<std::unique_ptr<int>> keys;
       for (unsigned i = 0; i < 20; ++i) numbers[keys.emplace_back(new int).get()] = i;
       for (const auto& [key, number] : numbers) x.store(number);
     }},
    {"an_address_of_its_own_memory",
     [] {
       pointer x{nullptr};
       const auto p = std::make_unique<int>(1);
       in_threads(2, [&](unsigned) { x.store(p.get()); });
     }},
    {"an_address_of_its_stack",
     [] {
       pointer x{nullptr};
       int local = 0;
       in_threads(2, [&](unsigned) { x.store(&local); });
     }},
    {"an_address_of_a_static",
     [] {
       pointer x{nullptr};
       in_threads(2, [&](unsigned) { x.store(&static_counter); });
     }},
    {"a_clock_that_decides_nothing",
     [] {
       integer x{0};
       const std::uint64_t begin = now();
       in_threads(2, [&](unsigned) { x.fetch_add(1); });
       require(now() >= begin);
     }},
    {"memory_from_malloc_that_is_only_used",
     [] {
       integer x{0};
       in_threads(2, [&](unsigned i) {
         auto* const p = static_cast<unsigned*>(std::malloc(sizeof(unsigned)));
         *p = i;
         x.fetch_add(*p);
         std::free(p);
       });
     }},
    {"a_loop_that_waits_with_plain_accesses_in_it",
     [] {
       integer ready{0};
       checked::plain<int> turns{0};
       checked::thread t([&] { ready.store(1); });
       while (ready.load() == 0) {
         static_cast<void>(turns.get());
         checked::spin_pause();
       }
       t.join();
     }},
    {"a_static_that_counts_the_turns_of_a_loop_and_decides_nothing",
     [] {
       integer ready{0};
       in_threads(2, [&](unsigned i) {
         if (i == 0) ready.store(1);
         while (ready.load() == 0) ++static_counter;
       });
     }},
    {"a_loop_that_waits_with_allocations_in_it",
     [] {
       integer ready{0};
       checked::plain<int> data{0};
       checked::thread t([&] {
         data.set(1);
         ready.store(1);
       });
       for (bool done = false; !done;) {
         const auto copy = std::make_unique<std::uint64_t>(ready.load());
         done = *copy == 1;
       }
       require(data.get() == 1);
       t.join();
     }},
    {"a_loop_that_polls_plain_data_under_a_mutex",
     [] {
       checked::mutex m;
       checked::plain<bool> ready{false};
       checked::thread t([&] {
         const std::lock_guard lock(m);
         ready.set(true);
       });
       for (bool done = false; !done;) {
         const std::lock_guard lock(m);
         done = ready.get();
       }
       t.join();
     }},
    {"an_object_that_begins_with_what_was_read",
     [] {
       integer x{0}, y{0};
       in_threads(3, [&](unsigned i) {
         if (i == 0) {
           y.store(1);
         } else if (i == 2) {
           x.store(1);
         } else {
           integer own{x.load()};
           own.fetch_add(1);
           static_cast<void>(y.load());
         }
       });
     }},
};
INSTANTIATE_TEST_SUITE_P(nondeterminism, looks_as_if, ::testing::ValuesIn(independent), name_of);

TEST(nondeterminism, says_what_it_was_and_what_it_is) {
  static_counter = 4;
  const result r = check({}, [] {
    integer x{0};
    x.store(++static_counter);
  });
  ASSERT_TRUE(r.violation) << to_text(r);
  const std::string& said = r.violation->message;
  EXPECT_NE(said.find("then store seq_cst x := 5 at nondeterminism_test.cpp:"), std::string::npos)
      << said;
  EXPECT_NE(said.find("now store seq_cst x := "), std::string::npos) << said;
  EXPECT_NE(std::string(r.violation->where.file).find("nondeterminism_test.cpp"),
            std::string::npos);
}

TEST(nondeterminism, says_what_the_value_looks_like) {
  const auto said = [](const std::function<void()>& body) {
    const result r = check({}, body);
    return r.violation ? r.violation->message : to_text(r);
  };
  EXPECT_NE(said(dependent[std::size(dependent) - 2].body).find("never written"),
            std::string::npos);
  EXPECT_NE(said([] {
              pointer x{nullptr};
              void* const p = std::malloc(40);
              x.store(p);
              std::free(p);
            }).find("does not track"),
            std::string::npos);
}

TEST(nondeterminism, of_another_allocation_and_of_an_end) {
  static_counter = 0;
  const result sizes = check({}, [] {
    integer x{0};
    const std::vector<char> bytes(++static_counter);
    x.store(1);
  });
  ASSERT_TRUE(sizes.violation);
  EXPECT_NE(sizes.violation->message.find("then allocation of 1 bytes"), std::string::npos)
      << sizes.violation->message;
  EXPECT_NE(sizes.violation->message.find("now allocation of 2 bytes"), std::string::npos);
  static_counter = 0;
  const result ends = check({}, [] {
    integer x{0};
    checked::thread t([&] {
      x.store(1);
      if (++static_counter == 1) x.store(2);
    });
    t.join();
  });
  ASSERT_TRUE(ends.violation);
  EXPECT_NE(ends.violation->message.find("then store seq_cst x := 2"), std::string::npos)
      << ends.violation->message;
  EXPECT_NE(ends.violation->message.find("now the end of the thread"), std::string::npos)
      << ends.violation->message;
}

// The first execution that differs is the thousandth or so: a sample of later ones is run again.
TEST(nondeterminism, of_a_later_execution_is_found_as_well) {
  static_counter = 0;
  const auto body = [] {
    integer x{0};
    in_threads(6, [&](unsigned) { x.fetch_add(1); });
    require(x.load() == 6);
    // Nothing in the graph depends on the counter.
    if (++static_counter > 200) const std::vector<char> bytes(static_counter);
  };
  const result r = check({}, body);
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::nondeterminism) << to_text(r);
  EXPECT_GT(r.executions, 1U);
}

TEST(nondeterminism, is_the_end_of_an_exploration_that_keeps_going) {
  static_counter = 0;
  options o;
  o.keep_going = true;
  const result r = check(o, [] {
    integer x{0};
    in_threads(3, [&](unsigned) { x.store(++static_counter); });
  });
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::nondeterminism) << to_text(r);
}

TEST(nondeterminism, executions_that_are_run_again_count_once) {
  options once;
  once.repeat = false;
  const auto body = [] {
    integer x{0};
    in_threads(5, [&](unsigned) { x.fetch_add(1); });
  };
  EXPECT_EQ(check({}, body).executions, 120U);
  EXPECT_EQ(check(once, body).executions, 120U);
}

TEST(nondeterminism, of_random_executions) {
  options o;
  o.samples = 20;
  static_counter = 0;
  const result r = check(o, [] {
    integer x{0};
    in_threads(2, [&](unsigned) { x.fetch_add(1); });
    if (++static_counter > 3) x.store(static_counter);
  });
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::nondeterminism) << to_text(r);
}

}  // namespace
}  // namespace fencepost::verify::testing
