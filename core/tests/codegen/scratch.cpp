// The fast paths of scratch memory, for the audit.
#include "fencepost/memory/scratch_arena.hpp"

extern "C" {
void* op_allocate(fencepost::scratch_arena& arena) { return arena.allocate(48); }
void op_mark(const fencepost::scratch_arena& arena, fencepost::scratch_mark& mark) {
  mark = arena.mark();
}
void op_reset(fencepost::scratch_arena& arena, fencepost::scratch_mark to) { arena.reset(to); }
}
