#include "run/result_store.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/input_file.hpp"
#include "base/json.hpp"
#include "base/replaced_file.hpp"
#include "base/usage.hpp"
#include "result_json/result_json.hpp"

namespace fencepost::cli {
namespace {

// The first line of the file, which states its kind and version.
constexpr std::string_view heading = R"({"fencepost results": 1})";

std::string limits_of(const verify::options& how) {
  return fmt::format("{} {}", how.max_executions, how.timeout.count());
}

}  // namespace

std::set<std::string> digests_of(const std::vector<entry>& all) {
  std::set<std::string> digests;
  for (const entry& e : all) {
    if (!e.digest.empty()) digests.insert(e.digest);
  }
  return digests;
}

result_store::result_store(std::string path, const std::set<std::string>& digests)
    : path_(std::move(path)) {
  if (path_.empty()) return;
  std::string kept(heading);
  kept += '\n';
  if (!read(digests, kept)) {
    replaced_file fresh("--cache", path_);
    fresh.write(kept);
    fresh.put_in_place();
  }
  file_ = std::fopen(path_.c_str(), "a");
  if (file_ == nullptr) cannot_write("--cache", path_, errno);
}

bool result_store::read(const std::set<std::string>& digests, std::string& kept) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path_, error);
  if (!std::filesystem::exists(status)) return false;
  if (!std::filesystem::is_regular_file(status)) {
    throw usage_error("--cache: '" + path_ + "' is not a file of results; name another");
  }
  std::istringstream in(read_input("--cache", path_));
  std::string line;
  if (!std::getline(in, line)) return false;
  if (line != heading) {
    throw usage_error("--cache: '" + path_ +
                      "' is not a file of results, or one of another version; remove it, or name "
                      "another");
  }
  bool whole = true;
  while (std::getline(in, line)) {
    // A run that was killed may have left half a line at the end.
    const json j = json::parse(line, nullptr, false);
    const auto text = [&](const char* name) {
      return j.is_object() && j.contains(name) && j[name].is_string() ? j[name].get<std::string>()
                                                                      : std::string();
    };
    if (text("key").empty() || !digests.contains(text("digest")) || !j.contains("result")) {
      whole = false;
      continue;
    }
    results_[text("key")] = j["result"].dump();
    kept += line + '\n';
  }
  return whole;
}

result_store::~result_store() {
  if (file_ != nullptr) std::fclose(file_);
}

std::string result_store::key_of(const entry& e, const verify::options& how) {
  std::string key = fmt::format("{} {} {}", e.digest, e.about.name, to_string(how.model));
  for (verify::order_change c : how.changes) {
    c.name.clear();  // by now it may name another place
    key += " " + to_text(c);
  }
  if (!how.symmetry) key += " no-symmetry";
  // The result does not say how many runs were enough: with fewer it may be worse.
  if (how.model == verify::memory_model::xc20)
    key += fmt::format(" {} {}", how.reexecutions, how.max_executions);
  return key;
}

std::optional<verify::result> result_store::find(const entry& e, const verify::options& how) const {
  if (e.digest.empty()) return std::nullopt;
  const auto found = results_.find(key_of(e, how));
  if (found == results_.end()) return std::nullopt;
  try {
    const json j = json::parse(found->second);
    verify::result r = verify::result_from_json(j);
    if (how.recheck && (!r.recheck || j.value("graphs_apart", 1U) > how.graphs_apart))
      return std::nullopt;
    if (r.outcome == verify::verdict::incomplete && j.value("limits", "") != limits_of(how)) {
      return std::nullopt;
    }
    return r;
  } catch (const std::exception&) {  // edited by hand, or damaged
    return std::nullopt;
  }
}

void result_store::add(const entry& e, const verify::options& how, const verify::result& result) {
  if (file_ == nullptr || e.digest.empty() || result.limit == "interrupted") return;
  verify::result shorter = result;
  // One step is kept, since a violation without steps is not one that the explorer found.
  if (shorter.violation && !shorter.violation->steps.empty()) shorter.violation->steps.resize(1);
  json j = to_json(shorter);
  if (result.outcome == verify::verdict::incomplete) j["limits"] = limits_of(how);
  if (how.graphs_apart != 1) j["graphs_apart"] = how.graphs_apart;
  const std::string key = key_of(e, how);
  results_[key] = dump(j, -1);
  const std::string line = dump({{"key", key}, {"digest", e.digest}, {"result", j}}, -1) + "\n";
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0) {
    cannot_write("--cache", path_, errno);
  }
}

}  // namespace fencepost::cli
