// The program's blocks: allocations by its own code, and by the C++ library on its behalf.
#pragma once

#include <cstddef>

#include "execute/memory.hpp"
#include "session.hpp"

namespace fencepost::programs {

// Wraps the explorer's hook: what the program has written before a call counts as written then.
class heap final : public verify::allocation_hook {
 public:
  // Installs the hook, if it is not in place, when an execution begins.
  static void begin_execution();

  void* allocate(std::size_t size, std::size_t alignment) override {
    if (const entered s; s) prepare(*s);
    void* const p = behind_->allocate(size, alignment);
    if (const entered s; s) s->begin_block(p, size);
    return p;
  }
  void release(void* p) override {
    if (const entered s; s) {
      prepare(*s);
      s->note_release();
      s->require_no_locks(p, FENCEPOST_CALL_SITE);
    }
    behind_->release(p);
  }
  bool owns(const void* p) const noexcept override { return behind_->owns(p); }
  bool has_block(const void* p, std::size_t size) const noexcept override {
    return behind_->has_block(p, size);
  }

 private:
  void prepare(session& s) {
    s.take_up_writes();
    *unshown_ = s.describes_failure();
  }

  verify::allocation_hook* behind_ = nullptr;
  bool* unshown_ = nullptr;  // allocation_hook::unshown of the OS thread
};

}  // namespace fencepost::programs
