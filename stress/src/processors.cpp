#include "fencepost/stress/processors.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#if defined(__linux__)
#include <sched.h>
#endif

namespace fencepost::stress {

#if defined(__linux__)
namespace {

// A set of processors, with room for more than any machine has; cpu_set_t ends at 1,024.
class processor_set {
 public:
  processor_set() : set_(CPU_ALLOC(most)) { CPU_ZERO_S(size, set_); }
  ~processor_set() { CPU_FREE(set_); }
  processor_set(const processor_set&) = delete;
  processor_set& operator=(const processor_set&) = delete;

  void add(unsigned n) { CPU_SET_S(n, size, set_); }
  bool has(unsigned n) const { return CPU_ISSET_S(n, size, set_); }
  bool get_affinity() { return ::sched_getaffinity(0, size, set_) == 0; }
  bool set_affinity() const { return ::sched_setaffinity(0, size, set_) == 0; }

  static constexpr unsigned most = 8192;

 private:
  static inline const std::size_t size = CPU_ALLOC_SIZE(most);
  cpu_set_t* set_;
};

// Reads a small number; -1 if there is no such file.
int number_in(const std::string& file) {
  int number = -1;
  std::ifstream(file) >> number;
  return number;
}

}  // namespace

processors processors::of_this_machine() {
  processor_set allowed;
  if (!allowed.get_affinity()) return processors(std::vector<std::vector<unsigned>>());
  std::map<std::pair<int, int>, std::vector<unsigned>> cores;
  for (unsigned n = 0; n < processor_set::most; ++n) {
    if (!allowed.has(n)) continue;
    const std::string about = "/sys/devices/system/cpu/cpu" + std::to_string(n) + "/topology/";
    const int core = number_in(about + "core_id");
    // If the system does not report the core, each processor counts as a core of its own.
    const int number = static_cast<int>(n);
    cores[core < 0 ? std::pair{-1, number}
                   : std::pair{number_in(about + "physical_package_id"), core}]
        .push_back(n);
  }
  std::vector<std::vector<unsigned>> all;
  all.reserve(cores.size());
  for (const auto& [where, threads] : cores) all.push_back(threads);
  return processors(std::move(all));
}

bool stay_on(unsigned processor) noexcept {
  processor_set one;
  one.add(processor);
  return one.set_affinity();
}

bool stay_anywhere(const processors& all) noexcept {
  processor_set every;
  for (const auto& core : all.cores()) {
    for (const unsigned n : core) every.add(n);
  }
  return every.set_affinity();
}
#else
processors processors::of_this_machine() {
  return processors(std::vector<std::vector<unsigned>>());
}
bool stay_on(unsigned) noexcept { return false; }
bool stay_anywhere(const processors&) noexcept { return false; }
#endif

unsigned processors::count() const noexcept {
  std::size_t count = 0;
  for (const auto& core : cores_) count += core.size();
  if (count != 0) return static_cast<unsigned>(count);
  return std::max(1U, std::thread::hardware_concurrency());
}

bool processors::has(placement p) const noexcept {
  switch (p) {
    case placement::none: return true;
    case placement::same_core: return !cores_.empty();
    case placement::smt:
      return std::any_of(cores_.begin(), cores_.end(), [](const auto& c) { return c.size() > 1; });
    case placement::other_core: return cores_.size() > 1;
  }
  return false;
}

std::vector<unsigned> processors::seats(placement p, unsigned threads, unsigned team,
                                        std::size_t turn) const {
  std::vector<unsigned> seats;
  if (p == placement::none || !has(p)) return seats;
  std::vector<const std::vector<unsigned>*> cores;
  for (const auto& core : cores_) {
    if (p != placement::smt || core.size() > 1) cores.push_back(&core);
  }
  for (unsigned t = 0; t < threads; ++t) {
    if (p == placement::other_core) {
      const auto& core = *cores[(std::size_t{team} * threads + t + turn) % cores.size()];
      seats.push_back(core[turn / cores.size() % core.size()]);
    } else {
      const auto& core = *cores[(team + turn) % cores.size()];
      const std::size_t at = p == placement::smt ? t + turn / cores.size() : turn / cores.size();
      seats.push_back(core[at % core.size()]);
    }
  }
  return seats;
}

}  // namespace fencepost::stress
