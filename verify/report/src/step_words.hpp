// How sentences about an execution refer to its steps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "fencepost/verify/result.hpp"
#include "shown_execution.hpp"
#include "step_facts.hpp"

namespace fencepost::verify {

inline bool releases(std::string_view order) {
  return order == "release" || order == "acq_rel" || order == "seq_cst";
}
inline bool acquires(std::string_view order) {
  return order == "acquire" || order == "acq_rel" || order == "seq_cst";
}

class step_words {
 public:
  static std::string number(std::size_t step) { return "#" + std::to_string(step + 1); }

  step_words(const execution& e, const shown_execution& shown) : steps_(e.steps), words_(shown) {}

  // "store", "exchange", "read".
  std::string noun(std::size_t step) const {
    switch (steps_[step].kind) {
      case step_kind::store: return "store";
      case step_kind::read_modify_write: {
        const std::string text = words_.access(step);
        return text.substr(0, text.find(' '));
      }
      case step_kind::plain_write: return "write";
      case step_kind::note: return "use";
      default: return "read";
    }
  }
  std::string by(std::size_t step) const { return " by " + thread_name(steps_[step].thread); }
  std::string at(std::size_t step) const { return words_.at(step); }

  bool wakes(std::size_t step) const { return location_names::wakes(steps_[step]); }

  // "thread 2 read ready_ = 1 (#5) from the store at mailbox.hpp:21 (#4)".
  std::string reading(std::size_t read) const {
    const step& s = steps_[read];
    if (wakes(read) && s.reads_from) {
      return thread_name(s.thread) + " was woken (" + number(read) + ") by the notification" +
             at(*s.reads_from) + " (" + number(*s.reads_from) + ")";
    }
    std::string value = words_.access(read);
    const std::size_t begin = value.find(" = ");
    value = begin == std::string::npos ? "" : value.substr(begin);
    value = value.substr(0, std::min(value.find(" :="), value.find(" (")));
    std::string text = thread_name(s.thread) + " read " + words_.location(read) + value + " (" +
                       number(read) + ")";
    if (!s.reads_from) return text + ", its initial value";
    return text + " from the " + noun(*s.reads_from) + at(*s.reads_from) + " (" +
           number(*s.reads_from) + ")";
  }

 private:
  const std::vector<step>& steps_;
  const shown_execution& words_;
};

}  // namespace fencepost::verify
