#include "links.hpp"

#include "source_names/location_names.hpp"
#include "step_words.hpp"

namespace fencepost::verify {

bool links::is_link(const edge& e) const {
  return e.kind == relation::reads_from &&
         execution_.steps[e.from].thread != execution_.steps[e.to].thread;
}

bool links::fence_between(std::size_t from, std::size_t to, unsigned thread,
                          bool (*of_kind)(std::string_view)) const {
  for (std::size_t i = from; i < to; ++i) {
    const step& s = execution_.steps[i];
    if (s.thread == thread && s.kind == step_kind::fence && of_kind(s.order)) return true;
  }
  return false;
}

// True if neither the write, nor a fence between `earlier` and the write, is a release.
bool links::lacks_release(const edge& link, std::size_t earlier) const {
  const step& write = execution_.steps[link.from];
  if (releases(write.order)) return false;
  const std::size_t begin = execution_.steps[earlier].thread == write.thread ? earlier : 0;
  return !fence_between(begin, link.from, write.thread, releases);
}

bool links::lacks_acquire(const edge& link, std::size_t later) const {
  const step& read = execution_.steps[link.to];
  if (acquires(read.order)) return false;
  return !fence_between(link.to, later, read.thread, acquires);
}

std::string links::lacking(const edge& link, std::size_t earlier, std::size_t later) const {
  if (location_names::wakes(execution_.steps[link.to]))
    return ", and a notification synchronizes with nothing";
  const bool release = lacks_release(link, earlier);
  const bool acquire = lacks_acquire(link, later);
  if (!release && !acquire) return ", and the two do not synchronize";
  std::string text = ", but ";
  if (release) text += step_words::number(link.from) + " is not a release";
  // A fence before it would not help if `earlier` is the write itself.
  if (release && link.from != earlier) text += " and no release fence precedes it";
  if (release && acquire) text += ", and ";
  if (acquire)
    text += step_words::number(link.to) + " is not an acquire and no acquire fence follows it";
  return text;
}

const edge* links::nearest(std::size_t earlier, std::size_t later) const {
  const edge* best = nullptr;
  int fewest = 0;
  for (const edge& e : execution_.edges) {
    if (!is_link(e) || ordered_(e.from, later) || !reached_(earlier, e.from) ||
        !reached_(e.to, later)) {
      continue;
    }
    const int lacks = (lacks_release(e, earlier) ? 1 : 0) + (lacks_acquire(e, later) ? 1 : 0);
    if (best == nullptr || lacks < fewest || (lacks == fewest && e.to > best->to)) {
      best = &e;
      fewest = lacks;
    }
  }
  return best;
}

}  // namespace fencepost::verify
