// The scenarios of the kit, each checked on the checker's policy.
#include "fencepost/models/registry.hpp"

#include "entry.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"

namespace fencepost::cli {

std::vector<entry> registry() {
  std::vector<entry> all;
  models::visit_scenarios<checked_atomics>([&]<class S>() {
    all.push_back(
        {S::about, [](const verify::options& o) { return verify::check_scenario<S>(o); }});
  });
  return all;
}

}  // namespace fencepost::cli
