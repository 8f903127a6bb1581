// What the benchmarks beside the peers measured: many files of Google Benchmark, one for each round
// and executable, brought together.
#pragma once

#include <istream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fencepost::bench::peers {

// A file that is not what it should be: its name and what is wrong.
struct bad_input : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One benchmark. Its name: see bench.hpp.
struct measurement {
  std::string family, work, peer;
  unsigned threads = 0;
  std::vector<double> times;               // nanoseconds an item, one for each round
  std::vector<double> processor_times;     // the same, of all threads, where that is measured
  std::string label;                       // of a fork-join runtime: its sequential program
  std::map<std::string, double> counters;  // of the last round, without "items"

  double median() const { return quantile(0.5); }
  double processor_time() const;  // its median
  // How far apart the quarters are between which the middle half of the rounds lies, by the median.
  double spread() const { return (quantile(0.75) - quantile(0.25)) / median(); }
  double quantile(double q) const;
};

class measurements {
 public:
  // Adds a file's; `name` is for the message. Throws bad_input.
  void read(std::istream& file, const std::string& name);

  const std::vector<measurement>& all() const { return all_; }
  // Benchmarks that failed, and why: a peer computed something else.
  const std::vector<std::string>& failures() const { return failures_; }
  // Null: it was not measured.
  const measurement* find(const std::string& family, const std::string& work,
                          const std::string& peer, unsigned threads) const;
  // Of a family and work, in increasing order.
  std::vector<unsigned> threads_of(const std::string& family, const std::string& work) const;
  // Of a family, in the order in which they were first measured.
  std::vector<std::string> peers_of(const std::string& family) const;

 private:
  measurement& at(const std::string& benchmark, const std::string& file);

  std::vector<measurement> all_;
  std::vector<std::string> failures_;
};

}  // namespace fencepost::bench::peers
