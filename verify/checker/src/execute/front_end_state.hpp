// What a front end knows of an execution: the state that it keeps outside the checker's memory, so
// that resume points include it (without a front end, everything that a body changes there is
// foreign: see foreign_memory.hpp); whether the program has code on its stacks; which threads end
// with the program; and whether the exploration continues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace fencepost::verify {

class fibers;

class front_end_state {
 public:
  // True if the execution can be resumed, from where it is now or from a resume point.
  [[nodiscard]] virtual bool can_resume() const = 0;
  // The memory that is restored byte by byte, as far as it is in use now.
  [[nodiscard]] virtual std::span<const std::span<char>> memory() = 0;
  // Keeps the rest of the state under this number, in place of what was there; put_back() restores
  // it, after the bytes. A thread has changed nothing if fibers::last_resumed() is for both what it
  // was for the other.
  virtual void keep(std::size_t number, const fibers&) = 0;
  virtual void put_back(std::size_t number, const fibers&) = 0;
  // True if the address is in a library that a body may call, and whose variables nothing restores.
  [[nodiscard]] virtual bool is_foreign(const void*) const noexcept = 0;
  // True if the program has code on its stacks.
  [[nodiscard]] virtual bool runs_on_stacks() const noexcept = 0;
  // Called when these threads, a bit each, wait forever, and all others have ended. Returns true if
  // they end with the program: the run is then complete.
  [[nodiscard]] virtual bool end_with_program(std::uint64_t waiting) = 0;
  // Why the run that has just ended is the last one of this exploration, whatever is left to
  // explore; nothing if it is not. The same run, made in another process, gives that process the
  // same answer.
  [[nodiscard]] virtual std::optional<std::string> why_over() const = 0;

  static constinit thread_local front_end_state* current;  // of this OS thread, or null
  // The answer of the current front end; without one, the exploration continues.
  [[nodiscard]] static std::optional<std::string> why_over_now() {
    return current == nullptr ? std::nullopt : current->why_over();
  }

 protected:
  ~front_end_state() = default;
};

}  // namespace fencepost::verify
