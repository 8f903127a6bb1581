// The table of the kit's scenarios, assembled from one source for each header of models.
#include "simulated_scenario.hpp"

namespace fencepost::relacy {

#define FENCEPOST_MODEL(id) void append_##id(std::vector<entry>& all);
#include "every_model.inc"
#undef FENCEPOST_MODEL

std::vector<entry> registry() {
  std::vector<entry> all;
#define FENCEPOST_MODEL(id) append_##id(all);
#include "every_model.inc"
#undef FENCEPOST_MODEL
  return all;
}

}  // namespace fencepost::relacy
