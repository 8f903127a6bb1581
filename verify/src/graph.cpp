#include "graph.hpp"

#include <algorithm>

namespace fencepost::verify {

location graph::new_place(unsigned owner) {
  places.emplace_back();
  places.back().owner = owner;
  return static_cast<location>(places.size() - 1);
}

event_id graph::rmw_after(event_id write, location l, event_id except) const noexcept {
  // Its write stands next in modification order, so there is but one place to look.
  const auto& mo = places[l].mo;
  const unsigned next = mo_position(write, l) + 1u;
  if (next >= mo.size() || mo[next] == except) return 0;
  const event& e = at(mo[next]);
  if (e.kind != event_kind::rmw || e.rf[e.field_at(l)] != write) return 0;
  return mo[next];
}

namespace {

// Behind the last of them that is no later than `index`.
auto behind(const std::vector<access_by>& all, unsigned index) noexcept {
  // Most often it is the last of all.
  if (all.empty() || all.back().index <= index) return all.end();
  return std::upper_bound(all.begin(), all.end(), index,
                          [](unsigned i, const access_by& a) { return i < a.index; });
}

}  // namespace

event_id graph::last_access(location l, unsigned thread, unsigned events) const noexcept {
  const auto& all = places[l].accesses[thread];
  const auto end = behind(all, events);
  return end == all.begin() ? 0 : make_id(thread, std::prev(end)->index);
}

unsigned graph::reads_after(location l, unsigned thread, unsigned events) const noexcept {
  const auto& all = places[l].accesses[thread];
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
  log& l = logs[thread];
  l.events.push_back(e);
  l.where.push_back(where);
  if (e.may_be_sc()) ++sc;
  for (unsigned k = 0; k < e.fields(); ++k)
    if (places[e.loc[k]].has_many) [[unlikely]]
      count_access(e.loc[k], thread, l.length());
}

void graph::count_access(location l, unsigned thread, unsigned index) {
  auto& accesses = places[l].accesses;
  if (accesses.size() <= thread) accesses.resize(thread + 1);
  auto& mine = accesses[thread];
  const std::uint32_t before = mine.empty() ? 0 : mine.back().reads;
  const std::uint32_t reads = logs[thread].events[index].reads() ? 1 : 0;
  mine.push_back({static_cast<std::uint16_t>(index), before + reads});
}

void graph::count_accesses(location l, bool many) {
  places[l].has_many = many;
  for (auto& of_thread : places[l].accesses) of_thread.clear();
  if (!many) return;
  for (unsigned t = 0; t < threads; ++t)
    for (unsigned i = 1; i <= logs[t].length(); ++i)
      if (logs[t].events[i].touches(l)) count_access(l, t, i);
}

void graph::restore_last(unsigned thread, const event& e, const views& v, source_location where) {
  add_last(thread, e, where);
  logs[thread].view.push_back(v);
}

event_id graph::append(unsigned thread, const event& e, source_location where) {
  log& l = logs[thread];
  add_last(thread, e, where);
  l.view.emplace_back();
  const event_id id = make_id(thread, l.length());
  push_entry(id, 0);
  return id;
}

void graph::push_entry(event_id id, unsigned part) {
  const std::uint64_t stamp = trail.empty() ? 1 : trail.back().stamp + 1;
  trail.push_back({id, part, stamp});
  if (part < 2) at(id).stamp[part] = stamp;
}

void graph::link_read(event_id id, unsigned field) {
  event& e = at(id);
  places[e.loc[field]].readers.push_back(id);
  e.read_linked[field] = true;
}

void graph::unlink_read(event_id id, unsigned field) {
  event& e = at(id);
  if (!e.read_linked[field]) return;
  auto& readers = places[e.loc[field]].readers;
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
  const auto& mo = places[l].mo;
  for (std::size_t i = 1; i < mo.size(); ++i) {
    event& e = at(mo[i]);
    e.mo[e.field_at(l)] = static_cast<std::uint32_t>(i);
  }
}

void graph::link_write(event_id id, unsigned field, unsigned position) {
  event& e = at(id);
  const location l = e.loc[field];
  auto& mo = places[l].mo;
  mo.insert(mo.begin() + position, id);
  e.write_linked = true;
  if (position + 1 == mo.size())
    e.mo[field] = position;
  else
    renumber(l);
}

void graph::unlink_write(event_id id) {
  event& e = at(id);
  if (!e.write_linked) return;
  for (unsigned k = 0; k < e.fields(); ++k) {
    auto& mo = places[e.loc[k]].mo;
    const bool last = e.mo[k] + 1u == mo.size();
    mo.erase(mo.begin() + e.mo[k]);
    if (!last) renumber(e.loc[k]);
  }
  e.write_linked = false;
}

void graph::spend(const event& e, unsigned sign) noexcept {
  if (e.spurious) spurious += sign;
  if (e.kind == event_kind::choose && e.read != 0) {
    if (e.charge == budget::spurious_wakeup) wakeups += sign;
    if (e.charge == budget::timeout) timeouts += sign;
    if (e.charge == budget::address) addresses += sign;
  }
}

void graph::remove_last(unsigned thread) {
  log& l = logs[thread];
  const event& last = l.events.back();
  spend(last, ~0u);
  if (last.may_be_sc()) --sc;
  for (unsigned k = 0; k < last.fields(); ++k)
    if (places[last.loc[k]].has_many) [[unlikely]]
      places[last.loc[k]].accesses[thread].pop_back();
  l.events.pop_back();
  l.view.pop_back();
  l.where.pop_back();
}

void graph::cut(std::size_t trail_length) {
  while (trail.size() > trail_length) {
    const entry last = trail.back();
    trail.pop_back();
    unlink_write(last.id);
    if (last.part == 2) continue;
    unlink_read(last.id, last.part);
    if (last.part == 1) continue;
    remove_last(thread_of(last.id));
  }
}

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t v) noexcept {
  h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdu;
  return h ^ (h >> 32);
}

}  // namespace

// Equal for equal graphs, in whatever order their events were added: threads are named by who
// created them, locations by who constructed them.
std::uint64_t graph::fingerprint() const {
  std::array<std::uint64_t, max_threads> name{};
  name[0] = 1;
  // A creator may have a greater number than its child (numbers are given anew).
  for (unsigned round = 0; round < threads; ++round) {
    for (unsigned t = 0; t < threads; ++t) {
      if (name[t] == 0) continue;
      for (unsigned i = 1; i <= logs[t].length(); ++i) {
        const event& e = logs[t].events[i];
        if (e.kind != event_kind::create) continue;
        unsigned nth = 0;
        for (unsigned child = 0; child < threads; ++child)
          if (e.concerns(child)) name[child] = mix(mix(name[t], i), ++nth);
      }
    }
  }
  const auto event_name = [&](event_id id) {
    return id == initial_write ? 0 : mix(name[thread_of(id)], index_of(id));
  };
  const auto place_name = [&](location l) {
    if (l == no_location) return std::uint64_t{0};
    return mix(mix(name[places[l].owner], places[l].ordinal), 0x10c);
  };
  std::uint64_t sum = 0;  // of the threads and locations, in no order
  for (unsigned t = 0; t < threads; ++t) {
    if (t != 0 && logs[t].length() == 0) continue;
    std::uint64_t h = name[t];
    for (unsigned i = 1; i <= logs[t].length(); ++i) {
      const event& e = logs[t].events[i];
      h = mix(h, static_cast<std::uint64_t>(e.kind) << 8 | static_cast<unsigned>(e.effective()));
      for (unsigned k = 0; k < e.fields(); ++k) {
        h = mix(h, place_name(e.loc[k]));
        if (e.reads()) h = mix(h, event_name(e.rf[k]));
      }
      h = mix(h, e.read);
      h = mix(h, e.writes() ? e.written : 0);
      h = mix(h, e.spurious);
    }
    sum += mix(h, 1);
  }
  for (location l = 0; l < places.size(); ++l) {
    if (places[l].mo.size() < 2) continue;
    std::uint64_t h = place_name(l);
    for (const event_id w : places[l].mo) h = mix(h, event_name(w));
    sum += mix(h, 2);
  }
  return mix(sum, 3);
}

}  // namespace fencepost::verify
