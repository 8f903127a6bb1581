#include "reexecute/silent_accesses.hpp"

#include <algorithm>
#include <string>

namespace fencepost::verify {

void silent_accesses::cut(unsigned thread, unsigned number) {
  for (std::size_t i = all_.size(); i-- > 0;) {
    if (all_[i].thread != thread || all_[i].after <= number) continue;
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(i));
    places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::size_t silent_accesses::position_of(const silent_access& a) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const silent_access& o) {
    return o.object == a.object && o.thread == a.thread && o.after == a.after && o.what == a.what;
  });
  return static_cast<std::size_t>(found - all_.begin());
}

run_judgement silent_accesses::race_of(const silent_access& a, const silent_access& b) const {
  const bool in_order = position_of(a) < position_of(b);
  const silent_access& later = in_order ? b : a;
  const silent_access& earlier = in_order ? a : b;
  const auto done = [](const silent_access& s) {
    return (s.what == silent_access::kind::read ? "read by thread " : "written by thread ") +
           std::to_string(s.thread);
  };
  run_judgement r;
  r.data_race = "plain data is " + done(later) + " and " + done(earlier) +
                ", and neither happens before the other";
  r.thread = later.thread;
  r.where = places_[position_of(later)];
  return r;
}

}  // namespace fencepost::verify
