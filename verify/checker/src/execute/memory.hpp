// The memory of an execution: one region for each model thread, always at the same addresses, so
// that a pointer has the same value in every run. Blocks are tracked; whether one is reused in an
// execution is for the explorer to decide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/clock.hpp"

namespace fencepost::verify {

// Where an exploration wants its memory, so that addresses are the same in every process: neither a
// counterexample nor the behaviour of code that hashes addresses varies. The addresses are above
// everything that a 64-bit system hands out from below, and within the sanitizers' limits.
inline constexpr std::uintptr_t arena_address = 0x1200'0000'0000;
inline constexpr std::uintptr_t stacks_address = 0x1300'0000'0000;

// Zeroed memory at the address wanted, or elsewhere if that is taken; null if there is none.
void* map(std::uintptr_t wanted, std::size_t bytes, int flags) noexcept;

class arena {
 public:
  struct block {
    std::size_t size;
    std::uint64_t run;      // a block of an earlier run is stale
    std::uint32_t thread;   // the one that allocated it
    std::uint32_t ordinal;  // it was the thread's n-th allocation
    block* next_free;
    std::uint64_t state;
    std::uint32_t handed_over;  // freed: the location by which it goes to another thread
    std::uint32_t objects;      // how many objects the run had constructed before it was allocated
  };
  enum : std::uint64_t { live = 0x11f3b10c4d00d001, freed = 0xdeadb10c4d00d002 };

  arena() = default;
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  void reserve(std::size_t bytes_per_thread);
  void begin_run() noexcept;

  // A new block is filled with this byte, so that a read of what was never written gives the same
  // in every run.
  static constexpr unsigned char usual_fill = 0xcd;
  void fill_with(unsigned char byte) noexcept { fill_ = byte; }
  [[nodiscard]] unsigned char fill() const noexcept { return fill_; }

  // Null when the limit is reached.
  void* allocate(unsigned thread, std::size_t size, std::size_t alignment) noexcept;
  // The same for memory that is not the program's: it is no block, ends with the run, and does not
  // change the addresses of blocks.
  void* allocate_aside(std::size_t size, std::size_t alignment) noexcept;
  [[nodiscard]] bool contains(const void* p) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(p);
    return at - base_ < bytes_ * regions;
  }
  [[nodiscard]] bool is_aside(const void* p) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(p);
    return at - base_ - bytes_ * max_threads < bytes_;
  }
  // The block of what allocate() has returned.
  static block& header(void* p) noexcept { return static_cast<block*>(p)[-1]; }
  // The block that begins at p, live or freed in this run; null if there is none.
  block* find(void* p) noexcept;
  // The block that p is in; null if there is none.
  [[nodiscard]] const block* around(const void* p) const noexcept;
  void release(block*) noexcept;

  // Lists of freed blocks, the most recently freed first: one for each thread, and one for all of
  // them.
  static constexpr unsigned of_all = max_threads;
  void keep(unsigned list, block*) noexcept;
  [[nodiscard]] unsigned count(unsigned list, std::size_t size,
                               std::size_t alignment) const noexcept;
  // Takes the n-th of those that fit; the block then belongs to the thread.
  block& take(unsigned list, unsigned n, unsigned thread, std::size_t size,
              std::size_t alignment) noexcept;
  [[nodiscard]] std::size_t live_blocks() const noexcept { return live_; }
  [[nodiscard]] const block* first_live() const noexcept;
  // Where a thread allocates next. A thread that has released everything allocated since may go
  // back there, unless blocks are reused.
  struct place {
    std::uintptr_t top = 0;
    std::uint32_t ordinal = 0;
  };
  [[nodiscard]] place mark(unsigned thread) const noexcept {
    return {regions_[thread].top, regions_[thread].ordinal};
  }
  void go_back(unsigned thread, place to) noexcept;
  // True if the address is in the block that was allocated last.
  [[nodiscard]] bool is_in_newest(const void* p) const noexcept {
    if (blocks_.empty()) return false;
    const block* const b = blocks_.back();
    return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(b + 1) < b->size;
  }
  // How many objects the run had constructed when this block was no longer the newest; `all` if it
  // still is.
  [[nodiscard]] std::size_t objects_while_newest(const block&, std::size_t all) const noexcept;
  template <class F>
  void for_each_live(F&& f) const {
    for (const block* b : blocks_)
      if (b->state == live) f(*b);
  }
  [[nodiscard]] std::size_t bytes_per_thread() const noexcept { return bytes_; }

  struct region {
    std::uintptr_t top = 0;
    std::uint32_t ordinal = 0;
    block* free = nullptr;
  };
  // What is known of a run's memory, other than the bytes.
  struct saved {
    std::vector<region> regions;
    region aside;
    std::vector<block*> blocks;
    std::size_t live = 0;
  };
  void save(saved& s) const {
    s.regions.assign(regions_, regions_ + used_ + 1);
    s.aside = regions_[max_threads];
    s.blocks = blocks_;
    s.live = live_;
  }
  // To be called after the bytes are restored. It counts as a new run, so that blocks allocated
  // since are stale.
  void put_back(const saved& s) {
    for (std::size_t t = s.regions.size(); t <= used_; ++t)
      regions_[t] = {base_ + t * bytes_, 0, nullptr};
    std::copy(s.regions.begin(), s.regions.end(), regions_);
    used_ = static_cast<unsigned>(s.regions.size()) - 1;
    regions_[max_threads] = s.aside;
    blocks_ = s.blocks;
    live_ = s.live;
    ++run_;
    for (block* b : blocks_) b->run = run_;
  }
  // Calls f for the bytes that were handed out, region by region.
  template <class F>
  void for_each_used(F&& f) const {
    const auto used = [&](unsigned t) {
      const std::uintptr_t begin = base_ + t * bytes_;
      if (regions_[t].top > begin)
        f(reinterpret_cast<char*>(begin), static_cast<std::size_t>(regions_[t].top - begin));
    };
    for (unsigned t = 0; t <= used_; ++t) used(t);
    used(max_threads);
  }

 private:
  static constexpr unsigned regions = max_threads + 1;  // the last is for allocate_aside()
  std::uintptr_t base_ = 0;
  std::size_t bytes_ = 0;
  region regions_[regions];
  unsigned used_ = regions - 1;  // the last one used in this run
  std::vector<block*> blocks_;
  std::size_t live_ = 0;
  std::uint64_t run_ = 0;
  unsigned char fill_ = usual_fill;
};

// Variables of the program under test, for a front end that resets them before each run. A turn
// that changes one is not idle.
struct program_variables {
  static constinit thread_local std::span<const std::span<char>> all;
};

// Handles the allocations that the body under test makes on the calling OS thread.
struct allocation_hook {
  virtual void* allocate(std::size_t size, std::size_t alignment) = 0;
  virtual void release(void* p) = 0;
  virtual bool owns(const void* p) const noexcept = 0;
  // True if all these bytes are in one block that is not freed.
  virtual bool has_block(const void* p, std::size_t size) const noexcept = 0;

  static constinit thread_local allocation_hook* current;  // of this OS thread, or null
  static constinit thread_local bool in_body;              // code under test is running
  static constinit thread_local bool allocates_elsewhere;  // that code has called malloc
  static constinit thread_local bool unshown;  // counterexamples leave out what is allocated now
  static bool sees_malloc() noexcept;          // whether that is noticed

 protected:
  ~allocation_hook() = default;
};

// While one exists, allocations are the engine's own.
class engine_scope {
 public:
  engine_scope() noexcept : engine_scope(allocation_hook::in_body) {}
  // For allocation_hook::in_body of this OS thread: in a shared library, finding it is a call.
  explicit engine_scope(bool& in_body) noexcept
      : in_body_(in_body), saved_(std::exchange(in_body, false)) {}
  ~engine_scope() { in_body_ = saved_; }
  engine_scope(const engine_scope&) = delete;
  engine_scope& operator=(const engine_scope&) = delete;

 private:
  bool& in_body_;
  bool saved_;
};

}  // namespace fencepost::verify
