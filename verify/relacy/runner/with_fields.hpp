// A policy with all members, for reading the names of scenarios. Nothing runs on it.
#pragma once

#include <cstdint>

#include "fencepost/atomics/std_atomics.hpp"

namespace fencepost::relacy {

struct with_fields : std_atomics {
  struct halves {
    halves(std::uint32_t, std::uint32_t);
    std::uint64_t load(std::memory_order) const;
    void store(std::uint64_t, std::memory_order);
    bool compare_exchange_weak(std::uint64_t&, std::uint64_t, std::memory_order, std::memory_order);
    bool compare_exchange_strong(std::uint64_t&, std::uint64_t, std::memory_order,
                                 std::memory_order);
    std::uint32_t load_low(std::memory_order) const;
    std::uint32_t load_high(std::memory_order) const;
    void store_low(std::uint32_t, std::memory_order);
    void store_high(std::uint32_t, std::memory_order);
  };
};

}  // namespace fencepost::relacy
