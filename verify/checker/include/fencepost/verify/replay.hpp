// Places to stop at, for a debugger, while a counterexample is replayed (options::replay):
//
//   gdb --args fencepost explain 'mailbox/message_arrives' --replay FILE
//   (gdb) break fencepost::verify::replay_begins
//   (gdb) break fencepost::verify::violation_here
//   (gdb) run
#pragma once

namespace fencepost::verify {

// Called before the violating execution begins; those before it are over. Breakpoints in the code
// under test are best set here.
void replay_begins() noexcept;

// Called where the violation shows, on the stack of the thread of the program at which it does;
// for what is wrong with an execution as a whole (a leak, threads that wait for ever, an outcome)
// on no thread's.
void violation_here() noexcept;

}  // namespace fencepost::verify
