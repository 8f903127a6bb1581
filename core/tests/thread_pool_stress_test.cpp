// The thread pool on real threads, eight per processor: random trees of jobs from several threads
// at once, submitters that come and go, and pools that are stopped while they are in use.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fencepost/runtime/thread_pool.hpp"
#include "stress_size.hpp"
#include "thread_group.hpp"

namespace fencepost {
namespace {

// With 0 rounds, idle workers sleep as soon as they may, so that nearly every job must wake one.
thread_pool_options of(std::uint32_t workers, std::uint32_t rounds = 32) {
  thread_pool_options options;
  options.workers = workers;
  options.sleep.rounds_until_sleepy = rounds;
  options.sleep.rounds_until_sleeping = rounds + 1;
  return options;
}

std::uint32_t eight_a_processor() { return 8 * std::max(1u, std::thread::hardware_concurrency()); }

// How a job is given to the pool.
enum class way : std::uint8_t { submitted, called, joined, posted };

// A tree of jobs: the result of a job is its worth plus its children's results, or an exception.
struct node {
  way how = way::submitted;
  std::int64_t worth = 0;
  bool fails = false;  // after its children have ended
  std::vector<node> children{};
};

std::ostream& operator<<(std::ostream& out, const node& n) {
  static constexpr const char* names[]{"submit", "call", "join", "post"};
  out << names[static_cast<unsigned>(n.how)] << ' ' << n.worth << (n.fails ? " fails" : "");
  if (n.children.empty()) return out;
  out << " {";
  for (const node& child : n.children) out << ' ' << child << ';';
  return out << " }";
}

rc::Gen<node> any_tree(int depth) {
  return rc::gen::exec([depth] {
    node n;
    n.how = *rc::gen::element(way::submitted, way::called, way::joined, way::posted);
    n.worth = *rc::gen::inRange(-100, 100);
    n.fails = *rc::gen::weightedElement<bool>({{7, false}, {1, true}});
    if (depth > 0) {
      n.children =
          *rc::gen::scale(0.35, rc::gen::container<std::vector<node>>(any_tree(depth - 1)));
    }
    return n;
  });
}

struct failure : std::runtime_error {
  explicit failure(const node& of) : std::runtime_error{std::to_string(of.worth)}, who{&of} {}
  const node* who;
};

// Returns a child's result; if the child fails, a number that stands for its exception.
template <class F>
std::int64_t outcome_of(const node& child, F&& result) {
  try {
    return result();
  } catch (const failure& error) {
    return error.who == &child ? 1000 * child.worth + 7 : throw;
  }
}

// Evaluates a tree sequentially. `posted` sums the results of posted jobs, for which only the
// caller that began the evaluation waits.
std::int64_t in_sequence(const node& n, std::int64_t& posted) {
  std::int64_t sum = n.worth;
  for (const node& child : n.children) {
    (child.how == way::posted ? posted : sum) +=
        outcome_of(child, [&] { return in_sequence(child, posted); });
  }
  return n.fails ? throw failure{n} : sum;
}
std::int64_t in_sequence(const node& root) {
  std::int64_t posted = 0;
  const std::int64_t result = outcome_of(root, [&] { return in_sequence(root, posted); });
  return result + posted;
}

// One evaluation of a tree.
class evaluation {
 public:
  explicit evaluation(thread_pool& pool) : pool_{pool} {}

  // Must not be called by a worker.
  std::int64_t operator()(const node& root) {
    const std::int64_t result =
        outcome_of(root, [&] { return pool_.call([&] { return value(root); }); });
    for (unsigned left = posts_->left.load(); left != 0; left = posts_->left.load()) {
      posts_->left.wait(left);
    }
    return result + posts_->sum.load();
  }

 private:
  std::int64_t value(const node& n) {
    std::int64_t sum = n.worth;
    std::vector<std::pair<const node*, pool_future<std::int64_t>>> submitted;
    for (auto child = n.children.begin(); child != n.children.end(); ++child) {
      const node& one = *child;
      switch (one.how) {
        case way::submitted:
          submitted.emplace_back(&one, pool_.submit([this, &one] { return value(one); }));
          break;
        case way::called:
          sum += outcome_of(one, [&] { return pool_.call([&] { return value(one); }); });
          break;
        case way::posted: post(one); break;
        case way::joined: {
          // Joins it with the next child, if that is joined too.
          const bool pair = child + 1 != n.children.end() && child[1].how == way::joined;
          const node* const other = pair ? &*++child : nullptr;
          sum += join(one, other);
        }
      }
    }
    for (auto& [child, future] : submitted) {
      sum += outcome_of(*child, [&future = future] { return future.get(); });
    }
    return n.fails ? throw failure{n} : sum;
  }

  std::int64_t join(const node& left, const node* right) {
    std::int64_t results[2]{};
    const auto run = [&](const node& child, std::int64_t& result) {
      result = 1000 * child.worth + 7;
      result = value(child);
    };
    const node* failed = nullptr;
    try {
      pool_.join([&] { run(left, results[0]); },
                 [&] {
                   if (right != nullptr) run(*right, results[1]);
                 });
    } catch (const failure& error) {
      failed = error.who;
    }
    const node* const expected = left.fails                         ? &left
                                 : right != nullptr && right->fails ? right
                                                                    : nullptr;
    if (failed != expected) throw std::logic_error{"the wrong exception left a join"};
    return results[0] + results[1];
  }

  void post(const node& child) {
    posts_->left.fetch_add(1);
    // The job shares ownership of the counts: the waiting thread may be gone before notify_all().
    pool_.post([this, &child, posts = posts_] {
      posts->sum.fetch_add(outcome_of(child, [&] { return value(child); }));
      if (posts->left.fetch_sub(1) == 1) posts->left.notify_all();
    });
  }

  struct posts {
    std::atomic<unsigned> left{0};
    std::atomic<std::int64_t> sum{0};
  };
  thread_pool& pool_;
  const std::shared_ptr<posts> posts_ = std::make_shared<posts>();
};

RC_GTEST_PROP(thread_pool_stress, trees_from_several_threads_give_what_they_give_in_sequence, ()) {
  const node root = *any_tree(4);
  const auto workers = *rc::gen::element(1u, 2u, 3u, eight_a_processor());
  const auto rounds = *rc::gen::element(0u, 32u);
  const std::int64_t expected = in_sequence(root);
  std::atomic<unsigned> wrong{0};
  {
    thread_pool pool{of(workers, rounds)};
    thread_group submitters;
    submitters.start(3, [&](unsigned) {
      for (int round = 0; round < 3; ++round) wrong += evaluation{pool}(root) != expected;
    });
  }
  RC_ASSERT(wrong.load() == 0u);
}

// A mark for each task: it must run once, and what it did must be visible after stop().
class marks {
 public:
  explicit marks(unsigned count) : runs_(count, 0) {}
  void run(unsigned number) { ++runs_[number]; }
  unsigned count() const { return static_cast<unsigned>(runs_.size()); }
  void each_once() const {
    EXPECT_EQ(std::count(runs_.begin(), runs_.end(), 1), std::ptrdiff_t{count()});
  }

 private:
  std::vector<std::uint8_t> runs_;
};

void join_all(thread_pool& pool, marks& tasks, unsigned first, unsigned count) {
  if (count == 1) return tasks.run(first);
  const unsigned half = count / 2;
  pool.join([&] { join_all(pool, tasks, first, half); },
            [&] { join_all(pool, tasks, first + half, count - half); });
}

unsigned submit_all(thread_pool& pool, marks& tasks, unsigned first, unsigned count) {
  if (count == 1) return tasks.run(first), 1;
  const unsigned half = count / 2;
  auto left = pool.submit([&, first, half] { return submit_all(pool, tasks, first, half); });
  const unsigned right = submit_all(pool, tasks, first + half, count - half);
  return left.get() + right;
}

void post_all(thread_pool& pool, marks& tasks, unsigned first, unsigned count) {
  if (count == 1) return tasks.run(first);
  const unsigned half = count / 2;
  pool.post([&, first, half] { post_all(pool, tasks, first, half); });
  pool.post([&, first, half, count] { post_all(pool, tasks, first + half, count - half); });
}

TEST(thread_pool_stress, every_joined_task_is_run_once) {
  marks tasks{stress_tasks()};
  thread_pool pool{of(eight_a_processor())};
  pool.call([&] { join_all(pool, tasks, 0, tasks.count()); });
  tasks.each_once();
}

TEST(thread_pool_stress, every_submitted_task_is_run_once) {
  marks tasks{stress_tasks()};
  thread_pool pool{of(eight_a_processor())};
  EXPECT_EQ(pool.call([&] { return submit_all(pool, tasks, 0, tasks.count()); }), tasks.count());
  tasks.each_once();
}

TEST(thread_pool_stress, every_posted_task_is_run_once) {
  marks tasks{stress_tasks()};
  thread_pool pool{of(eight_a_processor())};
  pool.post([&] { post_all(pool, tasks, 0, tasks.count()); });
  pool.stop();
  tasks.each_once();
}

// Each place has one thread at a time: when it ends, the next one continues.
void submitters_come_and_go(std::uint32_t rounds) {
  constexpr unsigned places = 6;
  const unsigned each = stress_tasks() / places;
  marks tasks{places * each};
  thread_pool pool{of(eight_a_processor(), rounds)};
  const auto submit = [&](unsigned first, unsigned count, std::minstd_rand& random) {
    std::vector<pool_future<unsigned>> later;
    unsigned done = 0;
    for (unsigned number = first; number != first + count; ++number) {
      const auto run = [&tasks, number] { return tasks.run(number), 1u; };
      switch (random() % 64) {
        case 0: done += pool.call(run); break;
        case 1: done += pool.submit(run).get(); break;
        case 2: pool.join([&] { done += run(); }, [] {}); break;
        default:
          if (random() % 2 == 0) {
            pool.post(run);
            ++done;
          } else {
            later.push_back(pool.submit(run));
          }
      }
      // The handles of some jobs are discarded.
      if (later.size() == 100) {
        for (unsigned i = 0; i < 50; ++i) done += later[i].get();
        done += 50;
        later.clear();
      }
    }
    for (auto& future : later) done += future.get();
    EXPECT_EQ(done, count);
  };
  thread_group threads;
  threads.start(places, [&](unsigned place) {
    std::minstd_rand random{place + 1};
    for (unsigned done = 0; done != each;) {
      const unsigned some = std::min(each - done, std::uniform_int_distribution{1u, 3000u}(random));
      std::thread{[&] { submit(place * each + done, some, random); }}.join();
      done += some;
    }
  });
  threads.join();
  pool.stop();
  tasks.each_once();
}
TEST(thread_pool_stress, submitters_come_and_go) { submitters_come_and_go(32); }
TEST(thread_pool_stress, submitters_come_and_go_while_workers_sleep_at_once) {
  submitters_come_and_go(0);
}

// Whichever thread stops the pool, what was accepted from outside runs, and everything that it
// submits.
TEST(thread_pool_stress, a_pool_that_is_stopped_under_load_runs_what_it_accepted_and_all_its_jobs) {
  constexpr unsigned rounds = 20, submitters = 3;
  const unsigned enough = stress_tasks() / rounds / submitters / 8;
  for (unsigned round = 0; round < rounds; ++round) {
    thread_pool pool{of(eight_a_processor(), round % 2 == 0 ? 0 : 32)};
    std::atomic<unsigned> accepted{0}, runs{0};
    const auto run = [&] { runs.fetch_add(1, std::memory_order_relaxed); };
    const auto job = [&] {  // 8 runs
      pool.join(
          [&] {
            pool.post(run);
            pool.submit(run).get();
          },
          [&] {
            pool.post([&] {
              pool.post(run);
              static_cast<void>(pool.submit(run));
              pool.join(run, run);
            });
            pool.call(run);
          });
      run();
    };
    thread_group threads;
    threads.start(submitters, [&](unsigned) {
      std::vector<pool_future<void>> kept;
      try {
        for (;;) {
          kept.push_back(pool.submit(job));
          accepted.fetch_add(1, std::memory_order_relaxed);
          if (kept.size() % 64 == 0) kept.back().wait();  // not too far ahead
        }
      } catch (const pool_stopped&) {
      }
      for (auto& future : kept) future.get();
    });
    while (accepted.load() < enough) std::this_thread::yield();
    threads.start(2, [&](unsigned) { pool.stop(); });
    threads.join();
    EXPECT_EQ(runs.load(), 8 * accepted.load());
  }
}

// There is never much to do, so that the workers leave as soon as they may; of the many submitters,
// some are preempted on their way in.
TEST(thread_pool_stress, a_pool_that_is_stopped_with_little_to_do_strands_nothing) {
  constexpr unsigned submitters = 8, ahead = 8;
  const unsigned rounds = stress_tasks() / 2000;
  for (unsigned round = 0; round < rounds; ++round) {
    thread_pool pool{of(1 + round % 2, round % 4 < 2 ? 0 : 32)};
    std::atomic<unsigned> accepted{0}, runs{0};
    thread_group threads;
    threads.start(submitters, [&](unsigned) {
      try {
        for (;;) {
          pool.post([&] { runs.fetch_add(1, std::memory_order_relaxed); });
          const unsigned given = accepted.fetch_add(1, std::memory_order_relaxed) + 1;
          while (given > runs.load(std::memory_order_relaxed) + ahead) std::this_thread::yield();
        }
      } catch (const pool_stopped&) {
      }
    });
    while (accepted.load() < 100 + round % 64) std::this_thread::yield();
    pool.stop();
    threads.join();
    ASSERT_EQ(runs.load(), accepted.load());
  }
}

}  // namespace
}  // namespace fencepost
