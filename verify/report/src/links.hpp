// The reads through which one thread learns what another did, and which orders such a read lacks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fencepost/verify/result.hpp"
#include "happens_before.hpp"

namespace fencepost::verify {

class links {
 public:
  // `ordered` is happens-before, `reached` program order with reads-from. All three must outlive
  // this.
  links(const execution& e, const happens_before& ordered, const happens_before& reached)
      : execution_(e), ordered_(ordered), reached_(reached) {}

  // True for a read of what another thread wrote.
  bool is_link(const edge&) const;
  // Returns the link between the two steps that comes nearest to ordering them; null if there is
  // none.
  const edge* nearest(std::size_t earlier, std::size_t later) const;
  // Says what the link lacks to order the two steps: ", but #4 is no release".
  std::string lacking(const edge& link, std::size_t earlier, std::size_t later) const;
  // True if the thread has a fence of that kind between the steps.
  bool fence_between(std::size_t from, std::size_t to, unsigned thread,
                     bool (*of_kind)(std::string_view order)) const;

 private:
  bool lacks_release(const edge& link, std::size_t earlier) const;
  bool lacks_acquire(const edge& link, std::size_t later) const;

  const execution& execution_;
  const happens_before& ordered_;
  const happens_before& reached_;
};

}  // namespace fencepost::verify
