// The lists of threads that block at an address. Their locks persist from run to run, their queues
// do not.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify {

class wait_lists {
 public:
  void begin_run() noexcept { ++run_; }
  wait_list& at(std::uintptr_t address, lifetimes& objects) {
    const engine_scope scope;
    entry& e = lists_[address];
    if (e.list.lock == no_location) e.list.lock = objects.hidden_static(address);
    if (std::exchange(e.run, run_) != run_) e.list.first = nullptr;
    return e.list;
  }

  // Which threads block where.
  struct saved {
    std::vector<std::pair<std::uintptr_t, detail::waiter*>> first;
  };
  void save(saved& s) const {
    s.first.clear();
    for (const auto& [address, e] : lists_)
      if (e.run == run_ && e.list.first != nullptr) s.first.emplace_back(address, e.list.first);
  }
  // Begins a run. All lists are updated, since a thread that continues may be about to use any.
  void put_back(const saved& s) {
    begin_run();
    for (auto& [address, e] : lists_) {
      e.list.first = nullptr;
      e.run = run_;
    }
    for (const auto& [address, first] : s.first) lists_[address].list.first = first;
  }

 private:
  struct entry {
    wait_list list;
    std::uint64_t run = 0;
  };
  std::map<std::uintptr_t, entry> lists_;
  std::uint64_t run_ = 0;
};

}  // namespace fencepost::verify
