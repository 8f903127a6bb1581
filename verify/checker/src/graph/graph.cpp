#include "graph/graph.hpp"

#include <algorithm>

namespace fencepost::verify {

location graph::new_location(unsigned owner, unsigned ordinal) {
  histories_.emplace_back();
  histories_.back().owner = owner;
  histories_.back().ordinal = ordinal;
  return static_cast<location>(histories_.size() - 1);
}

void graph::begin_thread(unsigned child, event_id creator) {
  change(creator).partners |= std::uint64_t{1} << child;
  views& base = logs_[child].view[0];
  base = {};
  base.hb = view(creator).hb;
  base.porf = view(creator).porf;
}

event_id graph::rmw_after(event_id write, location l, event_id except) const noexcept {
  // Its write comes next in modification order, so there is one candidate.
  const auto& mo = histories_[l].mo;
  const unsigned next = mo_position(write, l) + 1u;
  if (next >= mo.size() || mo[next] == except) return 0;
  const event& e = at(mo[next]);
  if (e.kind != event_kind::rmw || e.rf[e.field_at(l)] != write) return 0;
  return mo[next];
}

namespace {

// The first access later than `index`.
auto behind(const std::vector<access_by>& all, unsigned index) noexcept {
  // Most often there is none.
  if (all.empty() || all.back().index <= index) return all.end();
  return std::upper_bound(all.begin(), all.end(), index,
                          [](unsigned i, const access_by& a) { return i < a.index; });
}

}  // namespace

event_id graph::last_access(location l, unsigned thread, unsigned events) const noexcept {
  const auto& all = histories_[l].accesses[thread];
  const auto end = behind(all, events);
  return end == all.begin() ? 0 : make_id(thread, std::prev(end)->index);
}

unsigned graph::reads_after(location l, unsigned thread, unsigned events) const noexcept {
  const auto& all = histories_[l].accesses[thread];
  const auto end = behind(all, events);
  if (end == all.end()) return 0;
  return all.back().reads - (end == all.begin() ? 0 : std::prev(end)->reads);
}

unsigned graph::seen_by(event_id id, location l) const noexcept {
  const event& e = at(id);
  const unsigned k = e.field_at(l);
  if (e.write_linked) return e.mo[k];
  return e.reads() ? mo_position(e.rf[k], l) : 0;
}

void graph::add_last(unsigned thread, const event& e, source_location where) {
  log& l = logs_[thread];
  l.events.push_back(e);
  l.where.push_back(where);
  if (e.may_be_sc()) add_seq_cst(thread);
  for (unsigned k = 0; k < e.fields(); ++k) {
    location_history& h = histories_[e.loc[k]];
    if (e.success == order::plain) h.note_plain(make_id(thread, l.length()));
    if (h.has_many) [[unlikely]]
      count_access(e.loc[k], thread, l.length());
  }
}

// Counts the last event of the thread.
void graph::add_seq_cst(unsigned thread) {
  log& l = logs_[thread];
  ++seq_cst_;
  (l.events.back().fields() == 0 ? l.fences : l.accesses).push_back(l.length());
  if (!l.fences.empty()) fencing_ |= std::uint64_t{1} << thread;
}

void graph::remove_seq_cst(unsigned thread) noexcept {
  log& l = logs_[thread];
  --seq_cst_;
  (l.events.back().fields() == 0 ? l.fences : l.accesses).pop_back();
  if (l.fences.empty()) fencing_ &= ~(std::uint64_t{1} << thread);
}

void graph::count_access(location l, unsigned thread, unsigned index) {
  auto& accesses = histories_[l].accesses;
  if (accesses.size() <= thread) accesses.resize(thread + 1);
  auto& mine = accesses[thread];
  const std::uint32_t before = mine.empty() ? 0 : mine.back().reads;
  const std::uint32_t reads = logs_[thread].events[index].reads() ? 1 : 0;
  mine.push_back({static_cast<std::uint16_t>(index), before + reads});
}

void graph::count_accesses(location l, bool many) {
  histories_[l].has_many = many;
  for (auto& of_thread : histories_[l].accesses) of_thread.clear();
  if (!many) return;
  for (unsigned t = 0; t < threads_; ++t)
    for (unsigned i = 1; i <= logs_[t].length(); ++i)
      if (logs_[t].events[i].touches(l)) count_access(l, t, i);
}

event_id graph::append(unsigned thread, const event& e, source_location where) {
  log& l = logs_[thread];
  add_last(thread, e, where);
  l.view.emplace_back();
  const event_id id = make_id(thread, l.length());
  push_entry(id, 0);
  return id;
}

void graph::push_entry(event_id id, unsigned part) {
  const std::uint64_t stamp = trail_.empty() ? 1 : trail_.back().stamp + 1;
  trail_.push_back({id, part, stamp});
  if (part < 2) change(id).stamp[part] = stamp;
}

void graph::link_read(event_id id, unsigned field) {
  event& e = change(id);
  histories_[e.loc[field]].readers.push_back(id);
  e.read_linked[field] = true;
}

void graph::unlink_read(event_id id, unsigned field) {
  event& e = change(id);
  if (!e.read_linked[field]) return;
  auto& readers = histories_[e.loc[field]].readers;
  for (std::size_t i = readers.size(); i-- > 0;) {
    if (readers[i] == id) {
      readers[i] = readers.back();
      readers.pop_back();
      break;
    }
  }
  e.read_linked[field] = false;
}

void graph::renumber(location l) {
  const auto& mo = histories_[l].mo;
  for (std::size_t i = 1; i < mo.size(); ++i) {
    event& e = change(mo[i]);
    e.mo[e.field_at(l)] = static_cast<std::uint32_t>(i);
  }
}

void graph::link_write(event_id id, unsigned field, unsigned position) {
  event& e = change(id);
  const location l = e.loc[field];
  auto& mo = histories_[l].mo;
  mo.insert(mo.begin() + position, id);
  e.write_linked = true;
  if (position + 1 == mo.size())
    e.mo[field] = position;
  else
    renumber(l);
}

void graph::unlink_write(event_id id) {
  event& e = change(id);
  if (!e.write_linked) return;
  for (unsigned k = 0; k < e.fields(); ++k) {
    auto& mo = histories_[e.loc[k]].mo;
    const bool last = e.mo[k] + 1u == mo.size();
    mo.erase(mo.begin() + e.mo[k]);
    if (!last) renumber(e.loc[k]);
  }
  e.write_linked = false;
}

void graph::spend(const event& e, unsigned sign) noexcept {
  if (e.spurious) spent_.spurious += sign;
  if (e.kind == event_kind::choose && e.read != 0) {
    if (e.charge == budget::spurious_wakeup) spent_.wakeups += sign;
    if (e.charge == budget::timeout) spent_.timeouts += sign;
    if (e.charge == budget::address) spent_.addresses += sign;
  }
}

void graph::set_alternative(event_id id, value alternative) noexcept {
  event& e = change(id);
  spend(e, ~0U);
  e.read = alternative;
  spend(e, 1);
}

void graph::remove_last(unsigned thread) {
  log& l = logs_[thread];
  const event& last = l.events.back();
  spend(last, ~0u);
  if (last.may_be_sc()) remove_seq_cst(thread);
  for (unsigned k = 0; k < last.fields(); ++k)
    if (histories_[last.loc[k]].has_many) [[unlikely]]
      histories_[last.loc[k]].accesses[thread].pop_back();
  l.events.pop_back();
  l.view.pop_back();
  l.where.pop_back();
}

void graph::cut(std::size_t trail_length) {
  while (trail_.size() > trail_length) {
    const entry last = trail_.back();
    trail_.pop_back();
    unlink_write(last.id);
    if (last.part == 2) continue;
    unlink_read(last.id, last.part);
    if (last.part == 1) continue;
    remove_last(thread_of(last.id));
  }
}

}  // namespace fencepost::verify
