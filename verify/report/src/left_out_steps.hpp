// Which steps of an execution say too little to be shown.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class left_out_steps {
 public:
  // Shows at most `max_steps` steps, and of the set-up only what is read later; 0: all. Without
  // `own_data`, accesses to plain data that a single thread accesses are private.
  left_out_steps(const std::vector<step>&, std::size_t max_steps, bool own_data);

  bool operator[](std::size_t index) const { return left_out_[index]; }
  // True for an access to plain data that no other thread accesses, and that is left out for this
  // reason.
  bool is_private(std::size_t index) const { return private_[index]; }
  bool any_private() const;
  // Describes the steps left out from this one to before `end`: "5 steps of the set-up left out";
  // "" if all of them are private.
  std::string in_words(std::size_t from, std::size_t end) const;

 private:
  void leave_out_set_up(const std::vector<step>&);
  void leave_out_turns(const std::vector<step>&);
  void leave_out_private(const std::vector<step>&);
  void leave_out_middle(const std::vector<step>&, std::size_t max_steps);

  std::vector<bool> left_out_;
  std::vector<bool> private_;                 // of those left out
  std::map<std::size_t, std::size_t> turns_;  // first step left out, length of a turn
  std::size_t set_up_ = 0;  // how many steps precede the creation of the first thread
};

}  // namespace fencepost::verify
