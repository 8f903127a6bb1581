// The processors that this process may use, and where the threads of a scenario are put.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fencepost::stress {

// How the threads of one instance lie to each other.
enum class placement : std::uint8_t {
  none,        // where the system likes
  same_core,   // on one processor: they alternate
  smt,         // on the hardware threads of one core
  other_core,  // on a core each, as far as there are so many
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
  // Of this machine, as Linux tells it (/sys/devices/system/cpu, the affinity mask). Elsewhere
  // there is a number, and no places to choose.
  static processors of_this_machine();

  // cores: the processors of each. Numbers are the system's.
  explicit processors(std::vector<std::vector<unsigned>> cores) : cores_(std::move(cores)) {}

  // How many threads can run at once; at least 1.
  unsigned count() const noexcept;
  bool has(placement) const noexcept;
  // The processor of each of `threads` threads, or nothing for placement::none. `turn`: another
  // choice for each; teams that run side by side keep out of each other's way where there is room.
  // Only for a placement that there is.
  std::vector<unsigned> seats(placement, unsigned threads, unsigned team, std::size_t turn) const;

  const std::vector<std::vector<unsigned>>& cores() const noexcept { return cores_; }

 private:
  std::vector<std::vector<unsigned>> cores_;  // none: nothing is known
};

// Keeps the calling thread there. False: the system does not do so.
bool stay_on(unsigned processor) noexcept;
// Back to all that the process may use.
bool stay_anywhere(const processors&) noexcept;

}  // namespace fencepost::stress
