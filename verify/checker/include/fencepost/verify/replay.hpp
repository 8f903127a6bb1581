// Functions at which a debugger can stop while a counterexample is replayed (options::replay):
//
//   gdb --args fencepost explain 'mailbox/message_arrives' --replay FILE
//   (gdb) break fencepost::verify::replay_begins
//   (gdb) break fencepost::verify::violation_here
//   (gdb) run
#pragma once

namespace fencepost::verify {

// Called before the violating execution begins; earlier executions are over. Breakpoints in the
// code under test are best set here.
void replay_begins() noexcept;

// Called where the violation shows, on the stack of the program's thread in which it does; for what
// is wrong with an execution as a whole (a leak, threads that wait for ever, an outcome), on no
// thread's stack.
void violation_here() noexcept;

}  // namespace fencepost::verify
