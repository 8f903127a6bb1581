// Which threads of an execution hold which locks, also as readers, and which readers wait for a
// lock that a writer holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "mostly_empty.hpp"
#include "per_thread.hpp"

namespace fencepost::programs {

// Some uses of mutexes are undefined in the C++ standard, but allowed by POSIX and C: ending a
// thread while it holds one, and trying to lock one that the thread holds already.
enum class kind_of_lock : std::uint8_t { posix, standard };

class held_locks {
 public:
  void begin_execution() {
    held_.clear();
    kept_out_.clear();
  }
  [[nodiscard]] bool empty() const noexcept { return held_.empty(); }
  [[nodiscard]] bool contains(const void* lock) const noexcept {
    return std::any_of(held_.begin(), held_.end(), [&](const held& h) { return h.lock == lock; });
  }

  // The running thread takes a lock, and releases it: remove() is false if it does not hold the
  // lock.
  void add(const void* lock, const source_location& where,
           kind_of_lock kind = kind_of_lock::posix) {
    held_.push_back({lock, running_thread::number(), where, kind});
  }
  bool remove(const void* lock) {
    const auto found = find_own(lock);
    if (found == held_.end()) return false;
    held_.erase(found);
    return true;
  }
  // Empty if the running thread does not hold it.
  [[nodiscard]] std::optional<kind_of_lock> kind_held_here(const void* lock) {
    const auto found = find_own(lock);
    return found == held_.end() ? std::nullopt : std::optional(found->kind);
  }
  // Where the running thread has taken a lock of the C++ library that it holds, and whose address
  // is_meant() accepts: the last such lock. Null if there is none.
  template <class Predicate>
  [[nodiscard]] const source_location* standard_held_here(Predicate is_meant) const {
    const unsigned self = running_thread::number();
    const auto found = std::find_if(held_.rbegin(), held_.rend(), [&](const held& h) {
      return h.by == self && h.kind == kind_of_lock::standard && is_meant(h.lock);
    });
    return found == held_.rend() ? nullptr : &found->where;
  }
  // A held lock whose address is_meant() accepts, or null.
  template <class Predicate>
  [[nodiscard]] const void* find(Predicate is_meant) const {
    const auto found = std::find_if(held_.begin(), held_.end(), [&](const held& h) {
      return is_meant(reinterpret_cast<std::uintptr_t>(h.lock));
    });
    return found == held_.end() ? nullptr : found->lock;
  }

  // keep_out() adds the flag of a reader that has found the lock held by a writer. let_in() removes
  // all such flags, and calls each() for them (shared_locks.cpp).
  void keep_out(const void* lock, verify::location flag) { kept_out_[lock].push_back(flag); }
  template <class F>
  void let_in(const void* lock, F&& each) {
    const auto found = kept_out_.find(lock);
    if (found == kept_out_.end()) return;
    for (const verify::location flag : found->second) each(flag);
    kept_out_.erase(found);
  }

 private:
  struct held {
    const void* lock = nullptr;
    unsigned by = 0;
    source_location where;
    kind_of_lock kind = kind_of_lock::posix;
  };
  std::vector<held>::iterator find_own(const void* lock) {
    const unsigned self = running_thread::number();
    return std::find_if(held_.begin(), held_.end(),
                        [&](const held& h) { return h.lock == lock && h.by == self; });
  }

  mostly_empty<std::vector<held>> held_;
  mostly_empty<std::map<const void*, std::vector<verify::location>>> kept_out_;
};

}  // namespace fencepost::programs
