// The state of a thread at a read, byte by byte: its stack, the stacks of the others, and memory.
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
  unsigned thread = 0;  // whose stack, or block
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

// Makes a copy what it would have been if all that was changed from `left` to `now` had been so
// before; the two differ from `then` where the thread has changed memory itself. False: it is not
// to be said.
[[nodiscard]] bool take_in(memory_copy& then, const memory_copy& left, const memory_copy& now);

// What decides how a thread goes on: its stack, on which its registers are saved, and memory. What
// is atomic is in the graph.
struct snapshot {
  const char* live = nullptr;   // where the stack begins
  const char* begin = nullptr;  // what is compared of it
  std::vector<char> stack;
  std::size_t memory = 0;    // which copy
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
  // All but the memory.
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
