// Tests of the tests: with any fault of mutants.cmake in the explorer, a known result comes out
// wrong. Each fault is tried in a process of its own, since it may crash or run forever.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "../../../frontends/litmus/tests/lengthened.hpp"
#include "../../../frontends/litmus/tests/load_buffering_programs.hpp"
#include "../../../frontends/litmus/tests/reexecution_programs.hpp"
#include "../judged_programs.hpp"
#include "../known_programs.hpp"
#include "../load_buffering_bodies.hpp"
#include "../locked_programs.hpp"
#include "../parts.hpp"
#include "../probes.hpp"
#include "../programs.hpp"
#include "../resumed.hpp"
#include "../sittings.hpp"
#include "../symmetric_programs.hpp"
#include "axioms/recheck.hpp"
#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"

namespace fencepost::verify {

unsigned mutant = 0;

namespace testing {
namespace {

struct fault {
  unsigned number;
  const char* file;
  const char* what;
};

// What GoogleTest shows of it.
std::ostream& operator<<(std::ostream& out, const fault& f) { return out << f.what; }

constexpr fault faults[] = {
    {0, "", "none"},
#include "names.inc"
};

constexpr const char* seen_by_recheck[] = {
    "none",
    "a revisit may delete what was not added maximally",
    "a revisiting write ignores what the revisited read may not read",
    "a revisiting read-modify-write ignores what the revisited read may not read",
    "a revisiting read-modify-write ignores that another one has the same source",
    "a read is maximal whatever it reads",
    "a second field that is there is revisited",
    "a read is revisited although it waits for its second field",
    "a write is maximal although an older read reads it",
    "a spurious failure is maximal",
    "any choice is maximal",
    "the readers are not put back when a revisit is undone",
    "a write may be placed between a read-modify-write and its source",
    "a spurious failure stays when the source changes",
    "a spurious failure acquires as a success",
    "another source is not checked for the order of seq_cst",
    "another place is not checked for the order of seq_cst",
    "a whole-word read may take halves of different writes",
    "what one half of a word has acquired does not hold for the other half",
    "whole-word writes may be ordered differently in each half",
    "two read-modify-writes may read the same write",
    "a read-modify-write's write comes last, not behind its source",
    "a read may read what a write that happened before has overwritten",
    "a read may read older writes than a read that happened before",
    "a failed compare-exchange has its success order",
    "an acquire fence does not synchronize",
    "a release fence does not synchronize",
    "a release sequence ends at a read-modify-write",
    "a join does not synchronize",
    "a read does not come before the writes that overwrite what it read",
    "a fence after an access does not hand its order on",
    "a fence before an access does not hand its order on",
    "a write does not come before its readers and the next writes",
    "accesses that happen before each other are ordered only at one location",
    "a change behind a fence is not checked",
    "two drawn read-modify-writes may read the same write",
    "sources are not checked for the order of seq_cst",
    "a drawn write may be placed between a read-modify-write and its source",
    "halves of different writes are drawn",
    "drawn halves may be older than what has been acquired",
};

// Of a processor, and by the clock, for those that wait for ever.
constexpr unsigned processor_seconds = 40;
constexpr unsigned seconds_for_each = 300;

// A litmus test with the number of its executions and its states under one model.
struct expectation {
  std::string file;
  memory_model model;
  std::uint64_t executions;
  std::set<std::string> states;
};

std::vector<expectation> known_states() {
  const std::string folder = FENCEPOST_LITMUS_TESTS;
  std::vector<expectation> all;
  std::ifstream lines(folder + "/expected.jsonl");
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const auto test = nlohmann::json::parse(line);
    for (const memory_model m : all_models) {
      expectation e{folder + "/" + std::string(test["file"]), m, test["executions"],
                    test["states"].get<std::set<std::string>>()};
      if (m != memory_model::rc11) {
        const auto& other = test["alt"][m == memory_model::rc20 ? "rc11_rs20" : "cpp20"];
        e.executions = other["executions"];
        if (!other["states_same"]) {
          for (const auto& s : other["extra"]) e.states.insert(s);
          for (const auto& s : other["missing"]) e.states.erase(s);
        }
      }
      all.push_back(std::move(e));
    }
  }
  return all;
}

std::string wrong_states(const expectation& expected, bool long_ones = false) {
  litmus::program p = litmus::parse_file(expected.file);
  if (long_ones) p = litmus::testing::lengthened(p);
  litmus::explore_options o;
  o.model = expected.model;
  o.max_executions = 100 + 100 * expected.executions;
  std::vector<std::uint64_t> graphs;
  o.on_graph = [&](std::uint64_t graph) { graphs.push_back(graph); };
  const litmus::outcome_set got = litmus::explore(p, o);
  const std::string where = p.name + " under " + std::string(to_string(expected.model));
  if (got.executions != expected.executions)
    return where + ": " + std::to_string(got.executions) + " executions instead of " +
           std::to_string(expected.executions);
  std::set<std::string> states;
  for (const auto& [state, count] : got.states) states.insert(litmus::spell(p, state));
  if (states != expected.states) return where + ": other states";
  std::sort(graphs.begin(), graphs.end());
  if (std::adjacent_find(graphs.begin(), graphs.end()) != graphs.end())
    return where + ": a graph is visited twice";
  return "";
}

std::uint64_t counter = 0;

// Bodies that are wrong besides what their threads do, and what each is.
std::string wrong_verdict_of_a_body() {
  using integer = checked::atomic<std::uint64_t>;
  const struct {
    const char* name;
    violation expected;
    std::function<void()> body;
  } bodies[] = {
      {"nothing watched", violation::misuse, [] { concurrently([] {}, [] {}); }},
      {"a counter that outlives the execution", violation::nondeterminism,
       [] {
         integer x{0};
         x.store(++counter);
       }},
      {"a counter that comes round", violation::nondeterminism,
       [] {
         integer x{0};
         x.store(++counter / 3 % 2);
       }},
      {"another size", violation::nondeterminism,
       [] {
         const integer x{0};
         const std::vector<char> bytes(++counter);
       }},
      {"memory that nobody has written", violation::nondeterminism,
       [] {
         integer x{0};
         const auto p = std::make_unique_for_overwrite<std::uint64_t>();
         x.store(*static_cast<volatile std::uint64_t*>(p.get()));
       }},
      {"an address from malloc", violation::nondeterminism,
       [] {
         checked::atomic<void*> x{nullptr};
         void* const p = std::malloc(40);
         x.store(p);
         std::free(p);
       }},
      {"a requirement that fails once", violation::nondeterminism,
       [] {
         integer x{0};
         x.store(1);
         require(++counter != 1);
       }},
      {"one of two that wait is notified", violation::liveness,
       [] {
         integer x{0};
         in_threads(3, [&](unsigned i) {
           if (i != 0) return x.wait(0);
           x.store(1);
           x.notify_one();
         });
       }},
      {"an assertion before a wait", violation::assertion,
       [] {
         integer x{0};
         engine::current()->fail_later(violation::assertion, "failed", __FILE__, __LINE__);
         while (x.load() == 0) checked::spin_pause();
       }},
  };
  for (const auto& b : bodies) {
    counter = 0;
    options few;
    few.max_executions = 1000;
    const result r = check(few, b.body);
    if (found(r) != b.expected)
      return std::string(b.name) + ": " + std::string(to_string(found(r))) + " instead of " +
             std::string(to_string(b.expected));
  }
  return "";
}

// A body that changes memory which is not put back.
int outside = 0;

std::string unnoticed_change() {
  options resuming;
  resuming.resume_points = true;
  const auto add_and_look = [](auto&& between) {
    checked::atomic<int> x{0};
    in_threads(3, [&](unsigned) {
      x.fetch_add(1, acq_rel);
      between();
      x.load(relaxed);
    });
  };
  const result statics = check(resuming, [&] {
    add_and_look([] { ++outside; });
    require(outside == 3);
    outside = 0;
  });
  if (statics.from_beginning.find("static variable") == std::string::npos)
    return "a static variable that changes goes unnoticed";
  const result allocates = check(resuming, [&] {
    add_and_look([] {
      void* volatile p = std::malloc(40);
      std::free(p);
    });
  });
  if (allocates.from_beginning.empty()) return "malloc goes unnoticed";
  const auto elsewhere = std::make_unique<int>(0);
  const result heap = check(resuming, [&] {
    *elsewhere = 0;
    add_and_look([&] { ++*elsewhere; });
    require(*elsewhere == 3);
  });
  return heap ? "" : "a violation is believed that does not come from the beginning";
}

bool leaves_open(const result& r, std::string_view why) {
  const auto& open = r.reexecutions->open;
  return std::any_of(open.begin(), open.end(),
                     [&](const auto& race) { return race.why.starts_with(why); });
}

// Of bodies with load buffering, each with a verdict that is known.
std::string wrong_load_buffering_of_bodies() {
  options o;
  o.model = memory_model::xc20;
  const result asserts = check(o, [] {
    checked::atomic<int> a{0}, b{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        require(a.load(relaxed) == 0);
        b.store(1, relaxed);
      } else if (b.load(relaxed) == 1) {
        a.store(1, relaxed);
      }
    });
  });
  if (!asserts) return "an assertion keeps nothing behind it";
  if (check(o, [] { read_a_whole_word(std::memory_order_relaxed); }))
    return "no half of a whole word comes from the future";
  if (!check(o, [] { read_a_whole_word(std::memory_order_release); }))
    return "a half of a whole word comes from the future in spite of a release";
  if (!leaves_open(check(o, [] { read_by_way_of_a_word(std::memory_order_release); }),
                   "operations may be ordered"))
    return "what a half releases is taken for known";
  if (check(o, [] { exchange_in_a_cycle<checked_atomics::halves>(0U, 0U); }))
    return "exchanges of a whole word are in no conflict";
  // A race where the load reads 1; where it reads 2, the first load happens before the last store.
  const result ordered_at_times = check(o, [] {
    checked::atomic<int> a{0}, b{0};
    int first = 0, second = 0;
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        first = a.load(relaxed);
        b.store(1, relaxed);
        b.store(2, release);
      } else {
        second = b.load(acquire);
        a.store(1, relaxed);
      }
    });
    require(first == 0 || second != 2);
  });
  if (!ordered_at_times) return "a load reads from a store that it happens before";
  if (!check(o, acquire_from_the_future)) return "who acquires what is promised does not find it";
  if (!check(o, acquire_from_the_future_again))
    return "who acquires what is promised and was read before does not find it";
  for (const std::memory_order wait : {relaxed, acquire})
    if (!check(o, [&] { look_again_while_waiting(wait, acquire); }))
      return "turns that are left out leave something behind";
  if (!check(o, read_data_before_it_is_released))
    return "data is read in a turn that is left out, and when the loop is over";
  if (check(o, read_from_the_future_in_the_last_turn))
    return "the last turn of a loop repeats one that is left out";
  if (check(o, read_data_while_waiting)) return "data that a turn reads is missed with the turn";
  if (!check(o, [] { end_by_way_of_another_thread(std::memory_order_release); }))
    return "who acquires by way of another thread ends what is used";
  if (check(o, end_a_mutex_by_way_of_another_thread).outcome != verdict::incomplete)
    return "who acquires by way of another thread ends a mutex that is held";
  if (check(o, [] { use_by_way_of_another_thread(std::memory_order_relaxed); }))
    return "what is made is used by another thread that does not know of it";
  for (const unsigned reader : {0U, 1U})
    if (check(o, [&] { require_what_races(reader); }))
      return "what is required of data that races is a matter of who comes first";
  for (const bool uses_first : {true, false}) {
    options ordered = o;
    ordered.priorities =
        uses_first ? std::vector<unsigned>{1, 2, 3, 4} : std::vector<unsigned>{1, 2, 4, 3};
    for (const bystander does : {bystander::stores, bystander::notifies})
      for (const bool gives_up : {false, true}) {
        const result ends =
            check(ordered, [&] { end_what_is_used(does, std::memory_order_release, gives_up); });
        if (ends.outcome != verdict::violated) return "what a bystander uses may end";
        if (!ends.violation->came_again) return "what a bystander uses does not end again";
      }
  }
  if (check(o, [] { read_by_way_of_another_thread(std::memory_order_release); }).outcome !=
      verdict::incomplete)
    return "operations are linearizable whose order is not known";
  if (check(o, [] { see_no_data(std::memory_order_release, std::memory_order_release); }))
    return "a release fence acquires from the future";
  if (check(o, [] { see_no_data(std::memory_order_relaxed, std::memory_order_acquire); }))
    return "a relaxed store synchronizes with a load that reads it from the future";
  if (check(o, [] { read_what_nobody_wrote(std::memory_order_relaxed, false); }))
    return "data without a value is read by load buffering alone, and that is right";
  if (!check(o, [] { read_what_nobody_wrote(std::memory_order_relaxed, true); }))
    return "data has no value that was written";
  if (check(o, read_a_word_that_comes_by_halves))
    return "no word is read whole whose halves come one by one";
  if (check(o, [] { read_what_is_stored_last(fails::where_it_is_told); }))
    return "what only seems to be wrong stops the others";
  if (check(o, [] { read_what_is_stored_last(fails::as_a_test_framework); }))
    return "what only seems to be wrong in a test framework's eyes stops the others";
  if (check(o, [] { read_what_is_stored_last(fails::by_abort); }))
    return "what others do after a crash that is not believed is taken for explored";
  if (check(o, [] { look_at_half_of_a_word(1); }))
    return "no half of a word is read from the future";
  if (check(o, [] { look_at_half_of_a_word(2); })) return "one half is read where the other is";
  o.max_events = 100;
  const result waits_for_a_value = check(o, [] {
    checked::atomic<int> a{0}, b{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        a.load(relaxed);
        b.store(1, relaxed);
        while (a.load(relaxed) != 2) checked::spin_pause();
      } else {
        b.load(relaxed);
        a.store(1, relaxed);
        a.store(2, relaxed);
      }
    });
  });
  if (!waits_for_a_value) return "a thread that reads a promise again and again is not at an end";
  const result shown = check(o, [] { drop_last_reference(std::memory_order_relaxed); });
  if (!shown.violation || shown.violation->steps.size() != 10 ||
      shown.violation->steps[1].reads_from != 6)
    return "a counterexample shows something else";
  const bool holds = holds_with_load_buffering(check({}, take_a_mutex));
  return holds ? "" : "who waits for a mutex reads its future";
}

// The first that is not "", of what `wrong` says of each program.
template <class Programs, class Wrong>
std::string first_wrong(const Programs& programs, Wrong wrong) {
  for (const auto& p : programs)
    if (std::string said = wrong(p); !said.empty()) return said;
  return "";
}

std::string wrong_when_resumed() {
  const auto differs = [](const known_program& p) { return difference_within(p, 10'000); };
  if (std::string wrong = first_wrong(programs_to_resume(), differs); !wrong.empty()) return wrong;
  for (std::uint64_t most : {30U, 33U, 50U})
    if (std::string wrong =
            first_wrong(programs_to_resume(),
                        [&](const known_program& p) { return difference_within(p, most); });
        !wrong.empty())
      return wrong;
  if (std::string wrong = difference_once_violated(); !wrong.empty()) return wrong;
  if (std::string wrong = difference_where_judged(); !wrong.empty()) return wrong;
  return first_wrong(programs_of_every_kind(), differs);
}

std::string wrong_in_sittings() {
  return first_wrong(programs_to_resume(), [](const known_program& p) {
    std::string wrong;
    for (std::uint64_t runs = 17; runs < 30 && wrong.empty(); ++runs)
      wrong = difference_in_sittings(p, runs);
    return wrong;
  });
}

std::string wrong_litmus_tests() {
  if (std::string wrong =
          first_wrong(known_states(), [](const expectation& e) { return wrong_states(e); });
      !wrong.empty())
    return wrong;
  if (std::string wrong = litmus::testing::wrong_load_buffering(); !wrong.empty()) return wrong;
  return litmus::testing::wrong_reexecution();
}

std::string wrong_parts() {
  if (std::string wrong = first_wrong(
          programs_of_every_kind(), [](const known_program& p) { return wrong_in_parts(p, 3, 1); });
      !wrong.empty())
    return wrong;
  if (std::string wrong = first_wrong(programs_that_block(),
                                      [](const judged_program& j) {
                                        return wrong_in_parts({j.name, 0, j.body, j.bounds}, 2, 1);
                                      });
      !wrong.empty())
    return wrong;
  if (std::string wrong = wrong_examples_in_parts(3, 1); !wrong.empty()) return wrong;
  return first_wrong(programs_of_symmetric_threads(),
                     [](const symmetric_program& p) { return wrong_in_parts(as_known(p), 3, 1); });
}

std::string wrong_random_locks() {
  for (unsigned seed = 0; seed < 200; ++seed)
    if (std::string wrong = wrong_locks(random_locks(seed)); !wrong.empty()) return wrong;
  return "";
}

std::string wrong_with_many_events() {
  if (std::string wrong =
          first_wrong(programs_of_every_kind(),
                      [](const known_program& p) { return wrong_count(after_threads(p, 16)); });
      !wrong.empty())
    return wrong;
  constexpr std::uint64_t few = 40;
  return first_wrong(known_states(), [](const expectation& e) {
    return e.executions > few ? "" : wrong_states(e, true);
  });
}

std::string wrong_under_some_model() {
  return first_wrong(programs_of_every_kind(), [](known_program p) {
    for (const memory_model m : all_models) {
      p.bounds.model = m;
      if (std::string wrong = wrong_count(p); !wrong.empty()) return wrong;
      if (std::string wrong = wrong_under_other_priorities(p); !wrong.empty()) return wrong;
    }
    return std::string();
  });
}

// What comes out wrong, or "". The quick ones come first: most faults are noticed by these.
std::string anything_wrong() {
  using check = std::string (*)();
  constexpr check checks[] = {
      wrong_verdict_of_a_body,
      [] { return first_wrong(programs_that_block(), wrong_verdict); },
      [] { return first_wrong(programs_of_known_count(), wrong_count); },
      wrong_when_resumed,
      unnoticed_change,
      [] { return first_wrong(programs_of_locks(), wrong_locks); },
      wrong_litmus_tests,
      wrong_load_buffering_of_bodies,
      wrong_parts,
      [] {
        return first_wrong(programs_of_symmetric_threads(),
                           [](const symmetric_program& p) { return wrong_classes(p, p.bounds); });
      },
      [] {
        return first_wrong(programs_of_every_kind(),
                           [](const known_program& p) { return wrong_on_average(p, 100); });
      },
      [] { return first_wrong(programs_of_every_kind(), wrong_within_bounds); },
      [] { return first_wrong(programs_of_every_kind(), wrong_draws); },
      wrong_where_the_tree_changes,
      wrong_with_many_events,
      [] { return wrong_intervals(60); },
      wrong_random_locks,
      wrong_under_some_model,
      wrong_in_sittings,
  };
  for (const check each : checks)
    if (std::string wrong = each(); !wrong.empty()) return wrong;
  return "";
}

// What the axioms say of a graph that was explored, or "".
std::string anything_rejected() {
  std::string wrong;
  for (known_program p : programs_of_every_kind()) {
    for (const memory_model m : all_models) {
      p.bounds.model = m;
      p.bounds.recheck = true;
      p.bounds.max_executions = 10'000;
      p.bounds.samples = 0;
      const result r = check(p.bounds, p.body);
      if (r.recheck->rejected != 0) return p.name + ": " + r.recheck->why;
      p.bounds.samples = 300;
      const result drawn = check(p.bounds, p.body);
      if (drawn.recheck->rejected != 0) return p.name + ", drawn: " + drawn.recheck->why;
    }
  }
  options judged;
  judged.recheck = true;
  const result through_threads = check(judged, [] {
    checked::atomic<int> x{0}, y{0}, flag{0};
    x.store(1, relaxed);
    checked::thread writer([&] {
      static_cast<void>(x.load(relaxed));
      y.store(1, relaxed);
      flag.store(1, release);
    });
    checked::thread reader([&] { static_cast<void>(flag.load(acquire)); });
    reader.join();
    static_cast<void>(y.load(relaxed));
    writer.join();
  });
  if (through_threads.recheck->rejected != 0) return through_threads.recheck->why;
  const result failing_by_chance = check(judged, [] {
    checked::atomic<int> x{0}, y{0};
    checked::thread reader([&] {
      static_cast<void>(x.load(relaxed));
      int seen = 0;
      y.compare_exchange_weak(seen, 1, relaxed, relaxed);
    });
    checked::thread writer([&] { x.store(1, relaxed); });
    reader.join();
    writer.join();
  });
  if (failing_by_chance.recheck->rejected != 0) return failing_by_chance.recheck->why;
  for (const expectation& e : known_states()) {
    const litmus::program p = litmus::parse_file(e.file);
    litmus::explore_options o;
    o.model = e.model;
    o.max_executions = 100 + 100 * e.executions;
    o.on_complete_graph = [&](const explored_graph& g) {
      const axioms::opinion said = axioms::judge(g);
      if (said.what == axioms::opinion::kind::rejected && wrong.empty())
        wrong = p.name + ": " + said.why;
    };
    litmus::explore(p, o);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

// What the fault does to the known results, or "" if it goes unnoticed.
std::string effect_of(unsigned number, std::string (*anything_wrong)()) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(seconds_for_each);
    const rlimit bound{processor_seconds, processor_seconds};
    setrlimit(RLIMIT_CPU, &bound);
    mutant = number;
    const std::string wrong = anything_wrong().substr(0, 1000);
    const auto written = write(ends[1], wrong.data(), wrong.size());
    _exit(written == static_cast<ssize_t>(wrong.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string effect;
  char buffer[1024];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    effect.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return std::string("the checker ends by: ") + strsignal(WTERMSIG(status));
  return effect.substr(0, effect.find('\n'));
}

class mutants : public ::testing::TestWithParam<fault> {};

TEST_P(mutants, are_noticed) {
  const std::string effect = effect_of(GetParam().number, anything_wrong);
  if (GetParam().number == 0) {
    EXPECT_EQ(effect, "") << "without any fault";
    return;
  }
  EXPECT_NE(effect, "") << GetParam().file << ": " << GetParam().what << ": nothing came out wrong";
  std::printf("  %s\n  -> %s\n", GetParam().what, effect.c_str());
}

std::string name_of(const ::testing::TestParamInfo<fault>& f) {
  std::string name = f.param.what;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

// Of the faults by which the explorer visits what the model forbids, or visits a graph twice,
// recheck alone tells: it knows neither counts nor states. It cannot know of what is not visited.
TEST_P(mutants, that_let_too_much_through_are_noticed_by_recheck) {
  const std::string what = GetParam().what;
  const bool too_much = std::any_of(std::begin(seen_by_recheck), std::end(seen_by_recheck),
                                    [&](const char* name) { return what == name; });
  if (!too_much && GetParam().number != 0) GTEST_SKIP() << "not one that recheck can tell";
  const std::string effect = effect_of(GetParam().number, anything_rejected);
  if (GetParam().number == 0) {
    EXPECT_EQ(effect, "") << "without any fault";
    return;
  }
  EXPECT_NE(effect, "") << GetParam().file << ": " << what << ": no graph was rejected";
  EXPECT_FALSE(effect.starts_with("the checker ends")) << what << ": " << effect;
  std::printf("  %s\n  -> %s\n", what.c_str(), effect.c_str());
}

TEST(mutants_seen_by_recheck, are_among_those_planted) {
  for (const char* name : seen_by_recheck) {
    EXPECT_TRUE(std::any_of(std::begin(faults), std::end(faults), [&](const fault& f) {
      return std::string(f.what) == name;
    })) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(all, mutants, ::testing::ValuesIn(faults), name_of);

}  // namespace
}  // namespace testing
}  // namespace fencepost::verify
