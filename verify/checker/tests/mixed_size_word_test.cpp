// Words of two halves, accessed whole and by halves.
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using outcomes = std::set<std::string>;
using halves = checked::halves;
using plain = checked::plain<int>;

constexpr std::uint64_t whole(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}
constexpr std::uint32_t low(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
constexpr std::uint32_t high(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }

class halves_under_each_model : public ::testing::TestWithParam<memory_model> {
 protected:
  [[nodiscard]] static outcomes of(const std::function<void()>& body) {
    return outcomes_of(under(GetParam()), body);
  }
  [[nodiscard]] static violation found_by(const std::function<void()>& body) {
    return found_in(body, under(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(words, halves_under_each_model, ::testing::ValuesIn(all_models),
                         [](const auto& instance) {
                           std::string name(to_string(instance.param));
                           return name == "c++20" ? "cpp20" : name;
                         });

TEST_P(halves_under_each_model, are_parts_of_the_whole) {
  EXPECT_EQ(found_by([] {
              halves w{1, 2};
              require(w.load(relaxed) == whole(1, 2), "as constructed");
              w.store_low(3, relaxed);
              require(w.load(relaxed) == whole(3, 2) && w.load_high(relaxed) == 2, "low");
              w.store_high(4, relaxed);
              require(w.load(relaxed) == whole(3, 4) && w.load_low(relaxed) == 3, "high");
              w.store(whole(5, 6), relaxed);
              require(w.load_low(relaxed) == 5 && w.load_high(relaxed) == 6, "whole");
              std::uint64_t expected = whole(5, 7);
              require(!w.compare_exchange_strong(expected, 0, seq_cst, relaxed), "another half");
              require(expected == whole(5, 6), "what is there");
              require(w.compare_exchange_strong(expected, whole(8, 9), seq_cst, relaxed), "equal");
              require(w.load(relaxed) == whole(8, 9), "exchanged");
            }),
            violation::none);
}

TEST_P(halves_under_each_model, a_whole_store_is_seen_whole) {
  EXPECT_EQ(of([] {
              halves w{0, 0};
              std::uint64_t seen = 9;
              concurrently([&] { w.store(whole(1, 1), relaxed); }, [&] { seen = w.load(relaxed); });
              outcome(low(seen), high(seen));
            }),
            (outcomes{"0, 0", "1, 1"}));
}

TEST_P(halves_under_each_model, two_whole_stores_are_not_mixed) {
  const outcomes seen = of([] {
    halves w{0, 0};
    std::uint64_t a = 9;
    concurrently([&] { w.store(whole(1, 1), relaxed); }, [&] { w.store(whole(2, 2), relaxed); },
                 [&] { a = w.load(relaxed); });
    const std::uint64_t last = w.load(relaxed);
    outcome(low(a), high(a), low(last), high(last));
  });
  EXPECT_EQ(seen, (outcomes{"0, 0, 1, 1", "0, 0, 2, 2", "1, 1, 1, 1", "1, 1, 2, 2", "2, 2, 1, 1",
                            "2, 2, 2, 2"}));
}

TEST_P(halves_under_each_model, a_whole_load_sees_half_stores_in_any_combination) {
  EXPECT_EQ(of([] {
              halves w{0, 0};
              std::uint64_t seen = 9;
              concurrently([&] { w.store_low(1, relaxed); }, [&] { w.store_high(1, relaxed); },
                           [&] { seen = w.load(relaxed); });
              outcome(low(seen), high(seen));
            }),
            (outcomes{"0, 0", "0, 1", "1, 0", "1, 1"}));
}

TEST_P(halves_under_each_model, whole_loads_agree_on_the_order_of_half_stores) {
  const outcomes seen = of([] {
    halves w{0, 0};
    std::uint64_t a = 9, b = 9;
    concurrently([&] { w.store_low(1, relaxed); }, [&] { w.store_high(1, relaxed); },
                 [&] { a = w.load(relaxed); }, [&] { b = w.load(relaxed); });
    outcome(low(a), high(a), low(b), high(b));
  });
  EXPECT_EQ(seen.count("1, 0, 0, 1"), 0U);
  EXPECT_EQ(seen.count("0, 1, 1, 0"), 0U);
  EXPECT_EQ(seen.size(), 14U);
}

TEST_P(halves_under_each_model, a_half_store_and_a_load_of_the_other_half_need_a_fence) {
  // Store buffering between the halves of one word.
  const auto body = [](std::memory_order fence) {
    halves w{0, 0};
    std::uint32_t a = 9, b = 9;
    concurrently(
        [&] {
          w.store_low(1, relaxed);
          checked::fence(fence);
          a = w.load_high(relaxed);
        },
        [&] {
          w.store_high(1, relaxed);
          checked::fence(fence);
          b = w.load_low(relaxed);
        });
    outcome(a, b);
  };
  EXPECT_EQ(of([&] { body(relaxed); }), (outcomes{"0, 0", "0, 1", "1, 0", "1, 1"}));
  EXPECT_EQ(of([&] { body(seq_cst); }), (outcomes{"0, 1", "1, 0", "1, 1"}));
}

// The owner takes the high half back and then reads the low one; a thief raises the low half by a
// compare-exchange of the whole word. Both believe that the item is theirs if the owner sees the
// old low half and the thief the old high half.
void shrink(std::memory_order fence, bool weak, std::memory_order success = seq_cst) {
  halves w{0, 1};
  std::uint32_t tail = 9;
  bool stolen = false;
  concurrently(
      [&] {
        w.store_high(0, relaxed);
        checked::fence(fence);
        tail = w.load_low(relaxed);
      },
      [&] {
        std::uint64_t expected = whole(0, 1);
        stolen = weak ? w.compare_exchange_weak(expected, whole(1, 1), success, relaxed)
                      : w.compare_exchange_strong(expected, whole(1, 1), success, relaxed);
      });
  outcome(tail, stolen);
  require(!(tail == 0 && stolen), "taken by the owner and by the thief");
}

TEST_P(halves_under_each_model, shrink_needs_its_fence) {
  for (const bool weak : {false, true}) {
    EXPECT_EQ(found_by([=] { shrink(seq_cst, weak); }), violation::none) << weak;
    EXPECT_EQ(found_by([=] { shrink(relaxed, weak); }), violation::assertion) << weak;
    EXPECT_EQ(found_by([=] { shrink(acq_rel, weak); }), violation::assertion) << weak;
    EXPECT_EQ(found_by([=] { shrink(seq_cst, weak, acq_rel); }), violation::assertion)
        << "an acquire-release compare-exchange is too weak; " << weak;
  }
  EXPECT_EQ(of([] { shrink(seq_cst, false); }), (outcomes{"0, 0", "1, 1"}));
  EXPECT_EQ(of([] { shrink(seq_cst, true); }), (outcomes{"0, 0", "1, 1"}));
}

TEST_P(halves_under_each_model, one_of_two_compare_exchanges_wins) {
  EXPECT_EQ(of([] {
              halves w{0, 0};
              bool won[2] = {};
              in_threads(2, [&](unsigned i) {
                std::uint64_t expected = 0;
                won[i] = w.compare_exchange_strong(expected, whole(i + 1, i + 1), relaxed, relaxed);
              });
              const std::uint64_t last = w.load(relaxed);
              outcome(won[0], won[1], low(last), high(last));
            }),
            (outcomes{"1, 0, 1, 1", "0, 1, 2, 2"}));
}

// What a compare-exchange acquires depends on whether it fails: (0, 1) is old for a thread that has
// acquired the store to the other half.
TEST_P(halves_under_each_model, a_spurious_failure_acquires_as_a_failure) {
  const auto seen = [](std::memory_order success, std::memory_order failure) {
    return of([=] {
      halves w{0, 0};
      bool done = false;
      std::uint64_t expected = whole(0, 1);
      concurrently(
          [&] {
            w.store_low(1, relaxed);
            w.store_high(1, release);
          },
          [&] { done = w.compare_exchange_weak(expected, whole(2, 2), success, failure); });
      outcome(done, low(expected), high(expected));
    });
  };
  const outcomes other_values{"0, 0, 0", "0, 1, 0", "0, 1, 1"};
  outcomes success = other_values, failure = other_values;
  success.insert("1, 0, 1");
  failure.insert("0, 0, 1");
  EXPECT_EQ(seen(acquire, acquire), other_values);
  EXPECT_EQ(seen(acquire, relaxed), failure);
  EXPECT_EQ(seen(relaxed, acquire), success);
}

TEST_P(halves_under_each_model, no_store_comes_between_the_sides_of_a_compare_exchange) {
  EXPECT_EQ(of([] {
              halves w{0, 0};
              bool won = false;
              concurrently([&] { w.store_high(7, relaxed); },
                           [&] {
                             std::uint64_t expected = 0;
                             won =
                                 w.compare_exchange_strong(expected, whole(1, 1), relaxed, relaxed);
                           });
              const std::uint64_t last = w.load(relaxed);
              outcome(won, low(last), high(last));
            }),
            (outcomes{"0, 0, 7", "1, 1, 7"}));
}

TEST_P(halves_under_each_model, each_half_is_coherent) {
  const outcomes seen = of([] {
    halves w{0, 0};
    std::uint32_t a = 9, b = 9;
    concurrently(
        [&] {
          w.store_low(1, relaxed);
          w.store(whole(2, 2), relaxed);
        },
        [&] {
          a = w.load_low(relaxed);
          b = w.load_low(relaxed);
        });
    outcome(a, b);
  });
  EXPECT_EQ(seen, (outcomes{"0, 0", "0, 1", "0, 2", "1, 1", "1, 2", "2, 2"}));
}

TEST_P(halves_under_each_model, a_half_carries_messages) {
  const auto body = [](std::memory_order store, bool to_whole) {
    halves w{0, 0};
    plain data{0};
    concurrently(
        [&] {
          data.set(1);
          w.store_low(1, store);
        },
        [&] {
          const std::uint32_t seen = to_whole ? low(w.load(acquire)) : w.load_low(acquire);
          if (seen == 1) require(data.get() == 1);
        });
  };
  for (const bool to_whole : {false, true}) {
    EXPECT_EQ(found_by([=] { body(release, to_whole); }), violation::none);
    EXPECT_EQ(found_by([=] { body(relaxed, to_whole); }), violation::data_race);
  }
}

TEST_P(halves_under_each_model, what_one_half_acquires_holds_for_the_other) {
  const auto body = [](std::memory_order store, std::memory_order load) {
    halves w{0, 0};
    std::uint64_t seen = 9;
    concurrently(
        [&] {
          w.store_high(1, relaxed);
          w.store_low(1, store);
        },
        [&] { seen = w.load(load); });
    outcome(low(seen), high(seen));
  };
  EXPECT_EQ(of([&] { body(release, acquire); }), (outcomes{"0, 0", "0, 1", "1, 1"}));
  EXPECT_EQ(of([&] { body(release, relaxed); }), (outcomes{"0, 0", "0, 1", "1, 0", "1, 1"}));
  EXPECT_EQ(of([&] { body(relaxed, acquire); }), (outcomes{"0, 0", "0, 1", "1, 0", "1, 1"}));
}

TEST_P(halves_under_each_model, a_whole_store_carries_messages_to_either_half) {
  EXPECT_EQ(found_by([] {
              halves w{0, 0};
              plain data{0};
              concurrently(
                  [&] {
                    data.set(1);
                    w.store(whole(1, 1), release);
                  },
                  [&] {
                    if (w.load_low(acquire) == 1) require(data.get() == 1);
                  },
                  [&] {
                    if (w.load_high(acquire) == 1) require(data.get() == 1);
                  });
            }),
            violation::none);
}

TEST_P(halves_under_each_model, a_relaxed_half_store_breaks_the_release_sequence_in_cpp20) {
  // A store to the other half does not break it, a store to the same half does.
  const auto body = [](bool same_half) {
    halves w{0, 0};
    plain data{0};
    concurrently(
        [&] {
          data.set(1);
          w.store_low(1, release);
          if (same_half)
            w.store_low(2, relaxed);
          else
            w.store_high(2, relaxed);
        },
        [&] {
          const std::uint64_t seen = w.load(acquire);
          if (same_half ? low(seen) == 2 : low(seen) == 1) require(data.get() == 1);
        });
  };
  EXPECT_EQ(found_by([&] { body(false); }), violation::none);
  EXPECT_EQ(found_by([&] { body(true); }),
            GetParam() == memory_model::rc11 ? violation::none : violation::data_race);
}

TEST_P(halves_under_each_model, spin_loops_on_them_end) {
  EXPECT_EQ(found_by([] {
              halves w{0, 0};
              concurrently([&] { w.store_low(1, release); }, [&] { w.store_high(1, release); },
                           [&] {
                             while (w.load(acquire) != whole(1, 1)) checked::spin_pause();
                           },
                           [&] {
                             while (w.load_low(acquire) != 1) checked::spin_pause();
                           });
            }),
            violation::none);
}

TEST(halves, misuse_and_lifetime_are_found) {
  EXPECT_EQ(found_in([] {
              halves w{0, 0};
              w.store_low(1, acquire);
            }),
            violation::misuse);
  EXPECT_EQ(found_in([] {
              halves w{0, 0};
              static_cast<void>(w.load(release));
            }),
            violation::misuse);
  EXPECT_EQ(found_in([] {
              auto w = std::make_unique<halves>(0, 0);
              checked::atomic<int> done{0};
              concurrently(
                  [&] {
                    w->store_high(1, relaxed);
                    done.store(1, relaxed);
                  },
                  [&] {
                    if (done.load(relaxed) == 1) w.reset();
                  });
            }),
            violation::use_after_free);
}

}  // namespace
}  // namespace fencepost::verify::testing
