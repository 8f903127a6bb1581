// What a task of the fork-join runtime costs its worker, for the audit: spawn and sync of a task
// that is not stolen. The call between them keeps the two apart.
#include "fencepost/runtime/fork_join.hpp"

extern "C" {
long codegen_task(long argument) noexcept;  // defined elsewhere

long op_fork_join__spawn_and_sync(fencepost::fork_join_worker& me, long argument) noexcept {
  auto other = me.spawn([argument]() noexcept { return codegen_task(argument); });
  const long mine = codegen_task(argument + 1);
  return me.sync(other) + mine;
}
bool op_fork_join__wants_tasks(fencepost::fork_join_worker& me) { return me.wants_tasks(); }
}
