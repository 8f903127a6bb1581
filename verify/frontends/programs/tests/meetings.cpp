// Latches and barriers of the standard library; the first argument names the case.
#include <barrier>
#include <cassert>
#include <latch>
#include <thread>
#include <utility>

#include "named_program.hpp"

namespace {

void latches() {
  static std::latch done{2};
  static int results[2];
  both(
      [] {
        results[0] = 1;
        done.arrive_and_wait();
        assert(results[1] == 2);
      },
      [] {
        results[1] = 2;
        done.count_down();
      });
}
void latch_for_too_many() {
  static std::latch done{3};
  both([] { done.arrive_and_wait(); }, [] { done.count_down(); });
}
void barriers() {
  static std::barrier meeting{2};
  static int results[2];
  const auto work = [](int self) {
    results[self] = self + 1;
    meeting.arrive_and_wait();
    assert(results[1 - self] == 2 - self);
  };
  both([=] { work(0); }, [=] { work(1); });
}
void barrier_passed_early() {
  static std::barrier meeting{2};
  static int results[2];
  const auto work = [](int self) {
    results[self] = self + 1;
    static_cast<void>(meeting.arrive());
    assert(results[1 - self] == 2 - self);
  };
  both([=] { work(0); }, [=] { work(1); });
}
void latch_below_zero() {
  static std::latch done{1};
  both([] { done.count_down(); }, [] { done.count_down(); });
}

void barrier_of_three_in_phases() {
  static std::barrier meeting{3};
  static int results[3];
  const auto work = [](int self) {
    for (int phase = 1; phase <= 2; ++phase) {
      results[self] = phase;
      meeting.arrive_and_wait();
      for (const int result : results) assert(result == phase);
      meeting.arrive_and_wait();
    }
  };
  std::thread other([=] { work(2); });
  both([=] { work(0); }, [=] { work(1); });
  other.join();
}
void barrier_left_out_once() {
  static std::barrier meeting{2};
  static int results[2];
  both(
      [] {
        results[0] = 1;
        meeting.arrive_and_wait();
        results[0] = 2;
      },
      [] {
        meeting.arrive_and_wait();
        assert(results[0] == 1);
      });
}
int parts[2], sum = 0;
void add_up() noexcept { sum = parts[0] + parts[1]; }
void completion_of_a_phase() {
  static std::barrier meeting{2, add_up};
  const auto work = [](int self) {
    for (int phase = 1; phase <= 2; ++phase) {
      parts[self] = phase;
      meeting.arrive_and_wait();
      assert(sum == 2 * phase);
    }
  };
  both([=] { work(0); }, [=] { work(1); });
}
void token_used_later() {
  static std::barrier meeting{2};
  static int result = 0;
  both(
      [] {
        result = 1;
        static_cast<void>(meeting.arrive());
      },
      [] {
        auto token = meeting.arrive();
        meeting.wait(std::move(token));
        assert(result == 1);
      });
}
void dropped_by_one() {
  static std::barrier meeting{2};
  static int result = 0;
  both(
      [] {
        result = 1;
        meeting.arrive_and_drop();
      },
      [] {
        meeting.arrive_and_wait();
        assert(result == 1);
        meeting.arrive_and_wait();  // no other thread is expected
      });
}
void barrier_for_too_many() {
  static std::barrier meeting{3};
  both([] { meeting.arrive_and_wait(); }, [] { meeting.arrive_and_wait(); });
}
void too_many_at_a_barrier() {
  static std::barrier meeting{2};
  both([] { static_cast<void>(meeting.arrive(2)); }, [] { static_cast<void>(meeting.arrive(3)); });
}
// A thread that only arrives observes nothing that the other one has done.
void arrival_is_no_acquire() {
  static std::barrier meeting{3};
  static volatile int result = 0;  // else the compiler could deduce the assertion
  both(
      [] {
        result = 1;
        static_cast<void>(meeting.arrive());
      },
      [] {
        static_cast<void>(meeting.arrive());
        assert(result >= 0);
      });
}

void latch_of_less_than_none() { const std::latch done{-1}; }
void latch_by_less_than_none() {
  std::latch done{1};
  done.count_down(-1);
}

constexpr named tests[] = {FENCEPOST_NAMED(latches),
                           FENCEPOST_NAMED(latch_of_less_than_none),
                           FENCEPOST_NAMED(latch_by_less_than_none),
                           FENCEPOST_NAMED(latch_for_too_many),
                           FENCEPOST_NAMED(barriers),
                           FENCEPOST_NAMED(barrier_passed_early),
                           FENCEPOST_NAMED(latch_below_zero),
                           FENCEPOST_NAMED(barrier_of_three_in_phases),
                           FENCEPOST_NAMED(barrier_left_out_once),
                           FENCEPOST_NAMED(completion_of_a_phase),
                           FENCEPOST_NAMED(token_used_later),
                           FENCEPOST_NAMED(dropped_by_one),
                           FENCEPOST_NAMED(barrier_for_too_many),
                           FENCEPOST_NAMED(too_many_at_a_barrier),
                           FENCEPOST_NAMED(arrival_is_no_acquire)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
