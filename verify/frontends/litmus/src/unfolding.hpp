// What one thread does for each sequence of values that its reads may return. Nodes are created on
// demand and kept.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

struct event {
  bool reads = false;
  bool writes = false;  // neither: a fence
  location_id location = 0;
  word_part part = word_part::whole;
  access_order order = access_order::plain;
  value read = 0;
  value written = 0;
  bool spurious = false;  // a weak compare-exchange that failed although the value matched
};

// The result of a read.
struct answer {
  value seen = 0;
  bool spurious = false;
  auto operator<=>(const answer&) const = default;
};

// A read that waits for its answer.
struct question {
  location_id location = 0;
  word_part part = word_part::whole;
  std::optional<value> may_fail_at;  // a weak compare-exchange's expected value
};

class unfolding {
 public:
  struct node {
    std::vector<event> events;     // from the beginning of the thread
    std::optional<question> next;  // empty: the thread ends here
    bool cut = false;              // … at the bound of a loop
    bool strays = false;           // … where it accesses an address that is not a location's
    std::vector<value> registers;  // at the end
    std::vector<answer> answers;   // those that lead here
    std::map<answer, std::unique_ptr<node>> children;
  };

  unfolding(const program&, unsigned thread);

  node* root() noexcept { return root_.get(); }
  node* after(node*, const answer&);

 private:
  std::unique_ptr<node> run(std::vector<answer>) const;

  const program& program_;
  unsigned thread_;
  std::unique_ptr<node> root_;
};

}  // namespace fencepost::litmus
