// How the program enters functions of ours by whose calls its threads are compared, where they wait
// in loops. What such a call does follows from memory, from the program's frames and from the
// registers with which it is made. Those that the program keeps over calls, and then those with the
// arguments, are put right below the return address: no frame of ours has to be compared.
#pragma once

#include "session.hpp"

// `name` is what the program calls. `function`, which is called with the same arguments, does it,
// and asks for its caller by FENCEPOST_ENTRY_SITE, with the number of the arguments: 2, 3 or 5.
#define FENCEPOST_ENTRY(name, function, arguments)                                               \
  asm(".pushsection .text,\"ax\"\n.p2align 4\n.globl " name "\n.type " name ", @function\n" name \
      ":\n.cfi_startproc\n"                                                                      \
      "push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"                               \
      "mov %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"                                             \
      "push %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n" FENCEPOST_PUSH_##arguments       \
      "call " function                                                                           \
      "\n"                                                                                       \
      "leave\n.cfi_def_cfa %rsp, 8\nret\n.cfi_endproc\n.size " name ", . - " name                \
      "\n.popsection\n")
#define FENCEPOST_PUSH_2 "push %rdi\npush %rsi\nsub $8, %rsp\n"  // the stack is aligned
#define FENCEPOST_PUSH_3 "push %rdi\npush %rsi\npush %rdx\n"
#define FENCEPOST_PUSH_5 FENCEPOST_PUSH_3 "push %rcx\npush %r8\n"

namespace fencepost::programs {

// `frame`: of the function, which begins with the address of that of its entry.
inline call_site entry_site(const void* frame, int arguments) noexcept {
  constexpr int kept_over_calls = 5;
  const auto* const entry = *static_cast<const void* const* const*>(frame);
  return {entry[1], entry, entry - kept_over_calls - arguments};
}

}  // namespace fencepost::programs

#define FENCEPOST_ENTRY_SITE(arguments) \
  fencepost::programs::entry_site(__builtin_frame_address(0), arguments)
