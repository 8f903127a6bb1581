// A command line with made-up scenarios, so that its tests need no checker: results of every kind,
// and scenarios that misbehave in every way.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "run/entry.hpp"

namespace fencepost::cli {
namespace {

using verify::options;
using verify::result;
using verify::step_kind;
using verify::verdict;

result holds(const options& o, std::uint64_t executions) {
  result r;
  r.outcome = verdict::verified;
  r.model = o.model;
  r.executions = executions;
  r.blocked = executions / 100;
  r.fraction = 1;
  r.threads = 3;
  r.events = 17;
  if (o.recheck) r.recheck = verify::rechecked{executions, executions, 0, {}, "", ""};
  return r;
}

// Line numbers are those of this file, since the report shows its lines. The first counterexample
// has one step more than the one that a search for a shorter one finds.
result breaks(const options& o, violation kind) {
  const auto here = [](const char* function) {
    return source_location::current(__FILE__, function, __LINE__);
  };
  result r = holds(o, 12);
  r.outcome = verdict::violated;
  verify::counterexample c;
  c.kind = kind;
  c.message = "the slot is read although the write to it (#2) does not happen before";
  c.thread = 2;
  c.threads = 3;
  c.where = here("receive");
  c.steps = {
      {0, step_kind::create_thread, "create thread 1", {}, "", 0, 0, {}},
      {1, step_kind::plain_write, "write slot = 7", {}, "slot", 0, 7, here("send")},
      {1, step_kind::store, "store relaxed ready = 1", {}, "ready", 0, 1, here("send")},
      {2, step_kind::load, "load acquire ready = 0", {}, "ready", 0, 0, here("receive")},
      {2, step_kind::load, "load acquire ready = 1", 2, "ready", 1, 0, here("receive")},
      {2, step_kind::plain_read, "read slot = 7", 1, "slot", 7, 0, here("receive")},
      {2, step_kind::violation, "wrong: see #2", {}, "", 0, 0, here("receive")},
  };
  if (o.shorten == 0) {
    c.steps.push_back({2, step_kind::note, "one step more", {}, "", 0, 0, {}});
  }
  r.violations = o.shorten == 0 ? 1 : 3;
  r.violation = std::move(c);
  return r;
}

result rechecks_badly(result r) {
  if (!r.recheck) return r;
  r.recheck->confirmed -= 10;
  r.recheck->rejected = 3;
  r.recheck->not_held["more than 2048 events"] = 7;
  r.recheck->why = "it was explored before";
  r.recheck->graph = "#1 of thread 1: load relaxed location 0\n";
  r.outcome = verdict::incomplete;
  r.limit = "the axioms reject a graph";
  return r;
}

constexpr known_outcome known[] = {{"0, 0", expect::interesting, "neither sees the other"},
                                   {"0, 1"},
                                   {"1, 1", expect::interesting, "never seen"}};

result has_outcomes(const options& o) {
  result r = holds(o, 12);
  r.known_outcomes.assign(std::begin(known), std::end(known));
  r.outcomes = {{"0, 0", 1}, {"0, 1", 11}};
  for (const auto& [outcome, count] : r.outcomes) {
    if (r.examples.size() == o.examples) break;
    verify::execution& e = r.examples[outcome];
    e.threads = 2;
    e.steps = {{0, step_kind::create_thread, "creates thread 1", {}, "", 0, 0, {}},
               {1, step_kind::load, "load relaxed x = 0", {}, "x", 0, 0, {}}};
    e.edges = {{verify::relation::synchronizes_with, 0, 1}};
  }
  return r;
}

// Verified with this number of executions after this time, unless a limit is reached first.
result takes(const options& o, std::uint64_t executions, double seconds) {
  result r = holds(o, 0);
  const auto began = std::chrono::steady_clock::now();
  for (;;) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    r.seconds = passed.count();
    r.fraction = std::min(r.seconds / seconds, 1.0);
    r.executions = static_cast<std::uint64_t>(static_cast<double>(executions) * r.fraction);
    if (r.fraction == 1) return r;
    if (o.max_executions != 0 && r.executions >= o.max_executions) {
      r.executions = o.max_executions;
      r.limit = "the limit of " + std::to_string(o.max_executions) + " executions";
    } else if (o.timeout.count() != 0 && passed >= o.timeout) {
      r.limit = "the time limit";
    } else if (o.stop != nullptr && o.stop->load()) {
      r.limit = "stopped";
    }
    if (!r.limit.empty()) {
      r.outcome = verdict::incomplete;
      return r;
    }
    if (o.on_progress) o.on_progress({r.executions, 0, r.fraction, r.seconds});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

// Too large to be explored completely, except within a bound of at least three preemptions.
result in_part(const options& o) {
  result r = holds(o, 1000);
  r.preemptions = o.preemptions;
  if (o.samples != 0) {
    r.sample = verify::sampled{o.seed, o.samples, 800, 300, 100};
    r.executions = 800;
    r.limit = "samples";
  } else if (o.probes != 0) {
    r = {};
    r.whole = verify::estimated{o.probes, 5'000, 4'000, 71'000};
    r.limit = "probes";
  } else if (!o.preemptions || *o.preemptions < 3) {
    r.cut = 17;
    r.limit = o.preemptions ? "preemptions" : "timeout";
    if (o.estimate) r.whole = verify::estimated{100, 5'000, 4'000, 71'000};
  }
  if (!r.limit.empty()) r.outcome = verdict::incomplete;
  return r;
}

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

}  // namespace

std::vector<entry> registry() {
  std::vector<entry> all;
  const auto add = [&](std::string_view name, violation expected, std::string_view claim,
                       auto run) {
    all.push_back(
        {scenario{.name = name, .threads = 2, .claim = claim, .expected = expected}, run});
  };
  add("sample/message_arrives", violation::none, "A message is whole when it is read.",
      [](const options& o) { return holds(o, 1'234'567); });
  add("sample/last_item_goes_to_exactly_one_thread", violation::none,
      "The last item goes to the owner or to one thief, never to both and never to none.",
      [](const options& o) { return holds(o, 42); });
  add("sample/relaxed_store_loses_the_message", violation::data_race,
      "Without the release in send(), the message is read too early.",
      [](const options& o) { return breaks(o, violation::data_race); });
  add("bad/unexpected", violation::none, "A claim that is wrong.",
      [](const options& o) { return breaks(o, violation::assertion); });
  add("bad/not_found", violation::leak, "A fault that is not there.",
      [](const options& o) { return holds(o, 3); });
  add("bad/of_another_kind", violation::leak, "",
      [](const options& o) { return breaks(o, violation::assertion); });
  add("bad/crashes", violation::none, "", [](const options&) -> result {
    std::fputs("what it said last\n", stderr);
    std::raise(SIGSEGV);
    sleep_for_ever();
  });
  add("bad/exits", violation::none, "", [](const options&) -> result { ::_exit(7); });
  add("bad/throws", violation::none, "",
      [](const options&) -> result { throw std::runtime_error("no such thing"); });
  add("outcomes/both_look", violation::none, "", [](const options& o) { return has_outcomes(o); });
  add("large/takes_minutes", violation::none, "",
      [](const options& o) { return rechecks_badly(holds(o, 123'456'789)); });
  all.back().about.nightly = true;
  add("part/too_large", violation::none, "", [](const options& o) { return in_part(o); });
  add("slow/one_second", violation::none, "",
      [](const options& o) { return takes(o, 1'000'000, 1); });
  add("slow/endless", violation::none, "",
      [](const options& o) { return takes(o, 1'000'000'000, 1000); });
  add("slow/deaf", violation::none, "", [](const options&) -> result { sleep_for_ever(); });
  return all;
}

}  // namespace fencepost::cli
