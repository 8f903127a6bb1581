// crossbeam-deque: the loops are in rust/deque.rs.
#include "../rust/peers.h"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct crossbeam_loops {
  static item push_pop(item times) { return peer_crossbeam_push_pop(times); }
  static item push_steal(item times) { return peer_crossbeam_push_steal(times); }
  static race owner_and_thief(item rounds) {
    race all{};
    const auto place = [](unsigned n) {
      thread_local std::optional<on_processor> here;
      here.emplace(n);
    };
    std::thread([&] {  // a thread of its own, with which the pinning ends
      all.sum = peer_crossbeam_owner_and_thief(rounds, &all.seconds, &all.stolen, place);
    })
        .join();
    return all;
  }
};

[[maybe_unused]] const bool registered = register_deque<crossbeam_loops>("crossbeam-deque");

}  // namespace
}  // namespace fencepost::bench::peers
