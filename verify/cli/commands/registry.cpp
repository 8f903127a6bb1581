// The table of the kit's scenarios, assembled from one source for each header of models.
#include <algorithm>
#include <string_view>

#include "commands/model_digests.hpp"
#include "fencepost/stress/subject.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {

#define FENCEPOST_MODEL(id) void append_##id(std::vector<entry>& all);
#include "every_model.inc"
#undef FENCEPOST_MODEL

namespace {

// Links each scenario to its counterpart on real threads, if there is one: policies may leave some
// out.
void add_subjects(std::vector<entry>& all) {
  static const std::vector<stress::subject> subjects = stress::subjects();
  for (entry& e : all) {
    const auto found = std::find_if(subjects.begin(), subjects.end(),
                                    [&](const auto& s) { return s.about.name == e.about.name; });
    if (found != subjects.end()) e.on_threads = &*found;
  }
}

// A component's claims and faults are compiled together.
std::string_view component_of(std::string_view id) {
  for (const std::string_view part : {"_claims", "_faults"}) {
    if (id.ends_with(part)) id.remove_suffix(part.size());
  }
  return id;
}

void append_model(std::vector<entry>& all, void (*model)(std::vector<entry>&),
                  std::string_view id) {
  const std::size_t before = all.size();
  model(all);
  const std::string_view digest = digest_of_model(component_of(id));
  for (std::size_t i = before; i < all.size(); ++i) all[i].digest = digest;
}

}  // namespace

void append(std::vector<entry>& all, const scenario& about,
            verify::result (*run)(const verify::options&), std::string_view model) {
  all.push_back({about, run, model, {}});
}

std::vector<entry> registry() {
  std::vector<entry> all;
#define FENCEPOST_MODEL(id) append_model(all, append_##id, #id);
#include "every_model.inc"
#undef FENCEPOST_MODEL
  add_subjects(all);
  return all;
}

}  // namespace fencepost::cli
