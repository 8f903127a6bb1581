// xenium: Ramalhete's queue of pointers, with epochs; it also supports many consumers. The items
// are shifted and cast to pointers, since the queue uses the lowest bits.
#include <array>  // which xenium's headers use
#include <cstddef>
#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_xenium {
  static constexpr bool fifo = true;
  xenium::ramalhete_queue<std::byte*, xenium::policy::reclaimer<xenium::reclamation::epoch_based<>>>
      queue;
  // Plus one, since null is not an item.
  void push(item i) { queue.push(reinterpret_cast<std::byte*>((i + 1) << 4)); }
  std::optional<item> pop() {
    std::byte* got = nullptr;
    if (!queue.try_pop(got)) return std::nullopt;
    return (reinterpret_cast<item>(got) >> 4) - 1;
  }
};

[[maybe_unused]] const bool registered = register_queue<on_xenium>("xenium_ramalhete");

}  // namespace
}  // namespace fencepost::bench::peers
