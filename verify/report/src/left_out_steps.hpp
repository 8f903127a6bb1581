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
  // At most so many steps are shown, and of the set-up only what is read later; 0: all. Without
  // `own_data` accesses to plain data that one thread alone accesses are private.
  left_out_steps(const std::vector<step>&, std::size_t max_steps, bool own_data);

  bool operator[](std::size_t index) const { return left_out_[index]; }
  // An access to plain data that no other thread accesses, which is left out for that.
  bool is_private(std::size_t index) const { return private_[index]; }
  bool any_private() const;
  // Why the steps from this one to before `end` are left out: "5 steps of the set-up left out"; ""
  // where all of them are private.
  std::string in_words(std::size_t from, std::size_t end) const;

 private:
  void leave_out_set_up(const std::vector<step>&);
  void leave_out_turns(const std::vector<step>&);
  void leave_out_private(const std::vector<step>&);
  void leave_out_middle(const std::vector<step>&, std::size_t max_steps);

  std::vector<bool> left_out_;
  std::vector<bool> private_;                 // of those left out
  std::map<std::size_t, std::size_t> turns_;  // left out from here on: turns of this length
  std::size_t set_up_ = 0;  // so many steps are before the first thread is created
};

}  // namespace fencepost::verify
