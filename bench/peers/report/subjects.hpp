// The subjects of the tables and plots.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace fencepost::bench::peers {

struct work {
  std::string name;    // in the benchmark's name
  std::string header;  // of its column; '#' is the number of threads
};

// A family of benchmarks that share a table; ratios are to `ours.front()`.
struct subject {
  std::string family, title;
  std::vector<std::string> ours;
  std::vector<work> works;

  bool is_ours(const std::string& peer) const {
    return std::find(ours.begin(), ours.end(), peer) != ours.end();
  }
};

// Has tables of its own: the time with one worker and with all, beside the sequential program's.
inline const subject fork_join_subject{"fork_join",
                                       "Fork-join",
                                       {"fork_join", "fork_join_pinned", "thread_pool"},
                                       {{"fib", "fib(32)"},
                                        {"fib_38", "fib(38)"},
                                        {"queens", "queens(12)"},
                                        {"matmul", "matmul(512)"},
                                        {"uts_t1", "UTS T1"},
                                        {"uts_t3", "UTS T3"}}};

inline const std::vector<subject> subjects{
    {"deque",
     "Work-stealing deques: an item",
     {"chase_lev", "tail_split"},
     {{"push_pop", "push, pop"},
      {"push_steal", "push, steal"},
      {"owner_and_thief", "owner and thief"}}},
    {"mpsc",
     "Queues with many producers: an item",
     {"ticket_queue", "slab_queue"},
     {{"throughput", "#-producer"}, {"hand_over", "hand over"}}},
    {"runner",
     "Task runners: a task",
     {"task_runner"},
     {{"post", "#-poster"}, {"hand_over", "hand over"}}},
    {"barrier", "Barriers: a round", {"barrier", "barrier_spinning"}, {{"round", "#-thread"}}},
    {"wake", "Waking a thread", {"event_count", "futex", "wake_event"}, {{"latency", "wake-up"}}},
    {"latch", "A latch's life", {"core_latch", "completion"}, {{"life", "life"}}},
    {"scan",
     "Scanning directories: a file",
     {"fork_join", "thread_pool"},
     {{"directory", "#-worker"}}},
    {"algorithms",
     "Algorithms: an element",
     {"fork_join", "fork_join_inside"},
     {{"transform", "transform, #-worker"},
      {"scan", "scan, #-worker"},
      {"sort", "sort, #-worker"},
      {"sort_strings", "sort strings, #-worker"}}},
};

// Returns the header of a column: "#-producer" becomes "4 producers".
inline std::string header_of(const work& what, unsigned threads) {
  const std::size_t at = what.header.find("#-");
  if (at == std::string::npos) return what.header;
  return what.header.substr(0, at) + std::to_string(threads) + ' ' + what.header.substr(at + 2) +
         (threads == 1 ? "" : "s");
}

}  // namespace fencepost::bench::peers
