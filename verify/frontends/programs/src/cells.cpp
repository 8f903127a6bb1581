#include "cells.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace fencepost::programs {

verify::value bytes_of(const cell& c) {
  if (c.size > sizeof(verify::value)) {
    verify::wide_value wide{};
    std::memcpy(wide.data(), reinterpret_cast<const void*>(c.begin), c.size);
    return verify::engine::current()->number_of(wide);
  }
  verify::value v = 0;
  std::memcpy(&v, reinterpret_cast<const void*>(c.begin), c.size);
  return v;
}

namespace {

verify::wide_value bytes_of(verify::value v, std::size_t size) {
  return size > sizeof v ? verify::engine::current()->numbered(v) : verify::wide_value{v};
}

char* byte(verify::wide_value& v, std::size_t at) { return reinterpret_cast<char*>(v.data()) + at; }

}  // namespace

verify::value bytes_of(const cell& c, verify::value rest, std::uintptr_t begin, std::size_t size) {
  verify::wide_value v = bytes_of(rest, c.size);
  std::memcpy(byte(v, begin - c.begin), reinterpret_cast<const void*>(begin), size);
  return c.size > sizeof rest ? verify::engine::current()->number_of(v) : v[0];
}

void put_bytes(const cell& c, verify::value from, std::uintptr_t begin, std::size_t size) {
  verify::wide_value v = bytes_of(from, c.size);
  std::memcpy(reinterpret_cast<void*>(begin), byte(v, begin - c.begin), size);
}

cells::map::const_iterator cells::first(std::uintptr_t begin) const {
  auto i = all_.upper_bound(begin);
  if (i == all_.begin()) return i;
  const auto before = std::prev(i);
  return before->second.end() > begin ? before : i;
}

void cells::change() noexcept {
  changed_ = true;
  forget_places();
}

const std::vector<cell*>& cells::in_order() {
  if (in_order_.empty())
    for (auto& [begin, c] : all_) in_order_.push_back(&c);
  return in_order_;
}

void cells::split(std::uintptr_t at) {
  const auto i = first(at);
  if (i == all_.end() || i->second.atomic || i->second.begin >= at) return;
  cell& low = all_.at(i->first);
  cell high = low;
  high.size = low.end() - at;
  high.begin = at;
  low.size = at - low.begin;
  all_.emplace(at, high);
  change();
}

const cell* cells::find(std::uintptr_t begin, std::size_t size) noexcept {
  const auto found = all_.find(begin);
  if (found == all_.end() || found->second.size != size) return nullptr;
  recent_[slot(begin)] = &found->second;
  return &found->second;
}

const cell* cells::atomic(std::uintptr_t begin, std::size_t size) {
  if (const cell* const c = find(begin, size); c != nullptr && c->atomic) return c;
  split(begin);
  split(begin + size);
  all_.erase(first(begin), all_.lower_bound(begin + size));
  all_[begin] = cell(begin, size, true);
  change();
  return nullptr;
}

bool cells::is_mixed(std::uintptr_t begin, std::size_t size) const {
  bool mixed = false;
  for_each(begin, size, [&](const cell& c) {
    if (c.atomic && (c.begin != begin || c.size != size)) mixed = true;
  });
  return mixed;
}

bool cells::cover(std::uintptr_t begin, std::size_t size) {
  const std::uintptr_t end = begin + size;
  const bool before = changed_;
  changed_ = false;
  split(begin);
  split(end);
  for (std::uintptr_t at = begin; at < end;) {
    const auto i = first(at);
    if (i != all_.end() && i->second.begin <= at) {
      at = i->second.end();
      continue;
    }
    const std::uintptr_t until = i == all_.end() ? end : std::min(end, i->second.begin);
    all_[at] = cell(at, until - at);
    change();
    at = until;
  }
  const bool covered = !changed_;
  changed_ = changed_ || before;
  return covered;
}

void cells::add_beginning(const void* code, std::uintptr_t begin, std::size_t size) {
  if (may_begin_ && beginnings_.insert({code, begin, size}).second) change();
}

cells::map cells::take(std::uintptr_t begin, std::uintptr_t end) {
  map taken;
  for (auto i = all_.lower_bound(begin); i != all_.end() && i->first < end;)
    taken.insert(all_.extract(i++));
  forget_places();
  return taken;
}

std::pair<std::uintptr_t, std::uintptr_t> cells::begin_object(std::uintptr_t begin,
                                                              std::size_t size) {
  const bool before = changed_;
  changed_ = false;
  split(begin);
  split(begin + size);
  const bool known = !changed_;
  changed_ = changed_ || before;
  if (!known) return {};
  place_of_object p{begin, begin + size, begin, begin + size};
  for_each(begin, size, [&](const cell& c) {
    p.first = std::min(p.first, c.begin);
    p.last = std::max(p.last, c.end());
  });
  save_replaced_by(p);
  replaced_.push_back({p, take(p.first, p.last)});
  map& own = of_objects_[p];
  if (own.empty()) {
    own[begin] = cell(begin, size, true);
    if (p.first < begin) own[p.first] = cell(p.first, begin - p.first);
    if (p.last > p.end) own[p.end] = cell(p.end, p.last - p.end);
  }
  all_.insert(own.begin(), own.end());
  forget_places();
  return {p.first, p.last};
}

// Saves what is known of the cells of an object, which must be in the map.
void cells::save(const place_of_object& p) {
  of_objects_[p] = map(all_.lower_bound(p.first), all_.lower_bound(p.last));
}

void cells::save_replaced_by(const place_of_object& p) {
  const auto overlap = [](const place_of_object& a, const place_of_object& b) {
    return a.first < b.last && b.first < a.last;
  };
  for (auto r = replaced_.rbegin(); r != replaced_.rend(); ++r) {
    const bool there = std::none_of(
        replaced_.rbegin(), r, [&](const replaced& later) { return overlap(later.by, r->by); });
    if (there && overlap(p, r->by)) save(r->by);
  }
}

bool cells::is_cut(std::uintptr_t at) const {
  const auto i = first(at);
  return i != all_.end() && i->first < at && i->second.end() > at;
}

void cells::begin_execution() {
  std::set<place_of_object> saved;  // the last object at a place is the one most is known of
  for (; !replaced_.empty(); replaced_.pop_back()) {
    replaced& r = replaced_.back();
    // Another object lies across an end of the replaced cells. This is not supported: from now on,
    // no object begins at a place where others of another size have been.
    if (is_cut(r.by.first) || is_cut(r.by.last)) {
      may_begin_ = false;
      beginnings_.clear();
    }
    if (saved.insert(r.by).second) save(r.by);
    take(r.by.first, r.by.last);
    all_.merge(r.cells);
    forget_places();
  }
}

}  // namespace fencepost::programs
