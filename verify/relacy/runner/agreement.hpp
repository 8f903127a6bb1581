// Whether Relacy's results agree with what a scenario expects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulated_scenario.hpp"

namespace fencepost::relacy {

// The runs of a scenario, one for each scheduler.
struct row {
  struct run {
    relacy::scheduler scheduler;
    relacy::result result;
  };
  const entry* what = nullptr;
  std::vector<run> runs;

  const run* violated() const;  // the first violated run, of the expected kind if there is one
};

enum class standing : std::uint8_t {
  agrees,
  explained,   // Relacy disagrees, and a rule explains why
  differs,     // ... and no rule is known
  agrees_now,  // a rule explains why Relacy disagrees, but it agrees
  broken,
  incomplete,  // the time limit came first
  skipped,
};
inline constexpr std::size_t standings = 7;

standing judge(const row&);
std::string_view in_words(standing);
// Returns 0 if all agree or a rule explains why not, 1 if not, 3 if a time limit came first.
int status_of(const std::vector<row>&);

inline bool must_be_violated(const scenario& s) { return s.expected != violation::none; }
std::string expectation(const scenario&);

}  // namespace fencepost::relacy
