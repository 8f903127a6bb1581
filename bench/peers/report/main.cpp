// Makes the tables, the plots and one JSON file from many rounds of the benchmarks against peers.
//
//   peers_report [--images] [--json FILE] [--plots FOLDER] FILE...
//
//   FILE...         what the executables wrote with --benchmark_out, for any number of rounds
//   --images        puts links to the plots into the tables
//   --json FILE     writes all results to one file: medians, quartiles, the time of each round
//   --plots FOLDER  writes a gnuplot script for each plot
//
// Prints the tables. Exit status: 0; 1 a peer computed a wrong result, which is reported; 2 usage,
// or a file that cannot be read or written.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "measurements.hpp"
#include "plots.hpp"
#include "tables.hpp"

namespace fencepost::bench::peers {
namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream file{path};
  file << text;
  if (!file.flush()) throw bad_input{path + " cannot be written"};
}

std::string to_json(const measurements& all) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const measurement& m : all.all()) {
    nlohmann::ordered_json one{{"family", m.family},
                               {"work", m.work},
                               {"peer", m.peer},
                               {"threads", m.threads},
                               {"median_ns", m.median()},
                               {"lower_quarter_ns", m.quantile(0.25)},
                               {"upper_quarter_ns", m.quantile(0.75)},
                               {"rounds_ns", m.times}};
    if (!m.label.empty()) one["sequential"] = m.label;
    for (const auto& [name, value] : m.counters) one[name] = value;
    out.push_back(std::move(one));
  }
  return out.dump(1) + '\n';
}

int wrong_usage(const std::string& why) {
  std::cerr << "peers_report: " << why
            << "; usage: peers_report [--images] [--json FILE] [--plots FOLDER] FILE...\n";
  return 2;
}

int run(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  std::string json, plots;
  bool images = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--images") {
      images = true;
    } else if (argument == "--json" || argument == "--plots") {
      if (++i == arguments.size()) return wrong_usage(argument + " needs a value");
      (argument == "--json" ? json : plots) = arguments[i];
    } else if (argument.starts_with("-")) {
      return wrong_usage('"' + argument + "\" is not understood");
    } else {
      files.push_back(argument);
    }
  }
  if (files.empty()) return wrong_usage("no file is named");

  measurements all;
  for (const std::string& path : files) {
    std::ifstream file{path};
    if (!file) throw bad_input{path + " cannot be read"};
    all.read(file, path);
  }
  for (const std::string& failure : all.failures())
    std::cerr << "peers_report: " << failure << '\n';
  if (!all.failures().empty()) return 1;
  if (all.all().empty()) throw bad_input{"nothing was measured in " + files.front()};
  write_tables(std::cout, all, images);
  if (!json.empty()) write(json, to_json(all));
  if (!plots.empty()) {
    write_plots(all, [&](const std::string& name, const std::string& script) {
      write(plots + '/' + name + ".gp", script);
    });
  }
  return 0;
}

}  // namespace
}  // namespace fencepost::bench::peers

int main(int argc, char** argv) {
  try {
    return fencepost::bench::peers::run({argv + 1, argv + argc});
  } catch (const fencepost::bench::peers::bad_input& wrong) {
    std::cerr << "peers_report: " << wrong.what() << '\n';
    return 2;
  }
}
