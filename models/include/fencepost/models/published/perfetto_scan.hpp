// The order in which Perfetto's task runner takes tasks, as published (PERF-05, 22): it scans the
// words of the bitmap one after the other, and takes the lowest bit of the first word that has one.
//
// The checker finds: the tasks of one poster may run in the wrong order. The reader looks at a
// word, the poster publishes the word's last slot and the next word's first one, and the reader
// looks at the next word. The same happens between two slabs. It is correct to look at the
// earlier words again when something was found (slab_queue/fifo_across_words).
//
// Here a word has one bit, and tasks are numbers.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

template <class P>
struct perfetto_scan_order {
  static constexpr auto about =
      scenario{.name = "published/perfetto_scan_order",
               .threads = 2,
               .claim = "a poster's second task, in the next word, runs before its first",
               .expected = violation::assertion};
  typename P::template atomic<unsigned> tasks_written[2];
  typename P::template plain<unsigned> tasks[2];

  void before() {
    for (auto& word : tasks_written) word.store(0, std::memory_order_relaxed);
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned word = 0; word < 2; ++word) {
        if (tasks_written[word].load(std::memory_order_acquire) == 0) continue;
        require(tasks[word].get() == 1, "the task posted first runs first");
        return;
      }
    } else {
      for (unsigned word = 0; word < 2; ++word) {
        tasks[word].set(word + 1);
        tasks_written[word].fetch_or(1, std::memory_order_release);
      }
    }
  }
};

using perfetto_scan_list = scenario_list<perfetto_scan_order>;

}  // namespace fencepost::models::published
