// Which tests have the shape of load buffering: threads that write after they have read.
#include <algorithm>
#include <set>

#include "fencepost/litmus/test_runs.hpp"

namespace fencepost::litmus {

namespace {

// Reads that a later write may be seen before: all of them, and those that are not ordered before
// it.
class thread_walk {
 public:
  void walk(const std::vector<statement>& body) {
    for (const statement& s : body) {
      std::visit([this](const auto& what) { visit(what); }, s.what);
    }
  }

  bool writes_after_a_read() const noexcept { return writes_after_; }
  // Not so ordered that whoever reads the write is synchronized with.
  bool weakly() const noexcept { return weakly_; }

 private:
  void reads(location_id at, access_order order) {
    read_.insert(at);
    if (!is_acquire(order)) relaxed_.insert(at);
  }
  void writes(location_id at, access_order order) {
    const auto elsewhere = [at](location_id other) { return other != at; };
    writes_after_ = writes_after_ || std::any_of(read_.begin(), read_.end(), elsewhere);
    weakly_ =
        weakly_ ||
        (!released_ && !is_release(order) && std::any_of(read_.begin(), read_.end(), elsewhere)) ||
        std::any_of(relaxed_.begin(), relaxed_.end(), elsewhere);
  }

  void visit(const load& l) { reads(l.from, l.order); }
  void visit(const store& s) { writes(s.to, s.order); }
  void visit(const modify& m) {
    writes(m.at, m.order);
    reads(m.at, m.order);
  }
  void visit(const compare_exchange& c) {
    writes(c.at, c.success);
    reads(c.at, c.failure);
  }
  // After one, the reads before it acquire; before one, the writes after it release.
  void visit(const fence& f) {
    if (is_acquire(f.order)) relaxed_.clear();
    released_ = released_ || is_release(f.order);
  }
  void visit(const assign&) {}
  void visit(const branch& b) {
    walk(b.then);
    walk(b.otherwise);
  }
  void visit(const loop& l) {
    for (int turn = 0; turn < 2; ++turn) {
      walk(l.before);
      walk(l.body);
    }
  }

  std::set<location_id> read_;
  std::set<location_id> relaxed_;
  bool released_ = false;
  bool writes_after_ = false;
  bool weakly_ = false;
};

}  // namespace

bool may_buffer_loads(const program& p) {
  int threads = 0;
  bool weakly = false;
  for (const thread& t : p.threads) {
    thread_walk w;
    w.walk(t.body);
    if (w.writes_after_a_read()) ++threads;
    weakly = weakly || w.weakly();
  }
  return threads >= 2 && weakly;
}

}  // namespace fencepost::litmus
