// What each kind of violation means, for a reader who meets it for the first time.
#include "fencepost/verify/report.hpp"

namespace fencepost::verify {

std::string_view meaning(violation kind) noexcept {
  switch (kind) {
    case violation::none: return "Nothing is wrong.";
    case violation::assertion:
      return "A requirement of the program does not hold in this execution, which the memory model "
             "allows.";
    case violation::data_race:
      return "Two threads access the same plain data, at least one of them writes, and neither "
             "access happens before the other: the behaviour is undefined. What is missing is a "
             "release by the first thread that an acquire of the second reads from.";
    case violation::liveness:
      return "A thread waits for a change that no thread will make: everything it waits for has "
             "its last value. This is a lost wake-up or a deadlock.";
    case violation::use_after_free:
      return "Memory is accessed after it was freed, or the access is not ordered before the "
             "free.";
    case violation::double_free: return "The same block is freed twice.";
    case violation::invalid_free: return "A pointer is freed that no allocation returned.";
    case violation::leak: return "A block is still allocated when the execution ends.";
    case violation::exception:
      return "An exception left a thread; outside the checker this is std::terminate.";
    case violation::crash:
      return "The program was ended by a signal in this execution, or it ended the process.";
    case violation::stack_overflow:
      return "The stack of a thread was used up: a recursion that is too deep, or large local "
             "data. options::stack_size sets the limit.";
    case violation::out_of_memory: return "No memory was left for the checker itself.";
    case violation::no_progress:
      return "A thread takes steps without end. A loop that waits for another thread must read an "
             "atomic in each turn.";
    case violation::nondeterminism:
      return "The program behaved differently when the same execution was run again: it depends on "
             "something besides what it reads through the policy. This is a clock or a random "
             "number; a static or thread-local variable, which outlives an execution; a variable "
             "from outside the body that changes in a loop that waits; memory that nobody has "
             "written, or an address of memory that the checker does not track (malloc, mmap); or "
             "plain data that threads share without P::plain.";
    case violation::misuse: return "A call breaks the contract of the function that it calls.";
    default: return "";
  }
}

}  // namespace fencepost::verify
