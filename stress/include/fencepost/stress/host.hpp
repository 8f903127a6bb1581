// The machine of a run, for which its results are evidence.
#pragma once

#include <string>

namespace fencepost::stress {

struct host {
  std::string architecture;  // that this program was compiled for: "x86_64"
  std::string processor;     // its name, as the system reports it; "" if it does not
  unsigned processors = 1;   // that the process may use
  std::string emulator;      // that runs the program in place of the processor, "" if none does

  friend bool operator==(const host&, const host&) = default;
};

// The environment variable FENCEPOST_EMULATED, if it is not empty, names an emulator that
// find_emulator() cannot detect: one of a whole system, such as QEMU without KVM.
host this_host();

// Returns the name of a program that runs this one (qemu-user, FEX, Rosetta for Linux), or "".
std::string find_emulator();

}  // namespace fencepost::stress
