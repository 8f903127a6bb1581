#include "measurements.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace fencepost::bench::peers {

namespace {

double quantile_of(std::vector<double> sorted, double q) {
  std::sort(sorted.begin(), sorted.end());
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

}  // namespace

double measurement::quantile(double q) const { return quantile_of(times, q); }
double measurement::processor_time() const { return quantile_of(processor_times, 0.5); }

measurement& measurements::at(const std::string& benchmark, const std::string& file) {
  std::vector<std::string> parts;
  std::istringstream text{benchmark};
  for (std::string part; parts.size() < 4 && std::getline(text, part, '/');) parts.push_back(part);
  const bool numbered = parts.size() == 4 && !parts[3].empty() && parts[3].size() < 6 &&
                        parts[3].find_first_not_of("0123456789") == std::string::npos;
  if (!numbered) {
    throw bad_input{file + ": \"" + benchmark +
                    "\" is not the name of a benchmark beside the peers: <family>/<work>/<peer>/"
                    "<threads>"};
  }
  const auto threads = static_cast<unsigned>(std::stoul(parts[3]));
  for (measurement& each : all_) {
    if (each.family == parts[0] && each.work == parts[1] && each.peer == parts[2] &&
        each.threads == threads) {
      return each;
    }
  }
  return all_.emplace_back(measurement{parts[0], parts[1], parts[2], threads, {}, {}, {}, {}});
}

void measurements::read(std::istream& file, const std::string& name) {
  static const std::map<std::string, double> nanoseconds{
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  // What Google Benchmark reports about a run in addition to its counters.
  static const std::set<std::string> its_own{"family_index", "per_family_instance_index",
                                             "repetitions",  "repetition_index",
                                             "threads",      "iterations",
                                             "real_time",    "cpu_time",
                                             "items"};
  try {
    const nlohmann::json all = nlohmann::json::parse(file);
    for (const nlohmann::json& run : all.at("benchmarks")) {
      const std::string benchmark = run.at("name");
      if (run.value("error_occurred", false)) {
        failures_.push_back(benchmark + ": " + run.value("error_message", "failed"));
        continue;
      }
      if (run.value("run_type", "iteration") != "iteration") continue;
      measurement& of = at(benchmark, name);
      const auto unit = nanoseconds.find(run.at("time_unit"));
      const double time = run.at("real_time");
      const double items = run.value("items", 1.0);
      if (unit == nanoseconds.end() || !(time > 0) || !(items > 0)) {
        throw bad_input{name + ": " + benchmark + " has no time that can be understood"};
      }
      of.times.push_back(time * unit->second / items);
      const double processor_time = run.at("cpu_time");
      of.processor_times.push_back(processor_time * unit->second / items);
      of.label = run.value("label", "");
      for (const auto& [key, value] : run.items()) {
        if (value.is_number() && !its_own.contains(key)) of.counters[key] = value.get<double>();
      }
    }
  } catch (const nlohmann::json::exception& wrong) {
    throw bad_input{name + " is not a file of Google Benchmark: " + wrong.what()};
  }
}

const measurement* measurements::find(const std::string& family, const std::string& work,
                                      const std::string& peer, unsigned threads) const {
  for (const measurement& each : all_) {
    if (each.family == family && each.work == work && each.peer == peer &&
        each.threads == threads) {
      return &each;
    }
  }
  return nullptr;
}

std::vector<unsigned> measurements::threads_of(const std::string& family,
                                               const std::string& work) const {
  std::set<unsigned> counts;
  for (const measurement& each : all_) {
    if (each.family == family && each.work == work) counts.insert(each.threads);
  }
  return {counts.begin(), counts.end()};
}

std::vector<std::string> measurements::peers_of(const std::string& family) const {
  std::vector<std::string> peers;
  for (const measurement& each : all_) {
    if (each.family == family && std::find(peers.begin(), peers.end(), each.peer) == peers.end()) {
      peers.push_back(each.peer);
    }
  }
  return peers;
}

}  // namespace fencepost::bench::peers
