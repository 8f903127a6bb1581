#include "run/finished_job.hpp"

#include <nlohmann/json.hpp>

#include "result_json/result_json.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {

json to_json(const scenario& s) {
  return {{"name", s.name},
          {"claim", s.claim},
          {"expected", s.expected == violation::none ? "verified" : to_string(s.expected)},
          {"threads", s.threads},
          {"nightly", s.nightly}};
}

json to_json(const entry& e, const finished_job& done) {
  json j = to_json(e.about);
  j["status"] = done.ran ? to_string(judge(e.about, done.result)) : "not run";
  j["result"] = to_json(done.result);
  if (!done.output.empty()) j["output"] = done.output;
  return j;
}

}  // namespace fencepost::cli
