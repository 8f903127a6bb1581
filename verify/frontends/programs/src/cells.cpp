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
  recent_.fill(nullptr);
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

const cell* cells::atomic(std::uintptr_t begin, std::size_t size) {
  const auto found = all_.find(begin);
  if (found != all_.end() && found->second.size == size && found->second.atomic) {
    remember(found->second);
    return &found->second;
  }
  split(begin);
  split(begin + size);
  all_.erase(first(begin), all_.lower_bound(begin + size));
  all_[begin] = {.begin = begin, .size = size, .atomic = true};
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
    all_[at] = {.begin = at, .size = until - at};
    change();
    at = until;
  }
  const bool covered = !changed_;
  changed_ = changed_ || before;
  return covered;
}

}  // namespace fencepost::programs
