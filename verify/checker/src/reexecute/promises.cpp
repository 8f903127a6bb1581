#include "reexecute/promises.hpp"

namespace fencepost::verify {

promises::promises(const std::vector<promise>& all) : all_(all), for_other_field_(all) {
  for (promise& p : for_other_field_) {
    if (!p.in_other_field) continue;
    const value promised = p.promised;
    p.promised = *p.in_other_field;
    p.in_other_field = promised;
  }
}

from_future promises::made_to(explored_name read) const noexcept {
  from_future made;
  for (const promise& p : all_)
    if (p.read == read) made.fields[p.field] = &p;
  return made;
}

std::size_t promises::number_of(const promise& p) const noexcept {
  std::size_t i = 0;
  while (&all_[i] != &p && &for_other_field_[i] != &p) ++i;
  return i;
}

}  // namespace fencepost::verify
