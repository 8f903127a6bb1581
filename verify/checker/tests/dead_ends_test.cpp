// Loads in waiting loops try older sources first: skipping those that lead nowhere loses nothing.
#include <cstdlib>

#include "programs.hpp"
#include "tried_waits.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

TEST(dead_ends, lead_nowhere) { EXPECT_EQ(wrong_dead_ends(), ""); }

// The number of programs is 300, or FENCEPOST_RANDOM_PROGRAMS.
TEST(dead_ends, of_programs_drawn_at_random_lead_nowhere) {
  const char* const number = std::getenv("FENCEPOST_RANDOM_PROGRAMS");
  const auto programs = number == nullptr ? 300UL : std::strtoul(number, nullptr, 10);
  EXPECT_EQ(wrong_drawn_waits(1'000, static_cast<unsigned>(programs)), "");
}

// An older source that leads nowhere gets no run of its own.
TEST(dead_ends, are_no_runs) {
  options o;
  const result r = check(o, [] {
    integer x{0};
    concurrently(
        [&] {
          for (int i = 1; i <= 9; ++i) x.store(i, relaxed);
        },
        [&] {
          while (x.load(relaxed) != 9) checked::spin_pause();
        });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 1U);
  EXPECT_EQ(r.blocked, 0U);
}

// An older value that ends the loop is found, with everything that follows from it.
TEST(dead_ends, are_told_from_what_ends_the_loop) {
  EXPECT_EQ(outcomes_of({},
                        [] {
                          integer x{0};
                          int seen = 0;
                          concurrently(
                              [&] {
                                for (int i = 1; i <= 6; ++i) x.store(i, relaxed);
                              },
                              [&] {
                                do seen = x.load(relaxed);
                                while (seen % 2 != 0 || seen == 0);
                              });
                          outcome(seen);
                        }),
            (std::set<std::string>{"2", "4", "6"}));
}

// The data that an idle turn reads may be written concurrently, whichever source the turn reads.
TEST(dead_ends, race_with_what_they_access) {
  const auto races = [](bool published) {
    return found_in_every_order([=] {
      integer ready{0};
      checked::plain<int> data{0};
      concurrently(
          [&] {
            ready.store(1, relaxed);
            data.set(1);
            ready.store(2, published ? release : relaxed);
          },
          [&] {
            while (ready.load(acquire) != 2) {
              if (!published) static_cast<void>(data.get());
            }
            static_cast<void>(data.get());
          });
    });
  };
  EXPECT_EQ(races(true), violation::none);
  EXPECT_EQ(races(false), violation::data_race);
}

// In the end the thread reads the latest value in vain.
TEST(dead_ends, do_not_hide_that_a_thread_waits_forever) {
  EXPECT_EQ(found_in_every_order([] {
              integer x{0};
              concurrently(
                  [&] {
                    for (const int i : {1, 2, 3}) x.store(i, relaxed);
                  },
                  [&] {
                    while (x.load(relaxed) != 2) checked::spin_pause();
                  });
            }),
            violation::liveness);
}

}  // namespace
}  // namespace fencepost::verify::testing
