// How fast the checker explores: complete executions per second of the exploring thread's own time,
// on programs whose number of executions is known. A different count is an error, and so is any
// verdict other than "verified".
//
//   checker_bench [--table] [options of Google Benchmark]
//
// --table prints the table of docs/benchmarks.md. Exit status: 0, 1 (a count is wrong), 2 (usage).
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "checker_programs.hpp"
#include "deque_programs.hpp"
#include "fencepost/deque/split_word.hpp"
#include "fencepost/verify/check.hpp"
#include "run_suite.hpp"
#include "table_reporter.hpp"

namespace fencepost::bench {

namespace {

bool failed = false;

void fail(benchmark::State& state, std::string_view program, const std::string& why) {
  failed = true;
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(program.size()), program.data(), why.c_str());
  state.SkipWithError(why.c_str());
}

template <class Program>
void BM_explore(benchmark::State& state) {
  verify::result last;
  std::uint64_t executions = 0, runs = 0;
  for (auto step : state) {
    static_cast<void>(step);
    last = verify::check_scenario<Program>();
    executions += last.executions;
    runs += last.executions + last.blocked;
    if (last.outcome != verify::verdict::verified)
      return fail(state, Program::about.name, verify::to_text(last));
    if (Program::executions != 0 && last.executions != Program::executions)
      return fail(state, Program::about.name,
                  std::to_string(last.executions) + " executions were explored, but " +
                      std::to_string(Program::executions) + " is right");
  }
  using benchmark::Counter;
  state.counters["executions/s"] = Counter(static_cast<double>(executions), Counter::kIsRate);
  state.counters["runs/s"] = Counter(static_cast<double>(runs), Counter::kIsRate);
  state.counters["executions"] = static_cast<double>(last.executions);
  state.counters["blocked"] = static_cast<double>(last.blocked);
  if (last.memory != 0) state.counters["bytes"] = static_cast<double>(last.memory);
}

// The time from the call to the verdict, including all setup: two threads, two executions.
void BM_first_verdict(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    const verify::result r = verify::check({}, [] {
      policy::atomic<bool> ready{false};
      policy::plain<int> message{0};
      policy::thread sender([&] {
        message.set(42);
        ready.store(true, release);  // pairs with the acquire below
      });
      if (ready.load(acquire))  // pairs with the release above
        require(message.get() == 42, "the message is whole");
      sender.join();
    });
    if (r.outcome != verify::verdict::verified || r.executions != 2)
      return fail(state, "first_verdict", verify::to_text(r));
  }
}

template <class Program>
void explore(const char* name, unsigned size) {
  const std::string full = std::string("BM_checker_") + name + "/" + std::to_string(size);
  benchmark::RegisterBenchmark(full.c_str(), BM_explore<Program>)->Unit(benchmark::kMillisecond);
}

template <template <unsigned> class Program, unsigned... Sizes>
void explore_all(const char* name) {
  (explore<Program<Sizes>>(name, Sizes), ...);
}

// Named by how many tasks the owner pushes and how often each of two thieves tries.
template <template <class> class Word, unsigned Tasks, unsigned Steals>
void explore_tail_split(const char* name) {
  explore<tail_split_steal<Word, Tasks, 2, Steals>>(
      (std::string(name) + "/" + std::to_string(Tasks)).c_str(), Steals);
}

void register_all() {
  explore_all<fetch_add, 5, 6, 7, 8>("fetch_add");
  explore_all<store_buffering, 2, 3>("store_buffering");
  explore_all<store_buffering_ring, 8, 12>("store_buffering_ring");
  explore_all<cas_ladder, 9, 11>("cas_ladder");
  explore_all<cas_and_store, 4, 5>("cas_and_store");
  explore_all<ticket_lock, 4, 5, 6, 7, 8>("ticket_lock");
  explore_all<mutex_lock, 4, 5, 6>("mutex");
  explore_all<treiber_stack, 2, 3>("treiber_stack");
  explore_all<chase_lev_steal, 2, 3>("chase_lev");
  explore_tail_split<iso_split_word, 3, 1>("tail_split");
  explore_tail_split<iso_split_word, 3, 2>("tail_split");
  explore_tail_split<iso_split_word, 4, 2>("tail_split");
  explore_tail_split<lace_split_word, 3, 1>("tail_split_lace");
  explore_tail_split<lace_split_word, 3, 2>("tail_split_lace");
  explore_tail_split<lace_split_word, 4, 2>("tail_split_lace");
  benchmark::RegisterBenchmark("BM_checker_first_verdict", BM_first_verdict)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

}  // namespace fencepost::bench

int main(int argc, char** argv) {
  using namespace fencepost::bench;
  table_reporter table;
  const int status = run_suite(argc, argv, "checker_bench", table, register_all);
  return status == 0 && failed ? 1 : status;
}
