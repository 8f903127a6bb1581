// xenium's deque holds pointers: the items are cast to pointers.
#include <cstddef>
#include <xenium/chase_work_stealing_deque.hpp>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_xenium {
  xenium::chase_work_stealing_deque<std::byte, xenium::policy::capacity<1024>> deque;
  void push(item i) { deque.try_push(reinterpret_cast<std::byte*>(i)); }
  std::optional<item> pop() {
    std::byte* got = nullptr;
    return deque.try_pop(got) ? std::optional{reinterpret_cast<item>(got)} : std::nullopt;
  }
  std::optional<item> steal() {
    std::byte* got = nullptr;
    return deque.try_steal(got) ? std::optional{reinterpret_cast<item>(got)} : std::nullopt;
  }
};

[[maybe_unused]] const bool registered = register_deque<deque_loops<on_xenium>>("xenium");

}  // namespace
}  // namespace fencepost::bench::peers
