// What the processes of one exploration share while they run.
#pragma once

#include <atomic>
#include <cstdint>

namespace fencepost::verify {

inline constexpr unsigned most_processes = 256;

struct division_state {
  struct counts {
    std::atomic<std::uint64_t> executions{0};
    std::atomic<std::uint64_t> blocked{0};
  };
  std::atomic<bool> stop{false};
  std::atomic<int> wanted{0};  // parts, for processes that have none
  counts of[most_processes];
};

}  // namespace fencepost::verify
