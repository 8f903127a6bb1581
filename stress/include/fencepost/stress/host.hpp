// On what a run runs: what its results are evidence for.
#pragma once

#include <string>

namespace fencepost::stress {

struct host {
  std::string architecture;  // that this program was compiled for: "x86_64"
  std::string processor;     // as the system calls it; "" where it does not say
  unsigned processors = 1;   // that the process may use
  std::string emulator;      // what runs the program in the processor's place, "" if nothing does

  friend bool operator==(const host&, const host&) = default;
};

// FENCEPOST_EMULATED in the environment, where it is not empty, names an emulator that is not found
// out: of a whole system, such as a QEMU without KVM.
host this_host();

// A program that runs this one (qemu-user, FEX, Rosetta for Linux), by name, or "".
std::string find_emulator();

}  // namespace fencepost::stress
