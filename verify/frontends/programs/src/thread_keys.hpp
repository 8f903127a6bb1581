// The keys of an execution, and the values that each thread has for them: pthread_getspecific(),
// tss_get(). They are not in the program's memory.
#pragma once

#include <map>
#include <optional>

#include "mostly_empty.hpp"
#include "per_thread.hpp"

namespace fencepost::programs {

class thread_keys {
 public:
  using destructor = void (*)(void*);
  // A value that a thread had for a key, and the function that destroys it.
  struct entry {
    unsigned key = 0;
    destructor destroy = nullptr;
    void* what = nullptr;
  };

  void begin_execution() {
    destructors_.clear();
    entries_.reset();
  }

  // For resume points: the state of the first `threads` threads.
  struct saved {
    mostly_empty<std::map<unsigned, destructor>> destructors;
    seldom_per_thread<mostly_empty<std::map<unsigned, void*>>>::saved entries;
  };
  void save(saved& s, std::size_t threads) const {
    s.destructors = destructors_;
    entries_.save(s.entries, threads);
  }
  void put_back(const saved& s, std::size_t used) {
    destructors_ = s.destructors;
    entries_.put_back(s.entries, used);
  }

  // If the destructor is null, the values for the key are not destroyed.
  void create(unsigned key, destructor d) { destructors_[key] = d; }
  // Returns false if there is no such key.
  bool remove(unsigned key) { return destructors_.erase(key) == 1; }
  [[nodiscard]] bool contains(unsigned key) const { return destructors_.contains(key); }

  // The running thread's value.
  void set(unsigned key, void* p) { entries_.to_add()[key] = p; }
  [[nodiscard]] void* get(unsigned key) const;
  // True if some thread may have a value for some key.
  [[nodiscard]] bool any() const noexcept { return entries_.any(); }
  // Removes and returns the running thread's next value that is to be destroyed, for this key or a
  // later one. Empty if there is none.
  [[nodiscard]] std::optional<entry> take_next(unsigned first);

 private:
  mostly_empty<std::map<unsigned, destructor>> destructors_;
  seldom_per_thread<mostly_empty<std::map<unsigned, void*>>> entries_;
};

// The running thread ends: its values are destroyed.
void destroy_specific();

}  // namespace fencepost::programs
