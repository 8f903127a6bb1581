#include "fencepost/litmus/explore.hpp"

#include "fencepost/litmus/machine.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::litmus {
namespace {

verify::order to_order(access_order o) noexcept {
  switch (o) {
    case access_order::plain: return verify::order::plain;
    case access_order::relaxed: return verify::order::relaxed;
    case access_order::acquire: return verify::order::acquire;
    case access_order::release: return verify::order::release;
    case access_order::acq_rel: return verify::order::acq_rel;
    case access_order::seq_cst: break;
  }
  return verify::order::seq_cst;
}

verify::operation to_operation(rmw_operation op) noexcept {
  switch (op) {
    case rmw_operation::exchange: return verify::operation::exchange;
    case rmw_operation::fetch_add: return verify::operation::add;
    case rmw_operation::fetch_sub: return verify::operation::subtract;
    case rmw_operation::fetch_and: return verify::operation::bit_and;
    case rmw_operation::fetch_or: return verify::operation::bit_or;
    case rmw_operation::fetch_xor: break;
  }
  return verify::operation::bit_xor;
}

verify::value to_bits(value v) noexcept { return static_cast<verify::value>(v); }
value from_bits(verify::value v) noexcept { return static_cast<value>(v); }

// Turns the accesses of a thread into events of the explorer. Each has its own source location, so
// that the explorer does not take one for another turn of a loop.
class explored final : public machine {
 public:
  explored(verify::engine& e, const std::vector<verify::word>& words, unsigned thread,
           bool& was_cut)
      : engine_(e), words_(words), thread_(thread), was_cut_(was_cut) {}

  value load(location_id l, word_part part, access_order o) override {
    return from_bits(engine_.load(at(l, part), to_order(o), next()));
  }
  void store(location_id l, word_part part, value v, access_order o) override {
    engine_.store(at(l, part), to_bits(v), to_order(o), next());
  }
  value modify(location_id l, word_part part, rmw_operation op, value operand,
               access_order o) override {
    const verify::word w = at(l, part);
    return from_bits(engine_.read_modify_write(w, to_operation(op), to_bits(operand),
                                               part == word_part::whole ? 8 : 4, to_order(o),
                                               next()));
  }
  compared compare_exchange(location_id l, word_part part, value expected, value desired,
                            access_order success, access_order failure, bool weak) override {
    const verify::exchanged done =
        engine_.compare_exchange(at(l, part), to_bits(expected), to_bits(desired), weak,
                                 to_order(success), to_order(failure), next());
    return {done.success, from_bits(done.old)};
  }
  void fence(access_order o) override { engine_.fence(to_order(o), next()); }
  void cut() override {
    was_cut_ = true;
    engine_.give_up();
  }
  void stray() override { engine_.fail(violation::assertion, stray_message(thread_), next()); }

 private:
  source_location next() { return {"", "", ++accesses_, 0}; }
  verify::word at(location_id l, word_part part) const {
    const verify::word& w = words_[l];
    if (part == word_part::whole) return w;
    return verify::word(w.fields[part == word_part::low ? 0 : 1]);
  }

  verify::engine& engine_;
  const std::vector<verify::word>& words_;
  const unsigned thread_;
  bool& was_cut_;
  std::uint32_t accesses_ = 0;
};

// Everything lives outside the body, so that a run allocates nothing that it could leak.
struct session {
  const program& test;
  outcome_counter counter;
  std::vector<verify::word> words;
  final_state end;
  bool was_cut = false;

  explicit session(const program& p) : test(p), counter(p) {
    words.resize(p.locations.size());
    end.memory.resize(p.locations.size());
    for (const thread& t : p.threads) end.registers.emplace_back(t.registers.size());
  }

  void run_thread(unsigned t) {
    explored m(*verify::engine::current(), words, t, was_cut);
    const thread_end e = litmus::run_thread(test, t, m);
    std::copy(e.registers.begin(), e.registers.end(), end.registers[t].begin());
  }

  void body() {
    verify::engine& e = *verify::engine::current();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const location& l = test.locations[i];
      if (l.kind == location_kind::halves)
        words[i] = verify::word(e.declare(nullptr, 4, to_bits(low_half(l.initial)), {}),
                                e.declare(nullptr, 4, to_bits(high_half(l.initial)), {}));
      else
        words[i] = verify::word(e.declare(nullptr, 8, to_bits(l.initial), {}));
    }
    verify::run_threads(static_cast<unsigned>(test.threads.size()),
                        [this](unsigned t) { run_thread(t); });
    // Everything happens before these loads: each reads the last write.
    for (std::size_t i = 0; i < words.size(); ++i)
      end.memory[i] = from_bits(e.load(words[i], verify::order::relaxed, {}));
  }
};

}  // namespace

outcome_set explore(const program& p, const explore_options& o) {
  session s(p);
  verify::options options;
  options.name = p.name;
  options.model = o.model;
  options.reexecutions = o.reexecutions;
  options.spurious_failures = o.spurious_failures;
  options.max_executions = o.max_executions;
  options.timeout = o.timeout;
  options.stop = o.stop;
  options.races_are_outcomes = !o.stop_at_race;
  options.priorities = o.priorities;
  options.on_graph = o.on_graph;
  options.symmetric = o.symmetric;
  options.symmetry = o.symmetry;
  options.repeat = false;  // the interpreter depends on nothing but what it reads
  options.on_class = o.on_class;
  options.on_complete_graph = o.on_complete_graph;
  options.on_restart = [&] {
    s.counter = outcome_counter(p);
    s.was_cut = false;
    if (o.on_restart) o.on_restart();
  };
  options.on_execution = [&s](bool race) { s.counter.add(s.end, race); };
  const verify::result r = verify::check(options, [&s] { s.body(); });
  if (s.was_cut) s.counter.add_cut();
  if (r.violation) s.counter.stopped(r.violation->message);
  if (!r.limit.empty()) s.counter.stopped(r.limit);
  if (!r.load_buffering.empty() && !holds_with_load_buffering(r)) s.counter.add_load_buffering();
  return s.counter.result();
}

}  // namespace fencepost::litmus
