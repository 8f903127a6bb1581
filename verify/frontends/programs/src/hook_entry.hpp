// The entry to those functions of the runtime at whose calls the states of threads are compared,
// for loops that wait. What such a call does follows from memory, from the program's frames and
// from the registers at the call. The callee-saved registers, and then those with the arguments,
// are stored right below the return address, so that no frame of the runtime has to be compared.
#pragma once

#include "session.hpp"

// Defines `name`, which the program calls. It calls `function` with the same arguments, which gets
// its caller by FENCEPOST_ENTRY_SITE with the number of the arguments: 2, 3 or 5.
#define FENCEPOST_ENTRY(name, function, arguments)                                               \
  asm(".pushsection .text,\"ax\"\n.p2align 4\n.globl " name "\n.type " name ", %function\n" name \
      ":\n.cfi_startproc\n" FENCEPOST_KEEP FENCEPOST_KEEP_##arguments FENCEPOST_CALL             \
      " " function "\n" FENCEPOST_RETURN ".cfi_endproc\n.size " name ", . - " name               \
      "\n.popsection\n")

#if defined(__aarch64__)
// In pairs, since the stack must be aligned. Calls preserve the lower halves of these
// floating-point registers.
#define FENCEPOST_KEEP                                                                \
  "stp x29, x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n.cfi_offset 29, -16\n"          \
  ".cfi_offset 30, -8\nmov x29, sp\n.cfi_def_cfa_register 29\n"                       \
  "stp x19, x20, [sp, #-16]!\nstp x21, x22, [sp, #-16]!\nstp x23, x24, [sp, #-16]!\n" \
  "stp x25, x26, [sp, #-16]!\nstp x27, x28, [sp, #-16]!\nstp d8, d9, [sp, #-16]!\n"   \
  "stp d10, d11, [sp, #-16]!\nstp d12, d13, [sp, #-16]!\nstp d14, d15, [sp, #-16]!\n"
#define FENCEPOST_KEEP_2 "stp x0, x1, [sp, #-16]!\n"
#define FENCEPOST_KEEP_3 FENCEPOST_KEEP_2 "stp x2, xzr, [sp, #-16]!\n"
#define FENCEPOST_KEEP_5 FENCEPOST_KEEP_2 "stp x2, x3, [sp, #-16]!\nstp x4, xzr, [sp, #-16]!\n"
#define FENCEPOST_CALL "bl"
#define FENCEPOST_RETURN "mov sp, x29\nldp x29, x30, [sp], #16\n.cfi_def_cfa 31, 0\nret\n"
#else
#define FENCEPOST_KEEP                                         \
  "push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n" \
  "mov %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"               \
  "push %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
#define FENCEPOST_KEEP_2 "push %rdi\npush %rsi\nsub $8, %rsp\n"  // the stack is aligned
#define FENCEPOST_KEEP_3 "push %rdi\npush %rsi\npush %rdx\n"
#define FENCEPOST_KEEP_5 FENCEPOST_KEEP_3 "push %rcx\npush %r8\n"
#define FENCEPOST_CALL "call"
#define FENCEPOST_RETURN "leave\n.cfi_def_cfa %rsp, 8\nret\n"
#endif

namespace fencepost::programs {

// `frame` is the frame of the function. It begins with the address of the frame of its entry.
inline call_site entry_site(const void* frame, int arguments) noexcept {
#if defined(__aarch64__)
  constexpr int kept_over_calls = 18;
  const int words = (arguments + 1) / 2 * 2;
#else
  constexpr int kept_over_calls = 5;
  const int words = arguments;
#endif
  const auto* const entry = *static_cast<const void* const* const*>(frame);
  return {entry[1], entry, entry + 2, entry - kept_over_calls - words};
}

}  // namespace fencepost::programs

#define FENCEPOST_ENTRY_SITE(arguments) \
  fencepost::programs::entry_site(__builtin_frame_address(0), arguments)
