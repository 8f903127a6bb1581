// The keys of an execution, and what each thread has by them: pthread_getspecific(), tss_get().
// It is in no memory of the program.
#pragma once

#include <map>
#include <vector>

#include "per_thread.hpp"

namespace fencepost::programs {

class thread_keys {
 public:
  using destructor = void (*)(void*);
  // What a thread had by a key, and what is to destroy it.
  struct entry {
    destructor destroy = nullptr;
    void* what = nullptr;
  };

  void begin_execution() {
    destructors_.clear();
    entries_.reset();
  }

  // Null: what threads have by it is not destroyed.
  void create(unsigned key, destructor d) { destructors_[key] = d; }
  // False: there is no such key.
  bool remove(unsigned key) { return destructors_.erase(key) == 1; }
  [[nodiscard]] bool contains(unsigned key) const { return destructors_.contains(key); }

  // Of the thread that is running.
  void set(unsigned key, void* p) { entries_.here()[key] = p; }
  [[nodiscard]] void* get(unsigned key) const;
  // Takes away what it has that is to be destroyed.
  [[nodiscard]] std::vector<entry> take_all();

 private:
  std::map<unsigned, destructor> destructors_;
  per_thread<std::map<unsigned, void*>> entries_;
};

// The thread that is running ends: what it has by keys is destroyed.
void destroy_specific();

}  // namespace fencepost::programs
