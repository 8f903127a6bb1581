// Figures of other checkers, measured elsewhere: a discarded trial of this explorer, and GenMC 0.11
// on the same machine and day as the trial.
#pragma once

#include <string_view>

namespace fencepost::bench {

enum class unit { executions, runs, milliseconds };

struct published {
  std::string_view program;  // the benchmark's name, with or without the size
  double trial = 0;          // per second, or milliseconds; 0: not known
  double genmc = 0;          // of a range, the end that is better for GenMC
  unit of = unit::executions;
  bool same_program = true;  // false: a program of the same kind, for orientation
};

inline constexpr published figures[] = {
    {"BM_checker_fetch_add/5", 335e3, 0},
    {"BM_checker_fetch_add/6", 353e3, 0},
    {"BM_checker_fetch_add/7", 312e3, 0},
    {"BM_checker_fetch_add/8", 284e3, 36e3},
    {"BM_checker_store_buffering/2", 777e3, 0},
    {"BM_checker_store_buffering/3", 641e3, 0},
    {"BM_checker_store_buffering_ring", 0, 88e3},
    {"BM_checker_ticket_lock/8", 0, 8e3},
    {"BM_checker_mutex/6", 102e3, 0},
    {"BM_checker_cas_ladder", 0, 170e3},
    {"BM_checker_cas_and_store", 0, 170e3, unit::executions, false},
    {"BM_checker_treiber_stack/3", 690e3, 0},
    {"BM_checker_chase_lev/2", 583e3, 0, unit::executions, false},
    {"BM_checker_chase_lev/3", 671e3, 0, unit::executions, false},
    {"BM_checker_tail_split", 735e3, 0, unit::executions, false},
    {"BM_checker_tail_split_lace", 946e3, 0, unit::runs, false},
    {"BM_checker_first_verdict", 0, 40, unit::milliseconds, false},
};

// Returns the figures for a benchmark, or null.
constexpr const published* find_published(std::string_view benchmark) {
  for (const published& p : figures) {
    const bool prefix = benchmark.substr(0, p.program.size()) == p.program;
    if (prefix && (benchmark.size() == p.program.size() || benchmark[p.program.size()] == '/'))
      return &p;
  }
  return nullptr;
}

}  // namespace fencepost::bench
