#include "reexecute/promised_writes.hpp"

namespace fencepost::verify {

void promised_writes::begin_run() {
  missing_ = promises_.size();
  state_.assign(missing_, {});
  for (state& s : state_) s.told = execution_.explores().declare(nullptr, sizeof(int), 0, {});
}

__attribute__((noinline)) void promised_writes::wrote(word w, value v, order o) {
  execution_.mark();
  for (std::size_t i = 0; i < state_.size(); ++i) {
    if (state_[i].made || !keeps(promises_[i], w, v)) continue;
    state_[i].made = true;
    --missing_;
    tell(state_[i].told, o);
  }
  if (all_made()) early_.report_to(execution_.explores());
}

bool promised_writes::keeps(const promise& p, word w, value v) const {
  if (p.write.thread != execution_.this_thread()) return false;
  if (p.kept) return execution_.number() == p.write.number;
  return w.whole() ? (v & 0xffffffff) == p.promised || v >> 32U == p.promised : v == p.promised;
}

// Neither this write nor the wait for it is an event of the execution: the release of the one and
// the acquire of the other are those of the promised write and of its readers.
void promised_writes::tell(location told, order o) {
  execution_.explores().store(word(told), 1, releases(o) ? order::release : order::relaxed, {});
  execution_.remove_last();
}

// Assumes that the explorer does not know all that happens before the write: it does not if a
// read-modify-write continues a release sequence.
void promised_writes::await(const promise& p, bool acquires) {
  unknown_.lose(p.synchronizes);
  state& s = state_[promises_.number_of(p)];
  const std::uint64_t me = std::uint64_t{1} << execution_.this_thread();
  if ((s.acquired & me) != 0 || (!acquires && (s.waited & me) != 0)) return;
  s.waited |= me;
  if (acquires) s.acquired |= me;
  const order how = acquires ? order::acquire : order::relaxed;
  execution_.explores().await(s.told, 1, how, wait_for::nothing, {});
  execution_.remove_last();
}

}  // namespace fencepost::verify
