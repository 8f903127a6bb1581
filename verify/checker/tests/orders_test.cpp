// The memory orders, in C++: the exact sets of outcomes, and synchronization, shown by plain data
// that does not race.
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using outcomes = std::set<std::string>;
using integer = checked::atomic<int>;

class under_each_model : public ::testing::TestWithParam<memory_model> {
 protected:
  [[nodiscard]] static outcomes of(const std::function<void()>& body) {
    return outcomes_of(under(GetParam()), body);
  }
  [[nodiscard]] static violation found_by(const std::function<void()>& body) {
    return found_in(body, under(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(orders, under_each_model, ::testing::ValuesIn(all_models),
                         [](const auto& instance) {
                           std::string name(to_string(instance.param));
                           return name == "c++20" ? "cpp20" : name;
                         });

// Two threads, each: store to its own location, then load the other's.
void store_buffering(std::memory_order store, std::memory_order load, std::memory_order fence) {
  integer x{0}, y{0};
  int a = -1, b = -1;
  concurrently(
      [&] {
        x.store(1, store);
        checked::fence(fence);
        a = y.load(load);
      },
      [&] {
        y.store(1, store);
        checked::fence(fence);
        b = x.load(load);
      });
  outcome(a, b);
}

TEST_P(under_each_model, store_buffering_shows_both_old_values_unless_all_is_seq_cst) {
  const outcomes all = {"0, 0", "0, 1", "1, 0", "1, 1"};
  const outcomes interleaved = {"0, 1", "1, 0", "1, 1"};
  EXPECT_EQ(of([] { store_buffering(relaxed, relaxed, relaxed); }), all);
  EXPECT_EQ(of([] { store_buffering(release, acquire, relaxed); }), all);
  EXPECT_EQ(of([] { store_buffering(release, acquire, acq_rel); }), all);
  EXPECT_EQ(of([] { store_buffering(seq_cst, acquire, relaxed); }), all);
  EXPECT_EQ(of([] { store_buffering(seq_cst, seq_cst, relaxed); }), interleaved);
  EXPECT_EQ(of([] { store_buffering(relaxed, relaxed, seq_cst); }), interleaved);
}

void message_passing(std::memory_order store, std::memory_order load) {
  integer data{0}, flag{0};
  int a = -1, b = -1;
  concurrently(
      [&] {
        data.store(1, relaxed);
        flag.store(1, store);
      },
      [&] {
        a = flag.load(load);
        b = data.load(relaxed);
      });
  outcome(a, b);
}

TEST_P(under_each_model, message_passing_needs_release_and_acquire) {
  const outcomes all = {"0, 0", "0, 1", "1, 0", "1, 1"};
  const outcomes passed = {"0, 0", "0, 1", "1, 1"};
  EXPECT_EQ(of([] { message_passing(relaxed, relaxed); }), all);
  EXPECT_EQ(of([] { message_passing(release, relaxed); }), all);
  EXPECT_EQ(of([] { message_passing(relaxed, acquire); }), all);
  EXPECT_EQ(of([] { message_passing(release, acquire); }), passed);
  EXPECT_EQ(of([] { message_passing(release, consume); }), passed) << "consume is acquire";
  EXPECT_EQ(of([] { message_passing(seq_cst, seq_cst); }), passed);
}

TEST_P(under_each_model, load_buffering_is_never_seen) {
  EXPECT_EQ(of([] {
              integer x{0}, y{0};
              int a = -1, b = -1;
              concurrently(
                  [&] {
                    a = x.load(relaxed);
                    y.store(1, relaxed);
                  },
                  [&] {
                    b = y.load(relaxed);
                    x.store(1, relaxed);
                  });
              outcome(a, b);
            }),
            (outcomes{"0, 0", "0, 1", "1, 0"}));
}

void independent_reads(std::memory_order store, std::memory_order load) {
  integer x{0}, y{0};
  int r[4] = {};
  concurrently([&] { x.store(1, store); }, [&] { y.store(1, store); },
               [&] {
                 r[0] = x.load(load);
                 r[1] = y.load(load);
               },
               [&] {
                 r[2] = y.load(load);
                 r[3] = x.load(load);
               });
  outcome(r[0], r[1], r[2], r[3]);
}

TEST_P(under_each_model, readers_of_independent_writes_agree_only_when_seq_cst) {
  EXPECT_EQ(of([] { independent_reads(relaxed, relaxed); }).size(), 16U);
  EXPECT_EQ(of([] { independent_reads(release, acquire); }).size(), 16U);
  const outcomes agreed = of([] { independent_reads(seq_cst, seq_cst); });
  EXPECT_EQ(agreed.size(), 15U);
  EXPECT_EQ(agreed.count("1, 0, 1, 0"), 0U);
}

void write_to_read_causality(std::memory_order store, std::memory_order load) {
  integer x{0}, y{0};
  int a = -1, b = -1, c = -1;
  concurrently([&] { x.store(1, relaxed); },
               [&] {
                 a = x.load(load);
                 y.store(1, store);
               },
               [&] {
                 b = y.load(load);
                 c = x.load(relaxed);
               });
  outcome(a, b, c);
}

TEST_P(under_each_model, causality_is_cumulative) {
  EXPECT_EQ(of([] { write_to_read_causality(relaxed, relaxed); }).count("1, 1, 0"), 1U);
  const outcomes causal = of([] { write_to_read_causality(release, acquire); });
  EXPECT_EQ(causal.count("1, 1, 0"), 0U);
  EXPECT_EQ(causal.size(), 7U);
}

void two_and_two_writes(std::memory_order store) {
  integer x{0}, y{0};
  concurrently(
      [&] {
        x.store(1, store);
        y.store(2, store);
      },
      [&] {
        y.store(1, store);
        x.store(2, store);
      });
  outcome(x.load(relaxed), y.load(relaxed));
}

TEST_P(under_each_model, both_first_writes_can_come_last_unless_seq_cst) {
  EXPECT_EQ(of([] { two_and_two_writes(relaxed); }), (outcomes{"1, 1", "1, 2", "2, 1", "2, 2"}));
  EXPECT_EQ(of([] { two_and_two_writes(release); }), (outcomes{"1, 1", "1, 2", "2, 1", "2, 2"}));
  EXPECT_EQ(of([] { two_and_two_writes(seq_cst); }), (outcomes{"1, 2", "2, 1", "2, 2"}));
}

// S: a write that should come after those of a message. Outcome: the flag, the last value of x.
void s_shape(std::memory_order store, std::memory_order load) {
  integer x{0}, y{0};
  int a = -1;
  concurrently(
      [&] {
        x.store(2, relaxed);
        y.store(1, store);
      },
      [&] {
        a = y.load(load);
        x.store(1, relaxed);
      });
  outcome(a, x.load(relaxed));
}

TEST_P(under_each_model, a_write_follows_the_writes_that_it_has_heard_of) {
  EXPECT_EQ(of([] { s_shape(relaxed, relaxed); }), (outcomes{"0, 1", "0, 2", "1, 1", "1, 2"}));
  EXPECT_EQ(of([] { s_shape(release, acquire); }), (outcomes{"0, 1", "0, 2", "1, 1"}));
}

// R: which write to y comes last decides what the load of x may read.
void r_shape(std::memory_order order, std::memory_order fence) {
  integer x{0}, y{0};
  int a = -1;
  concurrently(
      [&] {
        x.store(1, order);
        checked::fence(fence);
        y.store(1, order);
      },
      [&] {
        y.store(2, order);
        checked::fence(fence);
        a = x.load(order == release ? acquire : order);
      });
  outcome(y.load(relaxed), a);
}

TEST_P(under_each_model, modification_order_takes_part_in_the_order_of_seq_cst) {
  const outcomes all = {"1, 0", "1, 1", "2, 0", "2, 1"};
  const outcomes ordered = {"1, 0", "1, 1", "2, 1"};
  EXPECT_EQ(of([] { r_shape(relaxed, relaxed); }), all);
  EXPECT_EQ(of([] { r_shape(release, acq_rel); }), all);
  EXPECT_EQ(of([] { r_shape(seq_cst, relaxed); }), ordered);
  EXPECT_EQ(of([] { r_shape(relaxed, seq_cst); }), ordered);
}

TEST_P(under_each_model, a_location_is_coherent_whatever_the_order) {
  // Two reads in program order; two writes in program order; a read, then a write; a write, then
  // a read.
  EXPECT_EQ(of([] {
              integer x{0};
              int a = -1, b = -1;
              concurrently([&] { x.store(1, relaxed); },
                           [&] {
                             a = x.load(relaxed);
                             b = x.load(relaxed);
                           });
              outcome(a, b);
            }),
            (outcomes{"0, 0", "0, 1", "1, 1"}));
  EXPECT_EQ(of([] {
              integer x{0};
              int a = -1, b = -1;
              concurrently(
                  [&] {
                    x.store(1, relaxed);
                    x.store(2, relaxed);
                  },
                  [&] {
                    a = x.load(relaxed);
                    b = x.load(relaxed);
                  });
              outcome(a, b, x.load(relaxed));
            }),
            (outcomes{"0, 0, 2", "0, 1, 2", "0, 2, 2", "1, 1, 2", "1, 2, 2", "2, 2, 2"}));
  EXPECT_EQ(of([] {
              integer x{0};
              int a = -1;
              concurrently([&] { x.store(2, relaxed); },
                           [&] {
                             a = x.load(relaxed);
                             x.store(1, relaxed);
                           });
              outcome(a, x.load(relaxed));
            }),
            (outcomes{"0, 1", "0, 2", "2, 1"}));
  EXPECT_EQ(of([] {
              integer x{0};
              int a = -1;
              concurrently([&] { x.store(2, relaxed); },
                           [&] {
                             x.store(1, relaxed);
                             a = x.load(relaxed);
                           });
              outcome(a, x.load(relaxed));
            }),
            (outcomes{"1, 1", "1, 2", "2, 2"}));
}

TEST_P(under_each_model, readers_agree_on_the_order_of_writes_to_one_location) {
  const outcomes seen = of([] {
    integer x{0};
    int r[4] = {};
    concurrently([&] { x.store(1, relaxed); }, [&] { x.store(2, relaxed); },
                 [&] {
                   r[0] = x.load(relaxed);
                   r[1] = x.load(relaxed);
                 },
                 [&] {
                   r[2] = x.load(relaxed);
                   r[3] = x.load(relaxed);
                 });
    outcome(r[0], r[1], r[2], r[3]);
  });
  EXPECT_EQ(seen.count("1, 2, 2, 1"), 0U);
  EXPECT_EQ(seen.count("2, 1, 1, 2"), 0U);
  EXPECT_EQ(seen.size(), 49U - 2U);
}

// Plain data handed over: how the message is sent and received.
enum class by { access, fence };

void hand_over(by sender, by receiver, bool sends = true, bool receives = true) {
  checked::plain<int> data{0};
  integer flag{0};
  concurrently(
      [&] {
        data.set(42);
        if (sender == by::fence) checked::fence(sends ? release : acquire);
        flag.store(1, sender == by::access && sends ? release : relaxed);
      },
      [&] {
        const bool ready = flag.load(receiver == by::access && receives ? acquire : relaxed) == 1;
        if (receiver == by::fence) checked::fence(receives ? acquire : release);
        if (ready) require(data.get() == 42, "the message is whole");
      });
}

TEST_P(under_each_model, atomics_and_fences_synchronize_in_all_four_combinations) {
  for (const by sender : {by::access, by::fence})
    for (const by receiver : {by::access, by::fence}) {
      EXPECT_EQ(found_by([=] { hand_over(sender, receiver); }), violation::none);
      EXPECT_EQ(found_by([=] { hand_over(sender, receiver, false, true); }), violation::data_race);
      EXPECT_EQ(found_by([=] { hand_over(sender, receiver, true, false); }), violation::data_race);
    }
}

TEST_P(under_each_model, a_fence_on_the_wrong_side_of_its_access_does_not_synchronize) {
  EXPECT_EQ(found_by([] {
              checked::plain<int> data{0};
              integer flag{0};
              concurrently(
                  [&] {
                    data.set(1);
                    flag.store(1, relaxed);
                    checked::fence(release);
                  },
                  [&] {
                    if (flag.load(acquire) == 1) static_cast<void>(data.get());
                  });
            }),
            violation::data_race);
  EXPECT_EQ(found_by([] {
              checked::plain<int> data{0};
              integer flag{0};
              concurrently(
                  [&] {
                    data.set(1);
                    flag.store(1, release);
                  },
                  [&] {
                    checked::fence(acquire);
                    if (flag.load(relaxed) == 1) static_cast<void>(data.get());
                  });
            }),
            violation::data_race);
}

// One store of a thread releases; a second one of the same thread or a read-modify-write of
// another follows it in modification order, and is what the reader acquires.
void release_sequence(bool through_rmw) {
  checked::plain<int> data{0};
  integer flag{0};
  concurrently(
      [&] {
        data.set(1);
        flag.store(1, release);
        if (!through_rmw) flag.store(2, relaxed);
      },
      [&] {
        int expected = 1;
        if (through_rmw) flag.compare_exchange_strong(expected, 2, relaxed, relaxed);
      },
      [&] {
        if (flag.load(acquire) == 2) static_cast<void>(data.get());
      });
}

TEST_P(under_each_model, a_release_sequence_goes_on_through_read_modify_writes) {
  EXPECT_EQ(found_by([] { release_sequence(true); }), violation::none);
}

TEST_P(under_each_model, a_release_sequence_goes_on_through_own_stores_only_in_rc11) {
  EXPECT_EQ(found_by([] { release_sequence(false); }),
            GetParam() == memory_model::rc11 ? violation::none : violation::data_race);
}

TEST_P(under_each_model, a_release_sequence_does_not_go_on_through_stores_of_others) {
  EXPECT_EQ(found_by([] {
              checked::plain<int> data{0};
              integer flag{0};
              concurrently(
                  [&] {
                    data.set(1);
                    flag.store(1, release);
                  },
                  [&] {
                    if (flag.load(relaxed) == 1) flag.store(2, relaxed);
                  },
                  [&] {
                    if (flag.load(acquire) == 2) static_cast<void>(data.get());
                  });
            }),
            violation::data_race);
}

TEST_P(under_each_model, a_failed_compare_exchange_has_its_failure_order) {
  const auto body = [](std::memory_order success, std::memory_order failure) {
    checked::plain<int> data{0};
    integer flag{0};
    concurrently(
        [&] {
          data.set(1);
          flag.store(1, release);
        },
        [&] {
          int expected = 2;
          flag.compare_exchange_strong(expected, 3, success, failure);
          if (expected == 1) static_cast<void>(data.get());
        });
  };
  EXPECT_EQ(found_by([&] { body(seq_cst, relaxed); }), violation::data_race);
  EXPECT_EQ(found_by([&] { body(acq_rel, relaxed); }), violation::data_race);
  EXPECT_EQ(found_by([&] { body(relaxed, acquire); }), violation::none);
  EXPECT_EQ(found_by([&] { body(release, seq_cst); }), violation::none);
}

TEST_P(under_each_model, a_single_order_implies_the_failure_order) {
  const auto body = [](std::memory_order order) {
    checked::plain<int> data{0};
    integer flag{0};
    concurrently(
        [&] {
          data.set(1);
          flag.store(1, release);
        },
        [&] {
          int expected = 2;
          flag.compare_exchange_strong(expected, 3, order);
          if (expected == 1) static_cast<void>(data.get());
        });
  };
  EXPECT_EQ(found_by([&] { body(relaxed); }), violation::data_race);
  EXPECT_EQ(found_by([&] { body(release); }), violation::data_race);
  EXPECT_EQ(found_by([&] { body(acquire); }), violation::none);
  EXPECT_EQ(found_by([&] { body(acq_rel); }), violation::none);
  EXPECT_EQ(found_by([&] { body(seq_cst); }), violation::none);
}

TEST_P(under_each_model, a_failed_compare_exchange_writes_and_releases_nothing) {
  EXPECT_EQ(found_by([] {
              checked::plain<int> data{0};
              integer flag{0};
              concurrently(
                  [&] {
                    data.set(1);
                    int expected = 7;
                    flag.compare_exchange_strong(expected, 0, seq_cst, seq_cst);
                  },
                  [&] {
                    static_cast<void>(flag.load(seq_cst));
                    static_cast<void>(data.get());
                  });
            }),
            violation::data_race);
}

// What follows a spurious failure, and the bound on such failures.
TEST_P(under_each_model, a_weak_compare_exchange_fails_spuriously_within_its_bound) {
  const auto tries = [](unsigned bound) {
    options o = under(GetParam());
    o.spurious_failures = bound;
    return outcomes_of(o, [] {
      integer x{0};
      int failures = 0;
      for (int expected = 0; failures < 3 && !x.compare_exchange_weak(expected, 1);) {
        require(expected == 0, "a spurious failure leaves what it expected");
        ++failures;
      }
      outcome(failures);
    });
  };
  EXPECT_EQ(tries(0), (outcomes{"0"}));
  EXPECT_EQ(tries(1), (outcomes{"0", "1"}));
  EXPECT_EQ(tries(3), (outcomes{"0", "1", "2", "3"}));
}

TEST(misuse, an_order_that_an_operation_cannot_have_is_reported) {
  const auto kind = [](auto operation) {
    return found_in([operation] {
      integer x{0};
      operation(x);
    });
  };
  EXPECT_EQ(kind([](integer& x) { static_cast<void>(x.load(release)); }), violation::misuse);
  EXPECT_EQ(kind([](integer& x) { static_cast<void>(x.load(acq_rel)); }), violation::misuse);
  EXPECT_EQ(kind([](integer& x) { x.store(1, acquire); }), violation::misuse);
  EXPECT_EQ(kind([](integer& x) { x.store(1, consume); }), violation::misuse);
  EXPECT_EQ(kind([](integer& x) { x.store(1, acq_rel); }), violation::misuse);
  EXPECT_EQ(kind([](integer& x) {
              int expected = 0;
              x.compare_exchange_strong(expected, 1, acq_rel, release);
            }),
            violation::misuse);
  EXPECT_EQ(kind([](integer& x) {
              int expected = 0;
              x.compare_exchange_weak(expected, 1, seq_cst, acq_rel);
            }),
            violation::misuse);
}

TEST(operations, arithmetic_is_that_of_the_type) {
  EXPECT_EQ(found_in([] {
              checked::atomic<std::uint8_t> byte{250};
              require(byte.fetch_add(10) == 250, "the old value");
              require(byte.load() == 4, "wraps around");
              require(byte.fetch_sub(5) == 4, "the old value");
              require(byte.load() == 255, "wraps around");
              checked::atomic<int> number{-1};
              require(number.fetch_sub(1) == -1 && number.load() == -2, "negative numbers");
              require(number.fetch_and(0xff) == -2 && number.load() == 0xfe, "and");
              require(number.fetch_or(0x101) == 0xfe && number.load() == 0x1ff, "or");
              require(number.fetch_xor(0xf) == 0x1ff && number.load() == 0x1f0, "xor");
              require(number.exchange(5) == 0x1f0 && number.load() == 5, "exchange");
              require(++number == 6 && number++ == 6 && --number == 6 && number-- == 6, "steps");
              require((number += 3) == 8 && (number -= 1) == 7, "compound");
              checked::atomic<std::int64_t> wide{INT64_MIN};
              require(wide.fetch_sub(1) == INT64_MIN && wide.load() == INT64_MAX, "64 bits");
              int array[4] = {};
              checked::atomic<int*> pointer{array};
              require(pointer.fetch_add(3) == array && pointer.load() == array + 3, "in elements");
              require(pointer.fetch_sub(1) == array + 3 && pointer.load() == array + 2, "back");
              checked::atomic<double> real{0.5};
              require(real.fetch_add(0.25) == 0.5 && real.load() == 0.75, "floating point");
              checked::atomic<bool> flag{false};
              require(!flag.exchange(true) && flag.load(), "bool");
              struct pair {
                std::int16_t a, b;
              };
              checked::atomic<pair> both{pair{1, -2}};
              pair expected{1, -2};
              require(both.compare_exchange_strong(expected, pair{3, 4}), "equal");
              require(!both.compare_exchange_strong(expected, pair{5, 6}), "not equal");
              require(expected.a == 3 && expected.b == 4, "what was there");
            }),
            violation::none);
}

}  // namespace
}  // namespace fencepost::verify::testing
