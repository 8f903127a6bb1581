// How places in the source are cited: by their lines, for an editor to jump to, or by names that do
// not change with the lines around them.
#pragma once

#include <map>
#include <string>

#include "fencepost/verify/report.hpp"

namespace fencepost::verify {

// The shortest ends of paths that distinguish the files of one execution.
class short_names {
 public:
  explicit short_names(const execution&);
  const std::string& operator[](const char* file) const { return names_.at(file); }
  const std::map<std::string, std::string>& all() const noexcept { return names_; }

 private:
  bool is_ambiguous(const std::string& file, const std::string& name) const;

  std::map<std::string, std::string> names_;
};

class cited_places {
 public:
  // Without `names`, places are cited by line.
  cited_places(const execution& shown, const place_names* names)
      : execution_(shown), files_(shown), names_(names) {}

  const std::map<std::string, std::string>& files() const noexcept { return files_.all(); }

  // "mailbox.hpp:27 receive", or "mailbox.hpp:take".
  std::string before_code(const source_location&) const;
  // "at mailbox.hpp:27", or "at mailbox.hpp:take"; "in receive() of mailbox.hpp" without a label.
  std::string in_sentence(const source_location&) const;
  // Returns the message with the places of the execution's steps cited like that.
  std::string in_message(std::string message) const;

 private:
  std::string label_of(const source_location&) const;

  const execution& execution_;
  short_names files_;
  const place_names* names_;
};

// "at core/mailbox.hpp:27, in receive(), by thread 1"; "" if the place is not known.
std::string cited_place(const counterexample&, const place_names*);

}  // namespace fencepost::verify
