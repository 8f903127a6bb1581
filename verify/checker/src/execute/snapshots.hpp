// The state of a thread at a read, byte by byte: its stack, those of the other threads, and memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "execute/fibers.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"

namespace fencepost::verify {

// A range of memory that is not the thread's own stack.
struct piece {
  enum class kind : std::uint8_t { stack, block, variables };
  kind what = kind::block;
  unsigned thread = 0;  // the one whose stack or block it is
  unsigned ordinal = 0;
  const char* begin = nullptr;
  std::size_t size = 0;

  friend bool operator==(const piece&, const piece&) = default;
};

// The stacks of the other threads, the blocks of memory, and program_variables.
struct memory_copy {
  std::vector<piece> pieces;
  std::vector<char> bytes;  // of all pieces, one after the other
};

// Makes `then` what it would have been if other threads had made their changes, from `left` to
// `now`, before it was copied. `left` differs from `then` where the thread itself has changed
// memory. Returns false if the result is not determined, such as where both changed the same bytes.
[[nodiscard]] bool take_in(memory_copy& then, const memory_copy& left, const memory_copy& now);

// What determines how a thread continues: its stack, on which its registers are saved, and memory.
// Atomic values are in the graph.
struct snapshot {
  const char* live = nullptr;   // where the stack begins
  const char* begin = nullptr;  // where the part of it that is compared begins
  std::vector<char> stack;
  std::size_t memory = 0;    // the index of its copy
  unsigned constructed = 0;  // locations
  arena::place next;         // where the thread allocates next
};

// Takes snapshots of the running thread, and compares it with them.
class snapshots {
 public:
  snapshots(const fibers& f, const model_threads& t, const arena& a)
      : fibers_(f), threads_(t), arena_(a) {}

  void copy_memory(memory_copy&) const;
  [[nodiscard]] bool same_memory(const memory_copy&) const;
  // Copies everything but the memory.
  void copy_thread(snapshot&) const;
  [[nodiscard]] bool same_thread(const snapshot&) const;
  // The same as take_in(), with the running thread's stack as it is now.
  [[nodiscard]] bool take_in_stack(snapshot& then, const snapshot& left) const;
  // Which bytes differ, in words.
  [[nodiscard]] std::string difference(const snapshot&, const memory_copy&) const;

 private:
  template <class F>
  void for_each_piece(F&&) const;

  const fibers& fibers_;
  const model_threads& threads_;
  const arena& arena_;
};

}  // namespace fencepost::verify
