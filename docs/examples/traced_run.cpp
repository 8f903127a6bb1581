// Measures the Mandelbrot set with a thread_pool, then with a fork_join, and records what their
// workers did. Open FILE in https://ui.perfetto.dev, or with ci/trace_picture.py.
//
//   traced_run FILE
//
// Exit status: 0; 1 if the file cannot be written, or the machine refuses memory or threads; 2 for
// wrong usage.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

#include "fencepost/runtime/chrome_trace.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/task_group.hpp"
#include "fencepost/runtime/thread_pool.hpp"

namespace {

// [types]
using pool_type = fencepost::traced_thread_pool;  // thread_pool: nothing is recorded
using fork_join_type = fencepost::basic_fork_join<fencepost::fork_join_features{.trace = true}>;
using worker = fork_join_type::worker;
// [types]

constexpr int pictures = 2, rows = 24, columns = 800, most_steps = 1000;

// Counts the points of a row that belong to the set.
int row(int at) noexcept {
  int inside = 0;
  for (int column = 0; column < columns; ++column) {
    const double x = 3.0 * column / columns - 2.25, y = 2.5 * at / rows - 1.25;
    double re = 0, im = 0;
    int steps = 0;
    for (; steps < most_steps && re * re + im * im < 4; ++steps) {
      const double next = re * re - im * im + x;
      im = 2 * re * im + y;
      re = next;
    }
    inside += steps == most_steps ? 1 : 0;
  }
  return inside;
}

int by_jobs(pool_type& pool) {
  std::atomic<int> inside{0};
  fencepost::basic_task_group tasks{pool};
  tasks.run([&] {
    const auto here = pool_type::span("picture");
    for (int at = 0; at < rows; ++at) {
      // [job]
      tasks.run([&inside, at] {
        const auto until_the_end = pool_type::span("row");
        inside += row(at);
      });
      // [job]
    }
  });
  tasks.wait();
  return inside;
}

// [task]
int by_tasks(worker& me, int first, int last) noexcept {
  const auto here = me.span(last - first == 1 ? "row" : "rows");
  if (last - first == 1) return row(first);
  const int middle = (first + last) / 2;
  auto upper = me.spawn([=](worker& who) noexcept { return by_tasks(who, first, middle); });
  const int lower = by_tasks(me, middle, last);
  return me.sync(upper) + lower;
}
// [task]

bool run(const char* file) {
  // [run]
  pool_type jobs{{.workers = 3, .name = "jobs"}};
  fork_join_type tasks{{.workers = 3, .name = "tasks"}};
  // [run]
  constexpr std::chrono::milliseconds pause{2};  // lets the workers fall asleep
  int inside = 0;
  for (int picture = 0; picture < pictures; ++picture) {
    std::this_thread::sleep_for(pause);
    inside += by_jobs(jobs);
  }
  for (int picture = 0; picture < pictures; ++picture) {
    std::this_thread::sleep_for(pause);
    inside -= tasks.run([](worker& me) { return by_tasks(me, 0, rows); });
  }
  // [write]
  jobs.stop();
  tasks.stop();
  fencepost::write_chrome_trace(file, {jobs.trace(), tasks.trace()});
  // [write]
  return inside == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "traced_run: a file for the trace is wanted\nusage: traced_run FILE\n");
    return 2;
  }
  try {
    if (!run(argv[1])) return 1;
    std::printf("%s: to be opened in https://ui.perfetto.dev\n", argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "traced_run: %s\n", error.what());
    return 1;
  }
}
