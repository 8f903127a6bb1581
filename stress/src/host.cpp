#include "fencepost/stress/host.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "fencepost/stress/processors.hpp"
#if defined(__linux__)
#include <unistd.h>
#endif

namespace fencepost::stress {
namespace {

struct target {
  const char* name;
  unsigned elf;  // e_machine of its programs; 0: unknown
};

constexpr target compiled_for() {
#if defined(__x86_64__)
  return {"x86_64", 62};
#elif defined(__i386__)
  return {"i386", 3};
#elif defined(__aarch64__)
  return {"aarch64", 183};
#elif defined(__arm__)
  return {"arm", 40};
#elif defined(__riscv)
  return {"riscv", 243};
#elif defined(__powerpc64__)
  return {"ppc64", 21};
#else
  return {"another", 0};
#endif
}

#if defined(__linux__)
std::string target_of_link(const char* link) {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink(link, path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string();
}

// Returns the machine that a program is for, from its ELF header; 0 if that cannot be read.
unsigned elf_machine(const char* program) {
  std::array<unsigned char, 20> head{};
  std::ifstream file(program, std::ios::binary);
  file.read(reinterpret_cast<char*>(head.data()), head.size());
  if (!file || head[0] != 0x7f || head[1] != 'E' || head[2] != 'L' || head[3] != 'F') return 0;
  const bool big_endian = head[5] == 2;
  return big_endian ? head[18] * 256U + head[19] : head[19] * 256U + head[18];
}
#endif

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name") && !line.starts_with("cpu\t")) continue;
    const std::size_t at = line.find(": ");
    if (at != std::string::npos) return line.substr(at + 2);
  }
  return "";
}

}  // namespace

// An emulator of user programs makes /proc/self/exe name the emulated program, so that it finds
// itself. Few also handle /proc/thread-self, where the kernel names the program that really runs.
std::string find_emulator() {
#if defined(__linux__)
  constexpr const char* really = "/proc/thread-self/exe";
  const std::string runs = target_of_link(really);
  if (runs.empty()) return "";
  const unsigned machine = elf_machine(really);
  const bool of_another_machine =
      machine != 0 && compiled_for().elf != 0 && machine != compiled_for().elf;
  if (!of_another_machine && runs == target_of_link("/proc/self/exe")) return "";
  return runs.substr(runs.rfind('/') + 1);
#else
  return "";
#endif
}

host this_host() {
  host m;
  m.architecture = compiled_for().name;
  m.processors = processors::of_this_machine().count();
  m.emulator = find_emulator();
  const char* const said = std::getenv("FENCEPOST_EMULATED");
  if (m.emulator.empty() && said != nullptr) m.emulator = said;
  // Under an emulator, the system would name the processor of the machine below it.
  if (m.emulator.empty()) m.processor = processor_name();
  return m;
}

}  // namespace fencepost::stress
