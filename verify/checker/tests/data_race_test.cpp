// Races on plain data: every pair of conflicting accesses, and what orders them.
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using plain = checked::plain<int>;
using integer = checked::atomic<int>;

static_assert(!std::is_assignable_v<plain&, int> && !std::is_assignable_v<plain&, plain&>);
static_assert(!std::is_assignable_v<checked::plain<std::string>&, const char*>);

TEST(data_race, two_writes) {
  EXPECT_EQ(found_in([] {
              plain x{0};
              concurrently([&] { x.set(1); }, [&] { x.set(2); });
            }),
            violation::data_race);
}

TEST(data_race, a_write_and_a_read) {
  EXPECT_EQ(found_in([] {
              plain x{0};
              concurrently([&] { x.set(1); }, [&] { static_cast<void>(x.get()); });
            }),
            violation::data_race);
  EXPECT_EQ(found_in([] {
              plain x{0};
              concurrently([&] { static_cast<void>(x.read()); }, [&] { x.write() = 1; });
            }),
            violation::data_race);
}

TEST(data_race, two_reads_are_none) {
  EXPECT_EQ(found_in([] {
              plain x{7};
              in_threads(3, [&](unsigned) { require(x.get() == 7); });
            }),
            violation::none);
}

TEST(data_race, different_objects_are_none) {
  EXPECT_EQ(found_in([] {
              plain x[3];
              in_threads(3, [&](unsigned i) { x[i].set(1); });
            }),
            violation::none);
}

TEST(data_race, with_the_creator_before_the_join) {
  EXPECT_EQ(found_in([] {
              plain x{0};
              checked::thread t([&] { x.set(1); });
              static_cast<void>(x.get());
              t.join();
            }),
            violation::data_race);
}

TEST(data_race, creation_and_join_order_accesses) {
  EXPECT_EQ(found_in([] {
              plain x{0};
              x.set(1);
              checked::thread t([&] {
                require(x.get() == 1);
                x.set(2);
              });
              t.join();
              require(x.get() == 2);
              x.set(3);
            }),
            violation::none);
}

TEST(data_race, a_join_orders_only_the_thread_that_joins) {
  EXPECT_EQ(found_in([] {
              plain x{0};
              integer joined{0};
              checked::thread writer([&] { x.set(1); });
              checked::thread reader([&] {
                if (joined.load(relaxed) == 1) static_cast<void>(x.get());
              });
              writer.join();
              joined.store(1, relaxed);
              reader.join();
            }),
            violation::data_race);
}

TEST(data_race, is_found_only_where_the_racing_branch_is_reached) {
  // The read happens only if the flag was seen: found, although most executions do not reach it.
  const auto body = [](std::memory_order order) {
    plain x{0};
    integer a{0}, b{0};
    concurrently(
        [&] {
          x.set(1);
          a.store(1, order);
          b.store(1, order);
        },
        [&] {
          if (b.load(acquire) == 1 && a.load(relaxed) == 1) static_cast<void>(x.get());
        });
  };
  EXPECT_EQ(found_in([&] { body(relaxed); }), violation::data_race);
  EXPECT_EQ(found_in([&] { body(release); }), violation::none);
}

TEST(data_race, an_intermediate_thread_passes_happens_before_on) {
  const auto body = [](std::memory_order order) {
    plain x{0};
    integer a{0}, b{0};
    concurrently(
        [&] {
          x.set(1);
          a.store(1, release);
        },
        [&] {
          if (a.load(order) == 1) b.store(1, release);
        },
        [&] {
          if (b.load(acquire) == 1) x.set(2);
        });
  };
  EXPECT_EQ(found_in([&] { body(acquire); }), violation::none);
  EXPECT_EQ(found_in([&] { body(relaxed); }), violation::data_race);
}

TEST(data_race, a_mutex_orders_accesses) {
  EXPECT_EQ(found_in([] {
              plain x{0};
              checked::mutex m;
              in_threads(3, [&](unsigned) {
                const std::lock_guard lock(m);
                x.set(x.get() + 1);
              });
              require(x.get() == 3);
            }),
            violation::none);
  EXPECT_EQ(found_in([] {
              plain x{0};
              checked::mutex a, b;
              concurrently(
                  [&] {
                    const std::lock_guard lock(a);
                    x.set(1);
                  },
                  [&] {
                    const std::lock_guard lock(b);
                    x.set(2);
                  });
            }),
            violation::data_race);
}

TEST(data_race, construction_races_with_what_does_not_come_after_it) {
  struct box {
    plain value;
    explicit box(int v) : value(v) {}
  };
  const auto body = [](std::memory_order order) {
    checked::atomic<box*> shared{nullptr};
    std::optional<box> storage;
    concurrently(
        [&] {
          storage.emplace(1);
          shared.store(&*storage, order);
        },
        [&] {
          if (box* b = shared.load(acquire)) static_cast<void>(b->value.get());
        });
  };
  EXPECT_EQ(found_in([&] { body(relaxed); }), violation::data_race);
  EXPECT_EQ(found_in([&] { body(release); }), violation::none);
}

TEST(data_race, construction_of_an_atomic_races_too) {
  const auto body = [](std::memory_order order) {
    checked::atomic<integer*> shared{nullptr};
    std::optional<integer> storage;
    concurrently(
        [&] {
          storage.emplace(1);
          shared.store(&*storage, order);
        },
        [&] {
          if (integer* a = shared.load(acquire)) require(a->load(relaxed) == 1);
        });
  };
  EXPECT_EQ(found_in([&] { body(relaxed); }), violation::data_race);
  EXPECT_EQ(found_in([&] { body(release); }), violation::none);
}

TEST(data_race, destruction_while_another_thread_may_still_access) {
  const auto body = [](std::memory_order order) {
    std::optional<plain> x;
    x.emplace(0);
    integer done{0};
    concurrently(
        [&] {
          x->set(1);
          done.store(1, order);
        },
        [&] {
          if (done.load(acquire) == 1) x.reset();
        });
  };
  EXPECT_EQ(found_in([&] { body(release); }), violation::none);
  const violation kind = found_in([&] { body(relaxed); });
  EXPECT_TRUE(kind == violation::use_after_free || kind == violation::data_race) << to_string(kind);
}

TEST(data_race, a_whole_object_is_one_location) {
  struct point {
    int x, y;
  };
  EXPECT_EQ(found_in([] {
              checked::plain<point> p{point{0, 0}};
              concurrently([&] { p.write().x = 1; }, [&] { p.write().y = 1; });
            }),
            violation::data_race);
}

TEST(data_race, both_threads_and_the_place_are_named) {
  const result r = check({}, [] {
    plain x{0};
    concurrently([&] { x.set(1); }, [&] { x.set(2); });
  });
  ASSERT_TRUE(r.violation);
  EXPECT_NE(r.violation->message.find("thread 1"), std::string::npos) << r.violation->message;
  EXPECT_NE(r.violation->message.find("thread 2"), std::string::npos) << r.violation->message;
  EXPECT_NE(std::string(r.violation->where.file).find("data_race_test.cpp"), std::string::npos);
  EXPECT_EQ(r.violation->where.line, static_cast<unsigned>(__LINE__ - 6));
}

TEST(plain_data, of_a_trivial_type_has_no_value_until_one_is_written) {
  struct pair {
    int first, second;
  };
  EXPECT_EQ(found_in([] { static_cast<void>(plain{}.get()); }), violation::misuse);
  EXPECT_EQ(found_in([] { static_cast<void>(checked::plain<pair>{}.read()); }), violation::misuse);
  EXPECT_EQ(found_in([] {
              plain x;
              x.set(1);
              require(x.get() == 1);
              checked::plain<pair> both;
              both.write().first = 2;
              require(both.read().first == 2);
            }),
            violation::none);
  EXPECT_EQ(found_in([] { require(checked::plain<std::string>{}.get().empty()); }),
            violation::none);
}

TEST(data_race, values_of_any_type_are_handed_over) {
  EXPECT_EQ(found_in([] {
              checked::plain<std::string> text{std::string("first")};
              integer ready{0};
              concurrently(
                  [&] {
                    text.write() += ", and a text that is long enough for the heap";
                    ready.store(1, release);
                  },
                  [&] {
                    if (ready.load(acquire) == 1) require(text.read().size() > 20);
                  });
            }),
            violation::none);
}

}  // namespace
}  // namespace fencepost::verify::testing
