// The keys of an execution, and what each thread has by them: pthread_getspecific(), tss_get().
// It is in no memory of the program.
#pragma once

#include <map>
#include <optional>

#include "mostly_empty.hpp"
#include "per_thread.hpp"

namespace fencepost::programs {

class thread_keys {
 public:
  using destructor = void (*)(void*);
  // What a thread had by a key, and what is to destroy it.
  struct entry {
    unsigned key = 0;
    destructor destroy = nullptr;
    void* what = nullptr;
  };

  void begin_execution() {
    destructors_.clear();
    entries_.reset();
  }

  // For resume points, of so many threads.
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

  // Null: what threads have by it is not destroyed.
  void create(unsigned key, destructor d) { destructors_[key] = d; }
  // False: there is no such key.
  bool remove(unsigned key) { return destructors_.erase(key) == 1; }
  [[nodiscard]] bool contains(unsigned key) const { return destructors_.contains(key); }

  // Of the thread that is running.
  void set(unsigned key, void* p) { entries_.to_add()[key] = p; }
  [[nodiscard]] void* get(unsigned key) const;
  // May some thread have something by some key?
  [[nodiscard]] bool any() const noexcept { return entries_.any(); }
  // Takes away the next thing that it has and that is to be destroyed, by this key or a later one.
  // Nothing: there is none.
  [[nodiscard]] std::optional<entry> take_next(unsigned first);

 private:
  mostly_empty<std::map<unsigned, destructor>> destructors_;
  seldom_per_thread<mostly_empty<std::map<unsigned, void*>>> entries_;
};

// The thread that is running ends: what it has by keys is destroyed.
void destroy_specific();

}  // namespace fencepost::programs
