#include "run/stopped_run.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "base/checksum.hpp"
#include "base/input_file.hpp"
#include "base/replaced_file.hpp"
#include "base/usage.hpp"
#include "result_json/result_json.hpp"
#include "source/weaken.hpp"

namespace fencepost::cli {
namespace {

constexpr std::string_view command = "checkpoint";

// Returns the digest of the scenario's code if it is known, else that of the whole program.
std::string digest_of(const entry& e) {
  static const std::string program = [] {
    checksum sum;
    if (!sum.add_file("/proc/self/exe"))
      throw usage_error(
          "/proc/self/exe cannot be read, so that a checkpoint cannot say whose it is");
    return sum.text();
  }();
  return e.digest.empty() ? program : e.digest;
}

json in_json(const explored_thing& t) {
  return {{"scenario", t.scenario}, {"digest", t.digest}, {"how", t.how}};
}

std::string sum_of(const json& j) {
  checksum sum;
  sum.add(dump(j.at("exploration"), -1));
  sum.add(j.at("checkpoint").get<std::string>());
  return sum.text();
}

// "model rc11, not rc20".
std::string difference(const json& found, const json& wanted) {
  for (const auto& [name, value] : wanted.items()) {
    const json other = found.value(name, json());
    if (other != value) return name + " " + other.dump() + ", not " + value.dump();
  }
  return "other options";
}

}  // namespace

explored_thing explored_by(const entry& e, const common_options& common,
                           const limit_options& limits) {
  json how{{"model", to_string(common.model)}, {"weaken", json::array()}, {"bound", nullptr}};
  for (const verify::order_change& c : limits.changes) how["weaken"].push_back(to_text(c));
  if (limits.preemptions) how["bound"] = *limits.preemptions;
  how["symmetry"] = limits.symmetry;
  how["recheck"] = limits.recheck;
  return {std::string(e.about.name), digest_of(e), std::move(how)};
}

void take_options(const std::string& from, const explored_thing& t, common_options& common,
                  limit_options& limits) {
  try {
    common.model = verify::model_from(t.how.at("model"));
    limits.changes.clear();
    for (const json& c : t.how.at("weaken"))
      limits.changes.push_back(change_from(c.get<std::string>()));
    limits.preemptions.reset();
    if (!t.how.at("bound").is_null()) limits.preemptions = whole<unsigned>(t.how["bound"]);
    limits.symmetry = t.how.at("symmetry");
    limits.recheck = t.how.at("recheck");
  } catch (const std::exception& e) {
    throw usage_error(from + ": its options cannot be parsed: " + in_words(e));
  }
}

const entry& entry_of(const std::string& from, const explored_thing& t,
                      const std::vector<entry>& entries) {
  for (const entry& e : entries) {
    if (e.about.name != t.scenario) continue;
    if (digest_of(e) == t.digest) return e;
    throw usage_error(from + ": it was written by another build: the code of " + t.scenario +
                      ", or the checker, has changed since");
  }
  throw usage_error(from + ": this program has no scenario '" + t.scenario + "'");
}

stopped_run read_stopped_run(const std::string& option, const std::string& path) try {
  const json j = read_document(option, path, command, "a saved exploration");
  if (j.at("checksum") != sum_of(j))
    throw std::invalid_argument("it was modified after it was written");
  const json& t = j.at("exploration");
  return {{t.at("scenario"), t.at("digest"), t.at("how")},
          verify::checkpoint(j.at("checkpoint").get<std::string>())};
} catch (const usage_error& e) {
  throw unreadable_run(e.what());
} catch (const std::invalid_argument& e) {
  throw unreadable_run(option + ": '" + path + "' cannot be read: " + e.what());
} catch (const json::exception& e) {
  throw unreadable_run(option + ": '" + path + "' cannot be parsed: " + in_words(e));
}

void write_stopped_run(const std::string& option, const std::string& path, const explored_thing& t,
                       const std::string& checkpoint) {
  const verify::checkpoint state(checkpoint);
  json j = document(command);
  j["exploration"] = in_json(t);
  j["progress"] = {{"executions", state.executions()},
                   {"blocked", state.blocked()},
                   {"seconds", state.seconds()},
                   {"parts", state.parts()},
                   {"complete", state.is_complete()}};
  j["checkpoint"] = checkpoint;
  j["checksum"] = sum_of(j);
  replaced_file file(option, path);
  const no_signals block;
  file.write(dump(j, 2) + "\n");
  file.put_in_place();
}

void require_same(const std::string& option, const std::string& path, const explored_thing& found,
                  const explored_thing& wanted) {
  const auto refuse = [&](const std::string& why) {
    throw usage_error(option + ": '" + path + "' is of " + why);
  };
  if (found.scenario != wanted.scenario)
    refuse("another scenario: " + found.scenario + ", not " + wanted.scenario);
  if (found.digest != wanted.digest)
    refuse("another build: the code of " + found.scenario + ", or the checker, has changed");
  if (found.how != wanted.how) refuse("an exploration with " + difference(found.how, wanted.how));
}

}  // namespace fencepost::cli
