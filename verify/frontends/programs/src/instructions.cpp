#include "instructions.hpp"

#include <algorithm>
#include <iterator>

namespace fencepost::programs {
namespace {

template <std::size_t n>
bool begins_with_one_of(std::string_view text, const std::string_view (&starts)[n]) {
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view b) { return text.starts_with(b); });
}

#if defined(__aarch64__)
// Exclusive loads and stores, the atomic instructions of LSE, and accesses with an order.
bool is_atomic(std::string_view instruction) {
  constexpr std::string_view starts[] = {"ldx",    "ldax",   "stx",    "stlx",   "ldar",  "ldapr",
                                         "stlr",   "stllr",  "ldlar",  "ldapur", "stlur", "cas",
                                         "swp",    "ldadd",  "ldclr",  "ldeor",  "ldset", "ldsmax",
                                         "ldsmin", "ldumax", "ldumin", "stadd",  "stclr", "steor",
                                         "stset",  "stsmax", "stsmin", "stumax", "stumin"};
  return begins_with_one_of(instruction, starts);
}
bool is_fence(std::string_view instruction) {
  return instruction.starts_with("dmb") || instruction.starts_with("dsb");
}
bool is_non_temporal(std::string_view instruction) {
  return instruction.starts_with("stnp ") || instruction.starts_with("ldnp ");
}
bool is_of_many_bytes(std::string_view instruction) { return instruction.starts_with("dc zva"); }
bool asks_the_machine(std::string_view instruction) {
  if (instruction.starts_with("svc ")) return true;
  return instruction.starts_with("mrs ") && (instruction.find("cnt") != std::string_view::npos ||
                                             instruction.find("rndr") != std::string_view::npos);
}
#else
bool has_memory(std::string_view operands) {
  constexpr std::size_t none = std::string_view::npos;
  return operands.find_first_of("(:") != none || operands.find("0x") != none;
}

// An atomic instruction has a prefix, except for an exchange with memory.
bool is_atomic(std::string_view instruction) {
  return instruction.find("lock ") != std::string_view::npos ||
         (instruction.starts_with("xchg ") && has_memory(instruction));
}

// sfence and lfence, which are used with non-temporal accesses, order no others.
bool is_fence(std::string_view instruction) { return instruction.starts_with("mfence"); }

// Also true for accesses to some elements of a vector, which are made by functions as well.
bool is_non_temporal(std::string_view instruction) {
  constexpr std::string_view starts[] = {
      "movnt",     "vmovnt",    "maskmov", "vmaskmov", "vpmaskmov", "vgather", "vpgather",
      "vscatter",  "vpscatter", "lddqu",   "vlddqu",   "movdir",    "enqcmd",  "tileload",
      "tilestore", "xsave",     "xrstor",  "fxsave",   "fxrstor"};
  if (begins_with_one_of(instruction, starts)) return true;
  return instruction.find("{%k") != std::string_view::npos && has_memory(instruction);
}

// With or without a prefix that repeats the instruction: "rep movsb %ds:(%rsi),%es:(%rdi)". Other
// instructions of these names have no memory operand with these segments.
bool is_of_many_bytes(std::string_view instruction) {
  for (const std::string_view prefix : {"rep ", "repz ", "repnz "})
    if (instruction.starts_with(prefix)) instruction.remove_prefix(prefix.size());
  constexpr std::string_view starts[] = {"movs", "stos", "lods", "scas", "cmps"};
  return begins_with_one_of(instruction, starts) &&
         (instruction.find("%es:(%rdi)") != std::string_view::npos ||
          instruction.find("%ds:(%rsi)") != std::string_view::npos);
}

bool asks_the_machine(std::string_view instruction) {
  constexpr std::string_view starts[] = {"rdtsc",   "rdrand",   "rdseed", "rdpmc",
                                         "syscall", "sysenter", "int $",  "xbegin"};
  return begins_with_one_of(instruction, starts);
}
#endif

}  // namespace

instruction kind_of(std::string_view text) {
  if (is_atomic(text)) return instruction::atomic;
  if (is_fence(text)) return instruction::fence;
  if (is_non_temporal(text)) return instruction::non_temporal;
  if (asks_the_machine(text)) return instruction::of_the_machine;
  return is_of_many_bytes(text) ? instruction::of_many_bytes : instruction::other;
}

}  // namespace fencepost::programs
