#include "reexecute/patches.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::verify {

namespace {

// How many more events the thread has with the patch.
int added_by(const patch& p) {
  if (p.what == patch::kind::replaced) return 0;
  return p.what == patch::kind::added ? 1 : -1;
}

}  // namespace

void patches::add(patch p) {
  added_[p.thread] += added_by(p);
  note_reads(p);
  all_.push_back(std::move(p));
}

void patches::note_reads(const patch& by) {
  for (unsigned k = 0; k < 2; ++k) {
    const promise* const p = by.reads.fields[k];
    const location at = by.event.cells[k];
    if (p == nullptr || (!by.event.writes && find_read(by.thread, p, at) != nullptr)) continue;
    const unsigned before = by.what == patch::kind::replaced ? by.number - 1 : by.number;
    reads_.push_back({p, {by.thread, at, by.number, by.event.writes}, before});
  }
}

void patches::cut(unsigned thread, unsigned number) {
  std::erase_if(reads_, [&](const noted_read& r) {
    return r.access.thread == thread && r.access.last > number;
  });
  std::erase_if(all_, [&](const patch& by) {
    const bool undone = by.thread == thread && by.number > number;
    if (undone) added_[thread] -= added_by(by);
    return undone;
  });
}

// The first such read; a null promise stands for any.
const patches::noted_read* patches::find_read(unsigned thread, const promise* p,
                                              location at) const {
  const auto found = std::find_if(reads_.begin(), reads_.end(), [&](const noted_read& r) {
    return r.access.thread == thread && (p == nullptr || r.promised == p) &&
           (at == no_location || r.access.at == at);
  });
  return found == reads_.end() ? nullptr : &*found;
}

const promise* patches::read_at(unsigned thread, location at) const {
  const noted_read* const r = find_read(thread, nullptr, at);
  return r == nullptr ? nullptr : r->promised;
}

std::optional<unsigned> patches::last_before(unsigned thread, const promise& p, location at) const {
  const noted_read* const r = find_read(thread, &p, at);
  if (r == nullptr) return std::nullopt;
  return r->before;
}

unsigned patches::number_without(explored_name n) const {
  unsigned own = n.number;
  for (const patch& by : all_) {
    if (by.thread != n.thread || by.what == patch::kind::replaced) continue;
    if (by.what == patch::kind::removed && by.number <= own) ++own;
    if (by.what == patch::kind::added && by.number < own) --own;
  }
  return own;
}

patches::patched patches::apply(const explored_graph& g,
                                const std::vector<silent_access>& silent) const {
  patched p;
  p.graph.model = g.model;
  p.graph.cells = g.cells;
  p.graph.threads.resize(g.threads.size());
  std::vector<std::vector<unsigned>> numbers(g.threads.size());  // by thread and old number
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    std::vector<explored_event>& mine = p.graph.threads[t];
    const auto push = [&](const patch& by) {
      mine.push_back(by.event);
      for (unsigned k = 0; k < 2; ++k) {
        if (by.reads.fields[k] != nullptr)
          p.reads.push_back({{t, static_cast<unsigned>(mine.size())}, k, by.reads.fields[k]});
        else if (by.other_field != 0)
          mine.back().sources[k] = g.threads[t][by.other_field - 1].sources[0];
      }
    };
    std::vector<const patch*> by;
    for (const patch& each : all_)
      if (each.thread == t) by.push_back(&each);
    auto next = by.begin();
    for (unsigned number = 0; number <= g.threads[t].size(); ++number) {
      bool own = number != 0;
      const auto is_here = [&] { return next != by.end() && (*next)->number == number; };
      for (; is_here() && (*next)->what != patch::kind::added; ++next) {
        own = false;
        if ((*next)->what == patch::kind::replaced) push(**next);
      }
      if (own) mine.push_back(g.threads[t][number - 1]);
      numbers[t].push_back(static_cast<unsigned>(mine.size()));
      for (; is_here(); ++next) push(**next);
    }
  }
  const auto rename = [&](explored_name& n) {
    if (n.number != 0) n.number = numbers[n.thread][n.number];
  };
  for (auto& thread : p.graph.threads)
    for (explored_event& e : thread)
      for (explored_name& source : e.sources) rename(source);
  std::vector<std::vector<bool>> removed(g.threads.size());  // by thread and old number
  for (unsigned t = 0; t < g.threads.size(); ++t) removed[t].resize(g.threads[t].size() + 1);
  for (const patch& by : all_)
    if (by.what == patch::kind::removed) removed[by.thread][by.number] = true;
  const auto is_removed = [&](explored_name n) { return removed[n.thread][n.number]; };
  for (auto& cell : p.graph.cells) {
    cell.order.erase(std::remove_if(cell.order.begin(), cell.order.end(), is_removed),
                     cell.order.end());
    for (explored_name& w : cell.order) rename(w);
  }

  p.graph.silent = g.silent;
  for (silent_access& a : p.graph.silent) a.after = numbers[a.thread][a.after];
  const auto rank = [](const silent_access& a) {
    if (a.what == silent_access::kind::begin) return 0;
    return a.what == silent_access::kind::end ? 2 : 1;
  };
  p.graph.silent.insert(p.graph.silent.end(), silent.begin(), silent.end());
  std::stable_sort(p.graph.silent.begin(), p.graph.silent.end(),
                   [&](const silent_access& a, const silent_access& b) {
                     if (a.thread != b.thread) return a.thread < b.thread;
                     return a.after != b.after ? a.after < b.after : rank(a) < rank(b);
                   });
  return p;
}

std::vector<explored_name> patches::keeping(const explored_graph& g, const promise& p,
                                            location at) {
  std::vector<explored_name> all;
  if (p.write.thread >= g.threads.size()) return all;
  const auto& thread = g.threads[p.write.thread];
  const auto keeps = [&](unsigned number) {
    const explored_event& e = thread[number - 1];
    return e.writes && (e.cells[0] == at || e.cells[1] == at) && left_in(e, at) == p.promised;
  };
  const auto length = static_cast<unsigned>(thread.size());
  if (p.kept) {
    if (p.write.number <= length && keeps(p.write.number)) all.push_back(p.write);
    return all;
  }
  for (unsigned number = 1; number <= length; ++number)
    if (keeps(number)) all.push_back({p.write.thread, number});
  return all;
}

}  // namespace fencepost::verify
