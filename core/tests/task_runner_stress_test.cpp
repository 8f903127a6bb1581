// The task runner on real threads: posters come and go, the runner is ended and destroyed while
// they post, and descriptors become ready meanwhile.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "fencepost/runtime/task_runner.hpp"
#include "stress_size.hpp"
#include "thread_group.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;

unsigned processors() { return std::max(1u, std::thread::hardware_concurrency()); }

class pipe_ends {
 public:
  pipe_ends() {
    if (::pipe(ends_.data()) != 0) throw std::runtime_error{"no pipe is to be had"};
  }
  ~pipe_ends() {
    close_write();
    ::close(ends_[0]);
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  int read_end() const { return ends_[0]; }
  void write(unsigned char byte) const { EXPECT_EQ(::write(ends_[1], &byte, 1), 1); }
  unsigned char read() const {
    unsigned char byte = 0;
    EXPECT_EQ(::read(ends_[0], &byte, 1), 1);
    return byte;
  }
  void close_write() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Checks that the numbered tasks of one poster run in order; accessed by the runner's thread only.
class in_order {
 public:
  void comes(unsigned number) {
    if (number != next_) ++wrong_;
    next_ = number + 1;
  }
  void were(unsigned count) const {
    EXPECT_EQ(next_, count);
    EXPECT_EQ(wrong_, 0u) << "tasks of one poster came out of their order";
  }

 private:
  unsigned next_ = 0, wrong_ = 0;
};

// Posts `count` tasks in one order, some small and some allocated, and delayed ones in an order of
// their own. Each place has one thread at a time: when it ends, the next one continues with its
// numbers.
struct posting_place {
  in_order posted, delayed;
  unsigned next_posted = 0, next_delayed = 0;

  template <class Done>
  void post(task_runner& runner, unsigned count, std::minstd_rand& random, const Done& done) {
    for (; count != 0; --count) {
      switch (random() % 8) {
        case 0:
          runner.post_delayed(
              [this, number = next_delayed++, &done] {
                delayed.comes(number);
                done();
              },
              0s);
          break;
        case 1:
          runner.post([this, number = next_posted++, &done, large = std::array<char, 100>{}] {
            posted.comes(number + static_cast<unsigned>(large[0]));
            done();
          });
          break;
        default:
          runner.post([this, number = next_posted++, &done] {
            posted.comes(number);
            done();
          });
      }
    }
  }
  // The same by one thread after another.
  template <class Done>
  void post_by_many(task_runner& runner, unsigned count, unsigned seed, const Done& done) {
    std::minstd_rand random{seed + 1};
    while (count != 0) {
      const unsigned some = std::min(count, std::uniform_int_distribution{1u, 3000u}(random));
      std::thread{[&] { post(runner, some, random, done); }}.join();
      count -= some;
    }
  }
  void all_came() const {
    posted.were(next_posted);
    delayed.were(next_delayed);
  }
};

void posters_come_and_go(unsigned batch) {
  constexpr unsigned places = 8;
  const unsigned each = stress_tasks() / places;
  task_runner runner{{.batch = batch}};
  std::vector<posting_place> all(places);
  unsigned left = places * each;
  const auto done = [&] {
    if (--left == 0) runner.quit();
  };
  thread_group posters;
  posters.start(places,
                [&](unsigned place) { all[place].post_by_many(runner, each, place, done); });
  runner.run();
  posters.join();
  EXPECT_EQ(left, 0u);
  for (const auto& place : all) place.all_came();
}
TEST(task_runner_stress, tasks_keep_the_order_of_posters_that_come_and_go) {
  posters_come_and_go(1);
}
TEST(task_runner_stress, tasks_keep_the_order_in_batches_too) { posters_come_and_go(16); }

// The posters are tasks of the runners themselves, most of which are asleep at any time.
TEST(task_runner_stress, runners_pass_tasks_around_on_eight_times_the_processors) {
  const unsigned count = 8 * processors(), hops = stress_tasks() / 10;
  std::vector<std::unique_ptr<task_runner>> runners;
  for (unsigned n = 0; n < count; ++n) runners.push_back(std::make_unique<task_runner>());
  constexpr unsigned tokens = 3;
  std::atomic<unsigned> ended{0};
  struct token {
    std::vector<std::unique_ptr<task_runner>>& runners;
    std::atomic<unsigned>& ended;
    unsigned at, left;
    void operator()() {
      EXPECT_TRUE(runners[at]->on_runner_thread());
      if (left != 0) {
        const unsigned next = (at + 1) % static_cast<unsigned>(runners.size());
        runners[next]->post(token{runners, ended, next, left - 1});
      } else if (ended.fetch_add(1) + 1 == tokens) {
        for (auto& runner : runners) runner->quit();
      }
    }
  };
  for (unsigned n = 0; n < tokens; ++n) runners[n]->post(token{runners, ended, n, hops / tokens});
  thread_group threads;
  threads.start(count, [&](unsigned index) { runners[index]->run(); });
  threads.join();
  EXPECT_EQ(ended.load(), tokens);
}

TEST(task_runner_stress, quit_from_another_thread_ends_run_behind_what_that_thread_has_posted) {
  constexpr unsigned places = 4, rounds = 50;
  const unsigned each = stress_tasks() / places;
  task_runner runner;
  std::vector<posting_place> all(places);
  unsigned ran = 0;
  const auto done = [&] { ++ran; };
  thread_group posters;
  posters.start(places,
                [&](unsigned place) { all[place].post_by_many(runner, each, place, done); });

  in_order quitters;
  std::atomic<unsigned> runs_ended{0};
  std::thread quitter{[&] {
    for (unsigned round = 0; round < rounds; ++round) {
      for (unsigned number = 0; number < 10; ++number) {
        runner.post([&, task = 10 * round + number] { quitters.comes(task); });
      }
      runner.quit();
      runs_ended.wait(round);
    }
  }};
  for (unsigned round = 0; round < rounds; ++round) {
    runner.run();
    quitters.were(10 * (round + 1));
    runs_ended.store(round + 1);
    runs_ended.notify_one();
  }
  quitter.join();
  posters.join();
  runner.run_until_idle();
  EXPECT_EQ(ran, places * each);
  for (const auto& place : all) place.all_came();
}

// Each callable is destroyed once, whether it has run or not.
TEST(task_runner_stress, a_runner_is_destroyed_with_what_is_left) {
  constexpr unsigned places = 4, rounds = 20;
  const unsigned each = stress_tasks() / rounds / places;
  std::atomic<unsigned> destroyed{0}, ran{0};
  struct counted {
    std::atomic<unsigned>*destroyed, *ran;
    counted(std::atomic<unsigned>& gone, std::atomic<unsigned>& called)
        : destroyed(&gone), ran(&called) {}
    counted(counted&& other) noexcept
        : destroyed(std::exchange(other.destroyed, nullptr)), ran(other.ran) {}
    ~counted() {
      if (destroyed != nullptr) destroyed->fetch_add(1, std::memory_order_relaxed);
    }
    void operator()() const { ran->fetch_add(1, std::memory_order_relaxed); }
    void operator()(watch_events) const {}
  };
  unsigned left = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const pipe_ends pipe;
    auto runner = std::make_unique<task_runner>();
    runner->add_watch(pipe.read_end(), counted{destroyed, ran});
    thread_group posters;
    posters.start(places, [&](unsigned place) {
      for (unsigned number = 0; number < each; ++number) {
        if (place == 0 && number == each / 2) runner->quit();
        if (number % 16 == 0) {
          runner->post_delayed(counted{destroyed, ran}, 1h);
        } else {
          runner->post(counted{destroyed, ran});
        }
      }
    });
    std::thread{[&] { runner->run(); }}.join();
    posters.join();  // nothing may post to a runner that is being destroyed
    const unsigned before = destroyed.load();
    runner.reset();
    left += destroyed.load() - before;
  }
  EXPECT_EQ(destroyed.load(), rounds * (places * each + 1));
  EXPECT_EQ(destroyed.load(), ran.load() + left);
  EXPECT_GE(left, rounds * each / 16) << "the delayed ones at least";
}

// Bytes arrive in order, and their end is reported, while others post and watches are added and
// removed.
TEST(task_runner_stress, descriptors_are_served_under_load) {
  constexpr unsigned writers = 3, places = 2;
  const unsigned bytes = stress_tasks() / 20, each = stress_tasks() / 4;
  task_runner runner;
  struct watched {
    pipe_ends pipe;
    unsigned read = 0, wrong = 0, ends = 0;
  };
  std::array<watched, writers> all;
  unsigned left = writers + places * each + 1;
  const auto done = [&] {
    if (--left == 0) runner.quit();
  };
  thread_group threads;
  threads.start(writers, [&](unsigned index) {
    watched& mine = all[index];
    runner.add_watch(mine.pipe.read_end(), [&](watch_events events) {
      if (events.readable) {
        mine.wrong += mine.pipe.read() != mine.read % 256;
        ++mine.read;
      } else {
        mine.ends += events.hung_up;
        runner.remove_watch(mine.pipe.read_end());
        done();
      }
    });
    for (unsigned byte = 0; byte < bytes; ++byte) {
      mine.pipe.write(static_cast<unsigned char>(byte % 256));
    }
    mine.pipe.close_write();
  });
  std::vector<posting_place> posters(places);
  threads.start(places,
                [&](unsigned place) { posters[place].post_by_many(runner, each, place, done); });

  // Always ready, but reported only while it is watched.
  const pipe_ends ready;
  ready.write(0);
  bool is_watched = false;  // accessed by the runner's thread only
  unsigned unasked = 0;
  std::atomic<unsigned> heard{0};
  threads.start(1, [&](unsigned) {
    for (unsigned round = 0; round < stress_tasks() / 1000; ++round) {
      runner.post([&] { is_watched = true; });
      runner.add_watch(ready.read_end(), [&](watch_events) {
        unasked += !is_watched;
        heard.fetch_add(1);
        heard.notify_one();
      });
      // Every other time, it is removed before the runner reaches it, or while it is pending.
      if (const unsigned before = heard.load(); round % 2 == 0) heard.wait(before);
      runner.remove_watch(ready.read_end());
      runner.post([&] { is_watched = false; });
    }
    runner.post(done);
  });

  runner.run();
  threads.join();
  EXPECT_EQ(unasked, 0u);
  for (const auto& each_one : all) {
    EXPECT_EQ(each_one.read, bytes);
    EXPECT_EQ(each_one.wrong, 0u);
    EXPECT_EQ(each_one.ends, 1u);
  }
  for (const auto& place : posters) place.all_came();
}

}  // namespace
}  // namespace fencepost
