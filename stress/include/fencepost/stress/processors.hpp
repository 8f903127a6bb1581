// The processors that this process may use, and where the threads of a scenario are put.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fencepost::stress {

// Where the threads of one instance run relative to each other.
enum class placement : std::uint8_t {
  none,        // wherever the system puts them
  same_core,   // on one processor: they alternate
  smt,         // on the hardware threads of one core
  other_core,  // each on a core of its own, if there are enough
};

inline constexpr placement every_placement[] = {placement::none, placement::same_core,
                                                placement::smt, placement::other_core};

constexpr std::string_view to_string(placement p) noexcept {
  switch (p) {
    case placement::none: return "none";
    case placement::same_core: return "same-core";
    case placement::smt: return "smt";
    case placement::other_core: return "other-core";
  }
  return "?";
}

class processors {
 public:
  // Those of this machine, as Linux reports them (/sys/devices/system/cpu, the affinity mask). On
  // other systems only their number is known, and there is no placement to choose.
  static processors of_this_machine();

  // `cores` lists the processors of each core, by the system's numbers.
  explicit processors(std::vector<std::vector<unsigned>> cores) : cores_(std::move(cores)) {}

  // Returns how many threads can run at once; at least 1.
  unsigned count() const noexcept;
  bool has(placement) const noexcept;
  // Returns the processor of each of `threads` threads, or nothing for placement::none. The machine
  // must have the placement. Each `turn` gives another choice; teams that run in parallel get
  // different processors if there are enough.
  std::vector<unsigned> seats(placement, unsigned threads, unsigned team, std::size_t turn) const;

  const std::vector<std::vector<unsigned>>& cores() const noexcept { return cores_; }

 private:
  std::vector<std::vector<unsigned>> cores_;  // empty: nothing is known
};

// Pins the calling thread to the processor. Returns false if the system does not do so.
bool stay_on(unsigned processor) noexcept;
// Lets the calling thread use all of these processors again.
bool stay_anywhere(const processors&) noexcept;

}  // namespace fencepost::stress
