#include "execute/run_judge.hpp"

#include <algorithm>

#include "execute/front_end_state.hpp"
#include "graph/described_graph.hpp"

namespace fencepost::verify {

run_end run_judge::judge() {
  const run_end end = judge_as_explored();
  if (!options_.judge_run) return end;
  // The other threads may be blocked in the same way in every run in which the doubt is justified.
  const bool doubted = end == run_end::blocked && ending_.has_doubts();
  if (end != run_end::complete && end != run_end::violation && !doubted) return end;
  ended_run run{{}, end == run_end::complete, trace_.on()};
  if (end == run_end::violation) run.wrong = ending_.found().kind;
  const bool tells_more = doubted || (run.wrong && !halts_one_thread(*run.wrong));
  if (!tells_more && is_possible_ && !is_possible_()) return run_end::blocked;
  const run_judgement judged =
      options_.judge_run(describe(graph_, threads_.created(), objects_.notes()), run);
  if (!judged.counts) return run_end::blocked;
  if (judged.data_race.empty() || end == run_end::violation) return end;
  violate(judged);
  return run_end::violation;
}

void run_judge::violate(const run_judgement& judged) {
  using life = run_judgement::life;
  const bool ends = judged.of == life::ends;
  const violation kind = ends ? violation::use_after_free : violation::data_race;
  const run_ending::doubtful* const d =
      judged.of == life::none ? nullptr : ending_.doubt_of(kind, judged.object, judged.thread);
  if (d == nullptr) {
    ending_.violate(judged.thread, kind, judged.data_race, judged.where);
  } else if (!ends) {
    ending_.violate(d->thread, kind, d->text, d->where);
  } else if (judged.where.line == 0) {
    ending_.violate(d->thread, kind, d->text, d->where, d->object);
  } else {
    const message text("%s: that by thread %u at %s:%u", d->text.c_str(), judged.thread,
                       base_name(judged.where.file), judged.where.line);
    ending_.violate(d->thread, kind, text, d->where, d->object);
  }
}

run_end run_judge::judge_as_explored() {
  if (ending_.wants_restart()) return run_end::again;
  ending_.finish();
  // This race is in the graph that the run began with, not in an event that the run has added.
  if (const event_id racing = exploration_.racing(); racing != 0)
    ending_.violate(thread_of(racing), violation::data_race, consistency::race,
                    graph_.where(racing));
  if (ending_.is_violated()) return run_end::violation;
  if (!ending_.limit().empty()) return run_end::limit;
  if (ending_.is_dropped()) return run_end::blocked;
  if (!trace_.on() && loops_.note_seen()) return restart();
  return going_on() == 0 ? judge_complete() : judge_stuck();
}

// The exploration begins again with what the run has taught.
run_end run_judge::restart() {
  ending_.restart_later(run_ending::restart_for::lesson);
  return run_end::again;
}

std::uint64_t run_judge::going_on() const {
  std::uint64_t some = 0;
  for (unsigned t = 0; t < threads_.created(); ++t)
    if (threads_[t].at != model_thread::state::unused &&
        threads_[t].at != model_thread::state::finished)
      some |= std::uint64_t{1} << t;
  return some;
}

run_end run_judge::judge_complete() {
  outcomes_.join();
  if (symmetry_.used() != 0 && !outcomes_.text().empty()) {
    // It may tell which of the threads was which: of 0, 1 and 1, 0 only one would be found.
    symmetry_.give_up();
    return restart();
  }
  if (const std::optional<message> wrong = forbidden_outcome()) {
    ending_.violate(0, violation::assertion, *wrong, threads_[0].where);
    return run_end::violation;
  }
  if (options_.check_leaks && arena_.live_blocks() > 0) {
    const arena::block* b = arena_.first_live();
    ending_.violate(b->thread, violation::leak,
                    message("a block of %zu bytes, allocation %u of thread %u, is never freed",
                            b->size, b->ordinal + 1, b->thread),
                    threads_[b->thread].where);
    return run_end::violation;
  }
  if (objects_.constructed().empty() && !accesses_any()) {
    ending_.violate(
        0, violation::misuse,
        "nothing goes through the checker: the body has no atomic, no plain data and no mutex "
        "of checked_atomics. Is the structure a template on the policy, and is checked_atomics "
        "its argument?",
        threads_[0].where);
    return run_end::violation;
  }
  return run_end::complete;
}

run_end run_judge::judge_stuck() {
  const std::optional<endless_wait> w = waits_forever(graph_, threads_, loops_, options_);
  front_end_state* const front_end = front_end_state::current;
  const bool ends = w && front_end != nullptr && front_end->end_with_program(going_on());
  if (w && !ends) return judge_endless(*w);
  const bool stuck = !trace_.on() && are_stuck(graph_, threads_, loops_, options_);
  if (stuck && loops_.note_seen(stuck)) return restart();
  return ends ? judge_complete() : run_end::blocked;
}

run_end run_judge::judge_endless(const endless_wait& w) {
  if (loops_.note_awaited()) return restart();
  ending_.violate(w.thread, violation::liveness,
                  message("thread %u waits forever: %s", w.thread, w.reason),
                  threads_[w.thread].where);
  return run_end::violation;
}

// Whether something goes through the checker although no object was constructed: an access to a
// static one, or a choice of the front end.
bool run_judge::accesses_any() const {
  return std::any_of(graph_.trail().begin(), graph_.trail().end(), [&](const entry& t) {
    const event& e = graph_.at(t.id);
    return e.fields() != 0 || e.kind == event_kind::choose;
  });
}

// What is wrong with the outcome of this run, if anything is.
std::optional<message> run_judge::forbidden_outcome() const {
  const std::string& outcome = outcomes_.text();
  if (outcome.empty() || options_.outcomes.empty()) return {};
  const auto known = std::find_if(options_.outcomes.begin(), options_.outcomes.end(),
                                  [&](const known_outcome& k) { return k.result == outcome; });
  if (known == options_.outcomes.end())
    return message("the outcome %s is not among those that the scenario knows", outcome.c_str());
  if (known->verdict != expect::forbidden) return {};
  return message("the outcome %s is forbidden%s%.*s", outcome.c_str(),
                 known->description.empty() ? "" : ": ",
                 static_cast<int>(known->description.size()), known->description.data());
}

}  // namespace fencepost::verify
