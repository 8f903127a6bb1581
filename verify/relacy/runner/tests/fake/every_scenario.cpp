// Every scenario on Relacy's policy, in one source that is compiled and never run.
#include "fencepost/relacy/simulation.hpp"

#include <vector>

#include "model_headers.inc"
#include "simulated_scenario.hpp"

namespace fencepost::relacy {

std::vector<entry> every_scenario();
std::vector<entry> every_scenario() {
  std::vector<entry> all;
  const auto append = [&]<class S> { all.push_back({S::about, &run<S>, nullptr}); };
#define FENCEPOST_MODEL(model, list) models::visit<relacy_atomics>(list, append);
#include "model_lists.inc"
#undef FENCEPOST_MODEL
  return all;
}

}  // namespace fencepost::relacy
