// The number of the active fault.
#include <cstdlib>

namespace fencepost::programs {

namespace {
unsigned wanted() {
  const char* const number = std::getenv("FENCEPOST_MUTANT");
  return number == nullptr ? 0 : static_cast<unsigned>(std::strtoul(number, nullptr, 10));
}
}  // namespace

extern unsigned mutant;
unsigned mutant = wanted();

}  // namespace fencepost::programs
