#include "divide/ledger.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "divide/sum.hpp"

namespace fencepost::verify {

namespace {

using ending = part_result::ending;

// True if what comes after the part does not matter any more.
bool is_end(ending how) noexcept {
  return how == ending::violated || how == ending::learned || how == ending::limit ||
         how == ending::lost || how == ending::over;
}

// `more` comes later: what `sum` shows already is left out.
void add(std::vector<observation>& sum, const std::vector<observation>& more) {
  const std::size_t before = sum.size();
  for (observation o : more) {
    for (std::size_t i = 0; i < before; ++i)
      if (sum[i].of == o.of && sum[i].what == o.what) o.threads &= ~sum[i].threads;
    if (o.threads != 0) sum.push_back(std::move(o));
  }
}

// An outcome that has an example needs no other one.
void add(std::vector<outcome_example>& sum, const std::vector<outcome_example>& more) {
  for (const outcome_example& e : more)
    if (!has_example(sum, e.outcome)) sum.push_back(e);
}

}  // namespace

ledger::ledger(part whole) : end_(whole.last) {
  parts_[std::move(whole.after)] = {std::move(whole.last), state::open, {}};
}

ledger::ledger(const std::vector<kept>& all, choice_path end) : end_(std::move(end)) {
  if (all.empty()) throw std::invalid_argument("there are no parts");
  const choice_path* last = nullptr;
  for (const kept& k : all) {
    const bool follows = last == nullptr || (k.where.after && *k.where.after == *last);
    const bool goes_on = !k.where.after || ends_before(*k.where.after, k.where.last);
    const bool is_last = &k == &all.back();
    const bool ends = k.found && is_end(k.found->how);
    if (!follows || !goes_on || (is_last ? !ends && k.where.last != end_ : ends))
      throw std::invalid_argument("its parts do not follow one another");
    last = &k.where.last;
    parts_[k.where.after] = {k.where.last, k.found ? state::closed : state::open,
                             k.found.value_or(part_result{})};
  }
}

std::vector<ledger::kept> ledger::all() const {
  std::vector<kept> all;
  for (const auto& [b, e] : parts_) {
    all.push_back({{b, e.last}, {}});
    if (e.at == state::closed) all.back().found = e.found;
  }
  return all;
}

std::vector<part> ledger::left() const {
  std::vector<part> left;
  for (const auto& [b, e] : parts_)
    if (e.at != state::closed) left.push_back({b, e.last});
  return left;
}

std::optional<part> ledger::take() {
  for (auto& p : parts_)
    if (p.second.at == state::open) return take(p);
  return {};
}

std::optional<part> ledger::take(const beginning& b) {
  const auto p = parts_.find(b);
  if (p == parts_.end() || p->second.at != state::open) return {};
  return take(*p);
}

part ledger::take(parts::value_type& p) {
  p.second.at = state::taken;
  return {p.first, p.second.last};
}

bool ledger::divide(const beginning& b, const part& given) {
  const auto p = parts_.find(b);
  if (p == parts_.end() || p->second.at != state::taken || p->second.last != given.last ||
      !given.after || !order{}(b, given.after))
    return false;
  p->second.last = *given.after;
  parts_[given.after].last = given.last;
  return true;
}

bool ledger::close(const beginning& b, part_result r) {
  auto p = parts_.find(b);
  if (p == parts_.end() || p->second.at != state::taken) return false;
  if (r.how == ending::stopped && r.at == p->second.last) r.how = ending::exhausted;
  if (r.how == ending::stopped) {
    parts_[r.at].last = std::exchange(p->second.last, r.at);
  }
  if (is_end(r.how)) {
    p->second.last = r.at;
    parts_.erase(std::next(p), parts_.end());
  }
  p->second.at = state::closed;
  p->second.found = std::move(r);
  join(p);
  return true;
}

void ledger::put(const ledger& explored) {
  const auto p = parts_.find(explored.from());
  if (p == parts_.end() || p->second.at != state::open || p->second.last != explored.end_)
    throw std::invalid_argument("it belongs to none of the remaining parts");
  const parts::iterator behind = parts_.erase(p);
  parts::iterator last = behind;
  for (const auto& [b, e] : explored.parts_) {
    last = parts_.emplace_hint(behind, b, e);
    if (e.at == state::taken) last->second.at = state::open;
  }
  if (last->second.at == state::closed && is_end(last->second.found.how))
    parts_.erase(behind, parts_.end());
  join(last);
  if (const auto first = parts_.find(explored.from()); first != parts_.end()) join(first);
}

// Joins the part with its neighbours.
void ledger::join(parts::iterator p) {
  if (const auto next = std::next(p); next != parts_.end()) join(p, next);
  if (p != parts_.begin()) join(std::prev(p), p);
}

// Joins two parts if both are closed.
void ledger::join(parts::iterator p, parts::iterator next) {
  if (p->second.at != state::closed || next->second.at != state::closed) return;
  part_result& sum = p->second.found;
  part_result& more = next->second.found;
  add(sum.found, more.found);
  add(sum.examples, more.examples);
  add(sum.observed, more.observed);
  sum.how = more.how;
  sum.at = std::move(more.at);
  sum.kind = more.kind;
  sum.text = std::move(more.text);
  p->second.last = std::move(next->second.last);
  parts_.erase(next);
}

void ledger::reopen(const beginning& b) {
  const auto p = parts_.find(b);
  if (p != parts_.end() && p->second.at == state::taken) p->second.at = state::open;
}

bool ledger::complete() const {
  const entry& all = parts_.begin()->second;
  return all.at == state::closed && (all.last == end_ || is_end(all.found.how));
}

part_result ledger::total() const {
  part_result sum = parts_.begin()->second.found;
  for (auto p = std::next(parts_.begin()); p != parts_.end(); ++p) {
    add(sum.found, p->second.found.found);
    add(sum.examples, p->second.found.examples);
    add(sum.observed, p->second.found.observed);
  }
  return sum;
}

const part_result* ledger::violation() const {
  const entry& last = parts_.rbegin()->second;
  const bool violated = last.at == state::closed && last.found.how == ending::violated;
  return violated ? &last.found : nullptr;
}

std::optional<lesson> ledger::learned() const {
  const part_result all = total();
  std::optional<lesson> first;
  for (const observation& a : all.observed) {
    for (const observation& b : all.observed) {
      if (a.of != b.of || !observation::conflict(a.what, b.what)) continue;
      if ((a.threads & b.threads) == 0) continue;
      const choice_path& at = std::max(a.first, b.first);
      if (!first || at < first->at) first = lesson{at, {}};
      const bool known = std::count(first->contended.begin(), first->contended.end(), a.of) != 0;
      if (at == first->at && !known) first->contended.push_back(a.of);
    }
  }
  if (!first && all.how == ending::learned) first = lesson{all.at, {}};
  return first;
}

}  // namespace fencepost::verify
