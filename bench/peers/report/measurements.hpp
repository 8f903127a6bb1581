// The measurements of the benchmarks against peers, merged from many files of Google Benchmark, one
// for each round and executable.
#pragma once

#include <istream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fencepost::bench::peers {

// A file that cannot be used; the message names it and says what is wrong.
struct bad_input : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One benchmark; bench.hpp describes its name.
struct measurement {
  std::string family, work, peer;
  unsigned threads = 0;
  std::vector<double> times;               // nanoseconds per item, one for each round
  std::vector<double> processor_times;     // the same for all threads, if that is measured
  std::string label;                       // the sequential program of a fork-join runtime
  std::map<std::string, double> counters;  // of the last round, without "items"

  double median() const { return quantile(0.5); }
  double processor_time() const;  // the median
  // The interquartile range, divided by the median.
  double spread() const { return (quantile(0.75) - quantile(0.25)) / median(); }
  double quantile(double q) const;
};

class measurements {
 public:
  // Adds the measurements of a file; `name` is for the message. Throws bad_input.
  void read(std::istream& file, const std::string& name);

  const std::vector<measurement>& all() const { return all_; }
  // Benchmarks that failed because a peer computed a wrong result, with the message.
  const std::vector<std::string>& failures() const { return failures_; }
  // Returns null if it was not measured.
  const measurement* find(const std::string& family, const std::string& work,
                          const std::string& peer, unsigned threads) const;
  // Returns the thread counts of a family and work, in increasing order.
  std::vector<unsigned> threads_of(const std::string& family, const std::string& work) const;
  // Returns the peers of a family, in the order in which they were first measured.
  std::vector<std::string> peers_of(const std::string& family) const;

 private:
  measurement& at(const std::string& benchmark, const std::string& file);

  std::vector<measurement> all_;
  std::vector<std::string> failures_;
};

}  // namespace fencepost::bench::peers
