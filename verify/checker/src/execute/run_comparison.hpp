// Compares an execution that is run again with what it was before: a program that depends on
// something besides what it reads through the policy may do something else.
#pragma once

#include <string>
#include <string_view>

#include "execute/fibers.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_control.hpp"
#include "execute/tape.hpp"

namespace fencepost::verify {

class run_comparison {
 public:
  struct parts {
    tape& recording;
    const lifetimes& objects;
    const arena& memory;
    const fibers& stacks;
    const model_threads& threads;
    run_control& run;
  };
  explicit run_comparison(const parts& p)
      : tape_(p.recording),
        objects_(p.objects),
        arena_(p.memory),
        fibers_(p.stacks),
        threads_(p.threads),
        run_(p.run) {}

  // True if what the threads do is recorded or compared.
  [[nodiscard]] bool on() const noexcept { return tape_.on(); }
  void note(tape::entry);
  // Called when the running thread ends.
  void note_end();
  // Ends the run: the running thread now does something other than it did then. Null stands for the
  // end of the thread.
  [[noreturn]] void differs(const tape::entry* then, const tape::entry* now, source_location where);
  // Ends the run: the running thread makes an idle turn again, and now does something else.
  // `now`: null if it ends.
  [[noreturn]] void turns_away(const tape::entry& then, const tape::entry* now);

 private:
  [[nodiscard]] std::string in_words(const tape::entry&) const;
  [[nodiscard]] std::string object_in_words(location) const;
  [[nodiscard]] std::string_view cause_of(const tape::entry* then, const tape::entry* now) const;

  tape& tape_;
  const lifetimes& objects_;
  const arena& arena_;
  const fibers& fibers_;
  const model_threads& threads_;
  run_control& run_;
  std::string told_;  // outlives the thread, whose stack is not unwound
};

}  // namespace fencepost::verify
