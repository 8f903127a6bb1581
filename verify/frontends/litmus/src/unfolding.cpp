#include "unfolding.hpp"

#include "fencepost/litmus/machine.hpp"

namespace fencepost::litmus {

namespace {

struct unanswered {};

// Answers the first reads from a list, and stops the thread at the next one.
class script final : public machine {
 public:
  explicit script(unfolding::node& into) : into_(into) {}

  value load(location_id l, word_part part, access_order order) override {
    const value v = ask({l, part, std::nullopt}).seen;
    into_.events.push_back({.reads = true, .location = l, .part = part, .order = order, .read = v});
    return v;
  }

  void store(location_id l, word_part part, value v, access_order order) override {
    into_.events.push_back(
        {.writes = true, .location = l, .part = part, .order = order, .written = v});
  }

  value modify(location_id l, word_part part, rmw_operation op, value operand,
               access_order order) override {
    const value v = ask({l, part, std::nullopt}).seen;
    value next = apply(op, v, operand);
    if (part != word_part::whole) next = low_half(next);
    into_.events.push_back({true, true, l, part, order, v, next});
    return v;
  }

  compared compare_exchange(location_id l, word_part part, value expected, value desired,
                            access_order success, access_order failure, bool weak) override {
    const answer a = ask({l, part, weak ? std::optional(expected) : std::nullopt});
    const bool swaps = a.seen == expected && !a.spurious;
    into_.events.push_back({.reads = true,
                            .writes = swaps,
                            .location = l,
                            .part = part,
                            .order = swaps ? success : failure,
                            .read = a.seen,
                            .written = swaps ? desired : 0,
                            .spurious = a.spurious});
    return {swaps, a.seen};
  }

  void fence(access_order order) override { into_.events.push_back({.order = order}); }

  void cut() override {}
  void stray() override {}

 private:
  answer ask(const question& q) {
    if (next_ < into_.answers.size()) return into_.answers[next_++];
    into_.next = q;
    throw unanswered{};
  }

  unfolding::node& into_;
  std::size_t next_ = 0;
};

}  // namespace

unfolding::unfolding(const program& p, unsigned thread)
    : program_(p), thread_(thread), root_(run({})) {}

std::unique_ptr<unfolding::node> unfolding::run(std::vector<answer> answers) const {
  auto n = std::make_unique<node>();
  n->answers = std::move(answers);
  script s(*n);
  try {
    thread_end end = run_thread(program_, thread_, s);
    n->cut = end.cut;
    n->strays = end.strays;
    n->registers = std::move(end.registers);
  } catch (const unanswered&) {
  }
  return n;
}

unfolding::node* unfolding::after(node* n, const answer& a) {
  std::unique_ptr<node>& child = n->children[a];
  if (!child) {
    std::vector<answer> answers = n->answers;
    answers.push_back(a);
    child = run(std::move(answers));
  }
  return child.get();
}

}  // namespace fencepost::litmus
