// Replaces scenarios.cpp where FENCEPOST_BUILD_STRESS is off.
#include "fencepost/stress/subject.hpp"

namespace fencepost::stress {

std::vector<subject> subjects() { return {}; }

}  // namespace fencepost::stress
