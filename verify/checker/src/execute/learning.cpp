#include "execute/learning.hpp"

namespace fencepost::verify {

void learning::restart() {
  resuming_.forget_points();
  if (!sampler_.on() && ending_.restart_wanted() == run_ending::restart_for::lesson)
    lessons_.push_back({without_zeros(exploration_.path()), contention_.found()});
  exploration_.restart();
  ending_.restarted();
  restarted_ = true;
  if (sampler_.on()) sampler_.restart();
  if (options_.on_restart) options_.on_restart();
}

void learning::know_contended(const lesson& l) {
  for (const location_name& n : l.contended) contention_.know(n);
  lessons_.push_back(l);
}

}  // namespace fencepost::verify
