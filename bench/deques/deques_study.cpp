// The programs of the lace.rs paper on four deques; the deque is a template parameter of a program.
//
//   deques_study [--rounds N] [--workers N] [--plot FILE] [PROGRAM...]
//
//   split            fork_join, whose word is accessed as a whole (iso_split_word)
//   split, halves    fork_join, whose split is stored separately, with a sequentially consistent
//                    fence where it is lowered (lace_split_word)
//   private          call_stack_deque over private_deque: thieves request, owners answer
//   Chase-Lev        call_stack_deque over chase_lev
//
// The first two steal back from their thieves, and keep tasks in the deque; the others steal at
// random, and keep tasks on the call stack. Prints a table in Markdown, and with --plot writes a
// script for gnuplot. Each round runs all deques of a program, so that a slow minute of the machine
// affects all. T1/TS compares processor time; T1/TN compares one worker with N (2 by default), by
// the clock. Steals and attempts are those of N workers. Exit status: 0; 1 a result is wrong; 2
// wrong usage.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../fork_join_programs.hpp"
#include "dense_programs.hpp"
#include "rows.hpp"
#include "samples.hpp"
#include "schedulers.hpp"

namespace {

using namespace fencepost;
using namespace fencepost::bench;

struct arguments {
  unsigned rounds = 1;
  unsigned workers = 2;
  std::string plot = {};
} how;

template <class Kind>
class measurement {
 public:
  template <class Spawning>
  void round(const Spawning& spawning, double sequential, std::uint64_t tasks,
             std::uint64_t right) {
    const seconds one = Kind::time(1, spawning, right);
    const seconds all = Kind::time(how.workers, spawning, right);
    overhead_.push_back(one.processor / sequential);
    per_task_.push_back((one.processor - sequential) * 1e9 / static_cast<double>(tasks));
    speedup_.push_back(one.clock / all.clock);
    const steal_counts counts = Kind::count(how.workers, spawning, right);
    steals_.push_back(static_cast<double>(counts.steals));
    attempts_.push_back(static_cast<double>(counts.attempts));
  }
  row result(const char* program) const {
    return {program,
            Kind::name,
            sample_of(overhead_),
            sample_of(per_task_),
            sample_of(speedup_),
            static_cast<std::uint64_t>(sample_of(steals_).median),
            static_cast<std::uint64_t>(sample_of(attempts_).median)};
  }

 private:
  std::vector<double> overhead_, per_task_, speedup_, steals_, attempts_;
};

// Measures a program, whose result is the same however it is run. `tasks`: how many it spawns.
template <class Sequential, class Spawning>
void measure(const char* name, std::uint64_t tasks, std::vector<row>& rows,
             const Sequential& sequential, const Spawning& spawning) {
  measurement<split> first;
  measurement<split_halves> second;
  measurement<with_requests> third;
  measurement<with_chase_lev> fourth;
  for (unsigned round = 0; round < how.rounds; ++round) {
    std::uint64_t right = 0;
    const double alone = timed([&] { right = sequential(); }).processor;
    const auto each = [&](auto& one) { one.round(spawning, alone, tasks, right); };
    each(first);
    each(second);
    each(third);
    each(fourth);
  }
  const std::size_t before = rows.size();
  rows.push_back(first.result(name));
  rows.push_back(second.result(name));
  rows.push_back(third.result(name));
  rows.push_back(fourth.result(name));
  for (std::size_t i = before; i < rows.size(); ++i) print(rows[i]);
}

template <class Tree>
void measure_uts(const char* name, std::vector<row>& rows) {
  measure(
      name, Tree::nodes - 1, rows,
      [] { return uts::sequential<Tree>(uts::root(Tree::seed)).nodes; },
      [](auto& me) noexcept { return uts::search<Tree>(me, uts::root(Tree::seed)).nodes; });
}

void measure_fib(const char* name, unsigned n, std::vector<row>& rows) {
  measure(
      name, tasks::fib(n), rows, [n] { return fib_sequential(n); },
      [n](auto& me) noexcept { return fib(me, n); });
}

void measure_matmul(const char* name, int size, std::uint64_t count, std::vector<row>& rows) {
  matrices all{size};
  const auto sum = [&all] {  // the same however the rows are computed
    double total = 0;
    for (const float each : all.c) total += each;
    return static_cast<std::uint64_t>(total);
  };
  measure(
      name, count, rows,
      [&] {
        matmul_sequential(all.all());
        return sum();
      },
      [&](auto& me) noexcept {
        matmul(me, all.all());
        return sum();
      });
}

template <class Factorization>
void measure_dense(const char* name, int size, std::vector<row>& rows) {
  dense::matrix start = Factorization::example(size), all = start;
  std::uint64_t count = 0;
  {
    dense::counting_worker counter;
    Factorization::run(counter, all.whole());
    count = counter.tasks;
  }
  measure(
      name, count, rows,
      [&] {
        all = start;
        dense::sequential_worker alone;
        Factorization::run(alone, all.whole());
        return all.digest();
      },
      [&](auto& me) noexcept {
        all = start;
        Factorization::run(me, all.whole());
        return all.digest();
      });
}

[[noreturn]] void usage(const std::string& what) {
  std::fprintf(stderr, "deques_study: %s\n", what.c_str());
  std::exit(2);
}

struct program {
  std::string_view name;
  bool by_default;
  std::function<void(std::vector<row>&)> measured;
};

const std::vector<program>& programs() {
  using rows = std::vector<row>;
  static const std::vector<program> all{
      {"fib-25", false, [](rows& to) { measure_fib("fib-25", 25, to); }},
      {"fib-38", true, [](rows& to) { measure_fib("fib-38", 38, to); }},
      {"queens-12", true,
       [](rows& to) {
         measure(
             "queens-12", tasks::queens_12, to, [] { return queens_sequential(12); },
             [](auto& me) noexcept { return queens(me, 12); });
       }},
      {"matmul-1024", true,
       [](rows& to) { measure_matmul("matmul-1024", 1024, tasks::matmul_1024, to); }},
      {"uts-t2", true, [](rows& to) { measure_uts<uts::t2>("uts-t2", to); }},
      {"uts-t3", true, [](rows& to) { measure_uts<uts::t3>("uts-t3", to); }},
      {"lu-1024", true, [](rows& to) { measure_dense<dense::lu>("lu-1024", 1024, to); }},
      {"cholesky-1024", true,
       [](rows& to) { measure_dense<dense::cholesky>("cholesky-1024", 1024, to); }},
      {"lu-128", false, [](rows& to) { measure_dense<dense::lu>("lu-128", 128, to); }},
      {"cholesky-128", false,
       [](rows& to) { measure_dense<dense::cholesky>("cholesky-128", 128, to); }},
  };
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const program*> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--rounds" || argument == "--workers" || argument == "--plot") {
      if (++i == argc) usage(std::string{argument} + " needs a value");
      const std::string_view value = argv[i];
      if (argument == "--plot") {
        how.plot = value;
        continue;
      }
      unsigned& number = argument == "--rounds" ? how.rounds : how.workers;
      const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
      if (read.ec != std::errc{} || read.ptr != value.data() + value.size() || number == 0) {
        usage(std::string{argument} + " needs a number from 1 up");
      }
      continue;
    }
    std::string names;
    for (const program& each : programs()) {
      if (each.name == argument) wanted.push_back(&each);
      names += " " + std::string{each.name};
    }
    if (wanted.empty() || wanted.back()->name != argument) {
      usage("there is no program " + std::string{argument} + "; there are" + names);
    }
  }
  if (wanted.empty()) {
    for (const program& each : programs()) {
      if (each.by_default) wanted.push_back(&each);
    }
  }
  print_head(how.workers);
  std::vector<row> rows;
  for (const program* each : wanted) each->measured(rows);
  if (!how.plot.empty()) plot(how.plot, rows);
}
