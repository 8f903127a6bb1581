// The kit's scenarios, assembled from one source for each header of models.
#include "fencepost/stress/subject.hpp"

namespace fencepost::stress {

#define FENCEPOST_MODEL(id) void append_##id(std::vector<subject>& all);
#include "every_model.inc"
#undef FENCEPOST_MODEL

std::vector<subject> subjects() {
  std::vector<subject> all;
#define FENCEPOST_MODEL(id) append_##id(all);
#include "every_model.inc"
#undef FENCEPOST_MODEL
  return all;
}

}  // namespace fencepost::stress
