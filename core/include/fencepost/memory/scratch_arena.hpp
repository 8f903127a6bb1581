// A worker's scratch memory: a bump allocator for what a task needs until it returns.
//
//   base             top          committed end                    end of the reservation
//    |   in use       |    ready       |         address space          |
//    +----------------+----------------+--------------------------------+
//                     | <-- band ... -> |      a stray access faults
//
// A task marks the top, allocates by moving it up, and resets it to the mark: last in, first out,
// like a second stack that cannot collide with the thread's. Address space is reserved once; pages
// are committed a band at a time as the top reaches them, and returned to the system when the
// worker is idle. Blocks do not move, and are not initialised.
//
// Threads: one thread at a time, the worker that owns the arena. There is nothing to synchronise:
// no atomics, no locks, and nothing that depends on a memory order.
//
// Claims (no concurrency, so they are tests on the real system, core/tests/scratch_arena_test.cpp,
// and random sequences against a vector of blocks, scratch_arena_model_test.cpp):
//   blocks in use never overlap, keep their contents and are aligned as asked
//   an allocation that is refused says why and what to do, and changes nothing
//   sizes and alignments near the end of the address space do not wrap round
//   an access beyond the committed end faults
//   trim() gives pages above top + band back to the system, and nothing below
//   a forgotten reset is repaired by the next outer one, and reported once
//   ... without touching the blocks of suspended frames: see enter()
//
// Costs: allocate(), seven instructions and one branch in the committed part, when the size is a
// constant; one system call per band. mark(), one load. reset(), one store. trim(), a system call
// only when there is something to give back. Errors are formatted when they happen.
// Source: Lace's design notes, "Scratch arena"; its leak check is repaired (LACE-98).
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define FENCEPOST_POISONS_SCRATCH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FENCEPOST_POISONS_SCRATCH 1
#endif
#endif
#if defined(FENCEPOST_POISONS_SCRATCH)
#include <sanitizer/asan_interface.h>
#endif

namespace fencepost {

// Memory that a worker still had in use when it should have had none.
struct scratch_leak {
  std::string_view arena;  // scratch_options::name
  std::size_t bytes;
};

struct scratch_options {  // How much an arena reserves and keeps.
  // Address space, not memory: a worker that needs more gets an error. Rounded up to pages. 0: no
  // scratch memory, and each allocation is an error.
  std::size_t reserve = sizeof(void*) >= 8 ? std::size_t{1} << 30 : std::size_t{16} << 20;
  // How much is committed beyond an allocation that needs a system call, and left by trim().
  std::size_t band = std::size_t{1} << 20;
  // The name of the arena in messages.
  std::string name = "scratch_arena";
  // Called for the first leak of this arena; must not throw. Empty: prints a line to stderr.
  std::function<void(const scratch_leak&)> on_leak = {};
};

enum class scratch_failure : std::uint8_t {
  disabled,       // scratch_options::reserve is 0
  used_up,        // the reservation has no room for it
  not_reserved,   // the system refused the address space
  not_committed,  // the system refused the memory
};

// An allocation, or a reservation, that was refused. Nothing has changed.
class scratch_error : public std::bad_alloc {
 public:
  scratch_error(scratch_failure why, const scratch_options& of, std::size_t wanted,
                std::size_t used, int system_error) noexcept;

  const char* what() const noexcept override { return text_; }
  scratch_failure why() const noexcept { return why_; }
  std::size_t wanted() const noexcept { return wanted_; }  // bytes

 private:
  scratch_failure why_;
  std::size_t wanted_;
  char text_[400];  // copied without allocating
};

// A position in an arena: a reset to it releases everything that was allocated since.
class scratch_mark {
 public:
  friend bool operator==(scratch_mark, scratch_mark) = default;

 private:
  friend class scratch_arena;
  explicit scratch_mark(std::byte* at) noexcept : at_(at) {}
  std::byte* at_;
};

class scratch_arena {
 public:
  // The least alignment of a block, whatever was requested.
  static constexpr std::size_t alignment = std::max<std::size_t>(16, alignof(std::max_align_t));

  // Throws scratch_error if the system refuses the address space.
  explicit scratch_arena(scratch_options options = {});
  ~scratch_arena();

  scratch_arena(const scratch_arena&) = delete;
  scratch_arena& operator=(const scratch_arena&) = delete;

  // Returns `size` bytes, aligned to `align`, a power of two. Throws scratch_error, and then
  // nothing has changed. For zero bytes, returns an address that must not be accessed and may be
  // null.
  [[nodiscard]] void* allocate(std::size_t size, std::size_t align = alignment);
  // The same; returns null if the allocation is refused.
  [[nodiscard]] void* try_allocate(std::size_t size, std::size_t align = alignment) noexcept;

  // Returns n objects of T, default-initialised: numbers have no value yet. They are never
  // destroyed, so T must be trivially destructible.
  template <class T>
  [[nodiscard]] std::span<T> allocate(std::size_t n);
  // Constructs one T from the arguments.
  template <class T, class... Arguments>
  [[nodiscard]] T* create(Arguments&&... arguments);

  // mark() returns the top, and reset() moves the top back to a mark. The mark must have been taken
  // in the running frame, and the top must not have been below it since: an outer reset invalidates
  // inner marks. See scratch_scope.
  scratch_mark mark() const noexcept { return scratch_mark{top_}; }
  void reset(scratch_mark to) noexcept;

  // Begins a frame: suspended tasks keep their blocks, and tasks that run until leave() start at
  // the current top. leave() takes what enter() returned. See scratch_frame.
  [[nodiscard]] scratch_mark enter() noexcept { return std::exchange(frame_, mark()); }
  void leave(scratch_mark outer) noexcept;

  // For a worker that is between tasks of the running frame and about to sleep. Resets what a task
  // forgot to reset, and reports the first such leak; then trims. May be called often: a repeated
  // call has nothing to do, and makes no system call.
  void idle() noexcept;
  // Gives committed pages above top + band back to the system; returns how many bytes.
  std::size_t trim() noexcept;

  std::size_t used() const noexcept { return size_between(base_, top_); }
  std::size_t committed() const noexcept { return size_between(base_, committed_end_); }
  std::size_t reserved() const noexcept { return size_between(base_, reserve_end_); }
  std::size_t leaks() const noexcept { return leaks_; }  // how many were repaired

 private:
  static std::size_t size_between(const std::byte* from, const std::byte* to) noexcept {
    return static_cast<std::size_t>(to - from);
  }
  static std::size_t rounded(std::size_t size) noexcept {
    return (size + (alignment - 1)) & ~(alignment - 1);
  }
  static std::size_t padding(const std::byte* at, std::size_t align) noexcept {
    return (0 - reinterpret_cast<std::uintptr_t>(at)) & (align - 1);
  }
  // fits(): true if the committed part has room for the block. take() then allocates it.
  bool fits(std::size_t size, std::size_t align) const noexcept;
  void* take(std::size_t size, std::size_t align) noexcept;

  // Out of line, so that only the fast path is inlined.
  void* allocate_slow(std::size_t size, std::size_t align);
  void* try_allocate_slow(std::size_t size, std::size_t align) noexcept;
  bool grow(std::size_t size, std::size_t align, scratch_failure& why, int& system_error) noexcept;
  void give_back_leak() noexcept;

  // poison() marks memory as free, and unpoison() as in use, for AddressSanitizer.
  static void poison([[maybe_unused]] void* at, [[maybe_unused]] std::size_t size) noexcept {
#if defined(FENCEPOST_POISONS_SCRATCH)
    if (size != 0) ASAN_POISON_MEMORY_REGION(at, size);
#endif
  }
  static void unpoison([[maybe_unused]] void* at, [[maybe_unused]] std::size_t size) noexcept {
#if defined(FENCEPOST_POISONS_SCRATCH)
    if (size != 0) ASAN_UNPOISON_MEMORY_REGION(at, size);
#endif
  }

  // base <= frame <= top <= committed end <= end of the reservation; all are multiples of
  // `alignment`, and all but top and frame are multiples of the page size. The first two members
  // are those of the fast path: they lie at the beginning of the object, so that it can be placed
  // with them on a cache line that the worker has at hand.
  std::byte* top_ = nullptr;
  std::byte* committed_end_ = nullptr;
  scratch_mark frame_{nullptr};  // where the running frame began
  std::byte* base_ = nullptr;
  std::byte* reserve_end_ = nullptr;
  std::size_t leaks_ = 0;
  scratch_options options_;
};

// Resets an arena at the end of the scope, also when an exception leaves it.
class scratch_scope {
 public:
  explicit scratch_scope(scratch_arena& arena) noexcept : arena_(arena), mark_(arena.mark()) {}
  ~scratch_scope() { arena_.reset(mark_); }
  scratch_scope(const scratch_scope&) = delete;
  scratch_scope& operator=(const scratch_scope&) = delete;

 private:
  scratch_arena& arena_;
  scratch_mark mark_;
};

// A frame that ends with the scope.
class scratch_frame {
 public:
  explicit scratch_frame(scratch_arena& arena) noexcept : arena_(arena), outer_(arena.enter()) {}
  ~scratch_frame() { arena_.leave(outer_); }
  scratch_frame(const scratch_frame&) = delete;
  scratch_frame& operator=(const scratch_frame&) = delete;

 private:
  scratch_arena& arena_;
  scratch_mark outer_;
};

// The room is a multiple of the alignment, so a size that fits also fits when it is rounded up.
// Sizes are compared before anything is added to them, so nothing can wrap.
inline bool scratch_arena::fits(std::size_t size, std::size_t align) const noexcept {
  assert(std::has_single_bit(align) && "scratch_arena: an alignment must be a power of two");
  const std::size_t room = size_between(top_, committed_end_);
  return size <= room && (align <= alignment || padding(top_, align) <= room - size);
}

inline void* scratch_arena::take(std::size_t size, std::size_t align) noexcept {
  std::byte* const at = top_ + (align <= alignment ? 0 : padding(top_, align));
  top_ = at + rounded(size);
  unpoison(at, size);  // the padding stays poisoned
  return at;
}

inline void* scratch_arena::allocate(std::size_t size, std::size_t align) {
  if (!fits(size, align)) [[unlikely]] {
    return allocate_slow(size, align);
  }
  return take(size, align);
}

inline void* scratch_arena::try_allocate(std::size_t size, std::size_t align) noexcept {
  if (!fits(size, align)) [[unlikely]] {
    return try_allocate_slow(size, align);
  }
  return take(size, align);
}

template <class T>
std::span<T> scratch_arena::allocate(std::size_t n) {
  static_assert(std::is_trivially_destructible_v<T>,
                "scratch memory is released without calling destructors");
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  const std::size_t size = n > most / sizeof(T) ? most : n * sizeof(T);
  T* const first = static_cast<T*>(allocate(size, alignof(T)));
  std::uninitialized_default_construct_n(first, n);
  return {first, n};
}

template <class T, class... Arguments>
T* scratch_arena::create(Arguments&&... arguments) {
  static_assert(std::is_trivially_destructible_v<T>,
                "scratch memory is released without calling destructors");
  return std::construct_at(static_cast<T*>(allocate(sizeof(T), alignof(T))),
                           std::forward<Arguments>(arguments)...);
}

inline void scratch_arena::reset(scratch_mark to) noexcept {
  assert(frame_.at_ <= to.at_ && "scratch_arena: the mark belongs to a suspended frame");
  assert(to.at_ <= top_ && "scratch_arena: an outer reset has invalidated the mark");
  poison(to.at_, size_between(to.at_, top_));
  top_ = to.at_;
}

inline void scratch_arena::leave(scratch_mark outer) noexcept {
  if (top_ != frame_.at_) [[unlikely]] {
    give_back_leak();
  }
  frame_ = outer;
}

}  // namespace fencepost
