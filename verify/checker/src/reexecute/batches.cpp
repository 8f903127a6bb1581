#include "reexecute/batches.hpp"

#include <bit>
#include <utility>

namespace fencepost::verify {

namespace {

std::uint64_t bits(const char* name) { return std::bit_cast<std::uintptr_t>(name); }

// What the starts of a batch have in common.
std::vector<std::uint64_t> key_of(const start& s) {
  std::vector<std::uint64_t> key{s.depth};
  for (const promise& p : s.from.promises)
    for (const std::uint64_t part :
         {std::uint64_t{p.read.thread}, std::uint64_t{p.read.number}, std::uint64_t{p.write.thread},
          std::uint64_t{p.write.number}, std::uint64_t{p.field}, std::uint64_t{p.kept}, p.promised,
          std::uint64_t{p.in_other_field.has_value()}, p.in_other_field.value_or(0),
          std::uint64_t{p.synchronizes}, bits(p.read_at.file), std::uint64_t{p.read_at.line},
          std::uint64_t{p.read_at.column}, bits(p.write_at.file), std::uint64_t{p.write_at.line},
          std::uint64_t{p.write_at.column}})
      key.push_back(part);
  return key;
}

}  // namespace

void batches::clear() {
  left_.clear();
  groups_.clear();
  group_of_.clear();
  all_.clear();
}

void batches::add(start s) {
  all_.push_back(std::move(s));
  const start& here = all_.back();
  const auto [at, is_new] = group_of_.try_emplace(key_of(here), groups_.size());
  if (is_new) groups_.emplace_back();
  groups_[at->second].push_back(&here);
  left_.push_back({&here, at->second});
}

batch batches::take() {
  batch all;
  while (!left_.empty() && all.empty()) {
    const waiting next = left_.front();
    left_.pop_front();
    std::deque<const start*>& alike = groups_[next.group];
    if (alike.empty() || alike.front() != next.what) continue;  // it was in an earlier batch
    while (!alike.empty() && all.size() < most_of_batch) {
      all.push_back(alike.front());
      alike.pop_front();
    }
  }
  return all;
}

}  // namespace fencepost::verify
