// What a front end knows of an execution: what it keeps outside of the checker's memory, for resume
// points to have it as well (without one, all that a body changes there is foreign: see
// foreign_memory.hpp), what stacks it needs, which threads end with the program, and whether the
// exploration goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace fencepost::verify {

class front_end_state {
 public:
  // Can the execution be gone on from where it is, or from where it was at a resume point?
  [[nodiscard]] virtual bool can_resume() const = 0;
  // What is put back byte by byte, as far as it is in use now.
  [[nodiscard]] virtual std::span<const std::span<char>> memory() = 0;
  // The rest: is kept by this number, in the place of what was; and put back, after the bytes.
  virtual void keep(std::size_t number) = 0;
  virtual void put_back(std::size_t number) = 0;
  // Is it in a library that a body may call, and whose variables nobody puts back?
  [[nodiscard]] virtual bool is_foreign(const void*) const noexcept = 0;
  // Does the program have code on its stacks?
  [[nodiscard]] virtual bool runs_on_stacks() const noexcept = 0;
  // These threads wait for ever, a bit each, and all others have ended: do they end with the
  // program? Then the run is complete.
  [[nodiscard]] virtual bool end_with_program(std::uint64_t waiting) = 0;
  // Why the run that has just ended is the last one of this exploration, whatever is left. Nothing:
  // it is not. The same run, made in another process, tells that process the same.
  [[nodiscard]] virtual std::optional<std::string> why_over() const = 0;

  static constinit thread_local front_end_state* current;  // of this OS thread, or null
  // That of the current one; if there is none, the exploration goes on.
  [[nodiscard]] static std::optional<std::string> why_over_now() {
    return current == nullptr ? std::nullopt : current->why_over();
  }

 protected:
  ~front_end_state() = default;
};

}  // namespace fencepost::verify
