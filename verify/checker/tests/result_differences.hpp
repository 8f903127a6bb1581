// How a result differs from the one that it ought to be, in words.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify::testing {

class differences {
 public:
  // `instead` precedes the expected value: "not", or where that value comes from.
  explicit differences(std::string instead) : instead_(std::move(instead)) {}

  template <class Number>
  void compare(std::string_view what, Number here, Number there) {
    compare(what, std::to_string(here), std::to_string(there));
  }
  void compare(std::string_view what, const std::string& here, const std::string& there) {
    if (here != there) add(std::string(what) + " " + here + ", " + instead_ + " " + there);
  }
  // Compares what two explorations of one program have in common, however each ended.
  void compare(const result& here, const result& there) {
    compare("executions", here.executions, there.executions);
    compare("blocked", here.blocked, there.blocked);
    compare("cut", here.cut, there.cut);
    compare("digest", here.digest, there.digest);
    compare("events", here.events, there.events);
    if (here.outcomes != there.outcomes) add("other outcomes");
  }
  void add(std::string_view said) {
    text_ += said;
    text_ += "; ";
  }

  // Returns "" if there is no difference.
  [[nodiscard]] std::string of(const std::string& name) const {
    return text_.empty() ? "" : name + ": " + text_;
  }

 private:
  std::string instead_;
  std::string text_;
};

}  // namespace fencepost::verify::testing
