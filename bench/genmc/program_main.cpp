// Explores one program in a process of its own, so that its processor time and its memory can be
// measured from outside, and compared with GenMC's (ci/bench checker) and with those of programs
// that are checked as they are (ci/bench programs).
//
//   checker_program --list    prints the names
//   checker_program NAME [N]  explores it N times, by default once; prints a line of JSON:
//                             executions, blocked, peak_kib
//
// Exit status: 0; 1 a verdict other than "verified", or another number of executions than the known
// one; 2 usage.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "../checker_programs.hpp"
#include "bounded_deque.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/result.hpp"
#include "suite_programs.hpp"

namespace fencepost::bench {
namespace {

struct program {
  std::string_view name;  // as in genmc/programs.txt and programs/programs.txt
  std::uint64_t executions;
  verify::result (*explore)(const verify::options&);
};

template <class Program>
constexpr program entry(std::string_view name) {
  return {name, Program::executions, &verify::check_scenario<Program>};
}

constexpr program programs[] = {
    entry<nothing>("nothing"),
    entry<store_buffering_ring_accesses<14>>("sb_ring_accesses/14"),
    entry<store_buffering_ring<14>>("sb_ring_fences/14"),
    entry<failing_swaps<12>>("wcas/12"),
    entry<failing_swaps<14>>("wcas/14"),
    entry<four_locations<7, 3, 82'472>>("big0"),
    entry<four_locations<8, 6, 2'950'753>>("big1"),
    entry<bounded_deque_steals<2, 1, 1, 2, 2, 11'749>>("deque/2+2"),
    entry<bounded_deque_steals<5, 3, 2, 3, 1, 306'706>>("chase_lev/3"),
    entry<cas_ladder<10>>("casrot/10"),
    entry<cas_ladder<12>>("casrot/12"),
    entry<mutex_increment<8>>("lockinc/8"),
    entry<coherence_of_reads<5>>("CoA/5"),
    entry<read_write<6>>("rw/6"),
    entry<fibonacci>("fib"),
    entry<cas_and_store<5>>("casw/5"),
    entry<ticket_lock<8>>("ticketlock/8"),
    entry<readers<14>>("readers/14"),
    entry<fetch_add<8>>("fetch_add/8"),
    entry<last_zero<14>>("lastzero/14"),
    entry<indexer<15>>("indexer/15"),
    entry<waiting_array_lock<3>>("twalock/3"),
    entry<ticket_lock<7>>("ticketlock/7"),
    entry<treiber_stack<3>>("treiber_stack/3"),
    entry<guarded_buffer<7, 64>>("guarded_buffer/7"),
};

// Returns the peak resident memory of this process, in KiB; 0 if the system does not report it. Not
// from getrusage(), whose value starts with the memory of the process that started this one.
unsigned long peak_kib() {
  unsigned long kib = 0;
  if (std::FILE* status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, status) != nullptr)
      if (std::sscanf(line, "VmHWM: %lu", &kib) == 1) break;
    std::fclose(status);
  }
  return kib;
}

int explore_once(const program& p, verify::result& r) {
  r = p.explore({});
  if (r.outcome != verify::verdict::verified) {
    std::fprintf(stderr, "checker_program: %s\n", to_text(r).c_str());
    return 1;
  }
  if (r.executions != p.executions) {
    std::fprintf(
        stderr, "checker_program: %" PRIu64 " executions were explored, but %" PRIu64 " is right\n",
        r.executions, p.executions);
    return 1;
  }
  return 0;
}

int explore(const program& p, unsigned long times) {
  verify::result r;
  for (; times != 0; --times) {
    const int status = explore_once(p, r);
    if (status != 0) return status;
  }
  std::printf("{\"executions\": %" PRIu64 ", \"blocked\": %" PRIu64 ", \"peak_kib\": %lu}\n",
              r.executions, r.blocked, peak_kib());
  return 0;
}

int run(int argc, char** argv) {
  const std::string_view name = argc == 2 || argc == 3 ? argv[1] : "";
  const unsigned long times = argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 1;
  if (times == 0) {
    std::fprintf(stderr, "checker_program: \"%s\" is not a number from 1 up\n", argv[2]);
    return 2;
  }
  for (const program& p : programs) {
    if (name == "--list") std::printf("%s\n", p.name.data());
    if (name == p.name) return explore(p, times);
  }
  if (name == "--list") return 0;
  std::fprintf(stderr, "checker_program: \"%s\" is no program; --list prints the names\n",
               std::string(name).c_str());
  return 2;
}

}  // namespace
}  // namespace fencepost::bench

int main(int argc, char** argv) {
  try {
    return fencepost::bench::run(argc, argv);
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "checker_program: %s\n", wrong.what());
    return 2;
  }
}
