// Placement by hwloc 2.
#include <hwloc.h>

#include <memory>
#include <vector>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/placement.hpp"
#include "placement_order.hpp"

#if HWLOC_API_VERSION < 0x00020000
#error "hwloc 2 is needed: install a newer one, or configure with -DFENCEPOST_WITH_HWLOC=OFF"
#endif

namespace fencepost::placement {

namespace {

struct bitmap_free {
  void operator()(hwloc_bitmap_t bitmap) const noexcept { hwloc_bitmap_free(bitmap); }
};
using bitmap = std::unique_ptr<hwloc_bitmap_s, bitmap_free>;

// The machine, examined once. The object does not change afterwards, so any thread may read it.
class machine {
 public:
  machine() noexcept {
    if (hwloc_topology_init(&topology_) != 0) {
      topology_ = nullptr;
      return;
    }
    const auto find = [this] {
      if (hwloc_topology_load(topology_) == 0) find_places();
    };
    detail::attempt(find, [this] { places_.clear(); });  // no memory: no places
  }
  ~machine() {
    if (topology_ != nullptr) hwloc_topology_destroy(topology_);
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  hwloc_topology_t topology() const noexcept { return topology_; }
  std::size_t places() const noexcept { return places_.size(); }
  hwloc_obj_t place(std::uint32_t n) const noexcept { return places_[n % places_.size()]; }

  static unsigned node_of(hwloc_obj_t core) noexcept {
    const int node = hwloc_bitmap_first(core->nodeset);
    return node < 0 ? 0 : static_cast<unsigned>(node);
  }

 private:
  // The topology has all processors that the process could ever use; taskset may allow it fewer.
  void find_places() {
    const bitmap allowed{hwloc_bitmap_alloc()};
    if (allowed == nullptr) return;
    if (hwloc_get_cpubind(topology_, allowed.get(), HWLOC_CPUBIND_PROCESS) != 0) {
      hwloc_bitmap_fill(allowed.get());
    }
    std::vector<hwloc_obj_t> cores;
    std::vector<unsigned> nodes;
    for (hwloc_obj_t core = nullptr;
         (core = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_CORE, core)) != nullptr;) {
      if (hwloc_bitmap_intersects(core->cpuset, allowed.get()) == 0) continue;
      cores.push_back(core);
      nodes.push_back(node_of(core));
    }
    places_.reserve(cores.size());
    for (const std::size_t core : detail::spread_first(nodes)) places_.push_back(cores[core]);
  }

  hwloc_topology_t topology_ = nullptr;
  std::vector<hwloc_obj_t> places_;
};

const machine& here() noexcept {
  static const machine found;
  return found;
}

}  // namespace

bool available() noexcept { return places() != 0; }

std::uint32_t places() noexcept { return static_cast<std::uint32_t>(here().places()); }

std::uint32_t node(std::uint32_t n) noexcept {
  const machine& m = here();
  return m.places() == 0 ? 0 : machine::node_of(m.place(n));
}

bool pin_this_thread(std::uint32_t n) noexcept {
  const machine& m = here();
  return m.places() != 0 &&
         hwloc_set_cpubind(m.topology(), m.place(n)->cpuset, HWLOC_CPUBIND_THREAD) == 0;
}

// Without HWLOC_MEMBIND_STRICT, so that a full node is not an error.
bool bind_memory(void* at, std::size_t size, std::uint32_t n) noexcept {
  const machine& m = here();
  return m.places() != 0 &&
         hwloc_set_area_membind(m.topology(), at, size, m.place(n)->nodeset, HWLOC_MEMBIND_BIND,
                                HWLOC_MEMBIND_BYNODESET) == 0;
}

}  // namespace fencepost::placement
