// Litmus tests under xc20, compared with what is known about them.
#pragma once

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cyclic_enumerator.hpp"
#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"
#include "load_buffering_programs.hpp"
#include "word_programs.hpp"

namespace fencepost::litmus::testing {

using states = std::set<std::vector<value>>;

struct explored {
  states all;
  std::string limit;
};

inline explored explore_again(const program& p, unsigned reexecutions, std::uint64_t most = 0) {
  explore_options o;
  o.max_executions = most;
  if (reexecutions != 0) o.model = verify::memory_model::xc20;
  o.reexecutions = reexecutions;
  const outcome_set found = explore(p, o);
  explored e;
  for (const auto& [state, times] : found.states) e.all.insert(state);
  e.limit = found.limit;
  return e;
}

inline bool includes(const states& all, const states& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

inline std::string difference(const program& p, const char* what, const states& a,
                              const states& b) {
  std::string text;
  for (const auto& s : a)
    if (!b.contains(s)) text += std::string("\n  ") + what + ": " + spell(p, s);
  return text;
}

// More reads from the future, one upon the other, than the programs have.
inline constexpr unsigned enough = 3;

// Returns how executions without reads from the future differ from the oracle's, or "".
inline std::string differences_without_cycles(const program& p, const cyclic_outcomes& oracle) {
  const states found = explore_again(p, 0).all;
  return difference(p, "missing without cycles", oracle.acyclic, found) +
         difference(p, "has a cycle", found, oracle.acyclic);
}

// Returns what is wrong, or "". An outcome that the oracle excludes by a dependency may be found if
// only the text of the program has this dependency; `equal` programs have no such outcomes.
inline std::string compared(const program& p, bool equal) {
  cyclic_enumerator enumerator(p);
  const cyclic_outcomes oracle = enumerator.run();
  if (enumerator.gave_up()) return "";
  const explored found = explore_again(p, enough);
  if (!found.limit.empty()) return found.limit;
  std::string text = difference(p, "missing", oracle.ordered, found.all) +
                     difference(p, "impossible", found.all, oracle.any);
  if (equal) text += difference(p, "depends", found.all, oracle.ordered);
  return text + differences_without_cycles(p, oracle);
}

// The same for programs with words of halves: every outcome found must be possible. Outcomes may be
// missing, but then the exploration must not claim to be complete.
inline std::string compared_words(const program& p, bool some_are_missing) {
  cyclic_enumerator enumerator(p);
  const cyclic_outcomes oracle = enumerator.run();
  if (enumerator.gave_up()) return "";
  const explored found = explore_again(p, enough, 100'000);
  if (std::string text = difference(p, "impossible", found.all, oracle.any); !text.empty())
    return text;
  std::string missing = difference(p, "missing", oracle.ordered, found.all);
  if (!missing.empty() && found.limit.empty()) return missing + "\n  and nothing is left open";
  if (missing.empty() == some_are_missing) return missing.empty() ? "nothing is missing" : missing;
  return differences_without_cycles(p, oracle);
}

// The program with all registers and the final memory as its observed state.
inline program shown(program p) {
  p.displayed.clear();
  for (unsigned t = 0; t < p.threads.size(); ++t)
    for (register_id r = 0; r < p.threads[t].registers.size(); ++r) p.displayed.push_back({t, r});
  for (location_id l = 0; l < p.locations.size(); ++l) p.displayed.push_back({std::nullopt, l});
  return p;
}

struct dependent {
  const char* name;
  bool possible;  // that each thread reads 1, by a cycle
  std::vector<std::string> threads;
};

inline const dependent dependencies[] = {
    {"LB", true, {"x y=1", "y x=1"}},
    {"LB, read twice", true, {"x x y=1", "y x=1"}},
    {"LB, read twice, by one thread", true, {"x x y=1", "acquire:y x=1"}},
    {"LB, and a later write", true, {"x y=1 x=2", "y x=1"}},
    {"LB3", true, {"x y=1", "y z=1", "z x=1"}},
    {"LB+data", true, {"x y=@", "y x=1"}},
    {"LB+datas", false, {"x y=@", "y x=@"}},
    {"LB+ctrl", true, {"x if y=1", "y x=1"}},
    {"LB+ctrls", false, {"x if y=1", "y if x=1"}},
    {"LB+data+ctrl", false, {"x y=@", "y if x=1"}},
    {"LB+fake", true, {"x y=~", "y x=1"}},
    {"LB+fakes", true, {"x y=~", "y x=~"}},
    {"LB+fake+data", true, {"x y=~", "y x=@"}},
    {"LB3+data", true, {"x y=@", "y z=1", "z x=1"}},
    {"LB3+datas", false, {"x y=@", "y z=@", "z x=@"}},
    {"LB3+datas+po", true, {"x y=@", "y z=@", "z x=1"}},
    {"LB+data by way of an own write", false, {"x z=@ z y=@", "y x=@"}},
    {"LB+acquire", true, {"acquire:x y=1", "y x=1"}},
    {"LB+acquires", false, {"acquire:x y=1", "acquire:y x=1"}},
    {"LB+release", true, {"x release:y=1", "y x=1"}},
    {"LB+releases", false, {"x release:y=1", "y release:x=1"}},
    {"LB+acquire+data", false, {"acquire:x y=1", "y x=@"}},
    {"LB+release+ctrl", false, {"x release:y=1", "y if x=1"}},
    {"LB+fence", true, {"x acquire: y=1", "y x=1"}},
    {"LB+fences", false, {"x acquire: y=1", "y release: x=1"}},
    {"LB+sc", false, {"sc:x y=1", "sc:y x=1"}},
    {"LB+exchanges", true, {"x y!1", "y x!1"}},
    {"LB+exchanges that release", false, {"x release:y!1", "y release:x!1"}},
    {"LB+addr", true, {"x y|z=1", "y x=1"}},
    {"LB+addrs", false, {"x y|z=1", "y x|z=1"}},
    {"LB+addr+data", false, {"x y|z=1", "y x=@"}},
    {"LB+addr+ctrl", false, {"x y|z=1", "y if x=1"}},
    {"LB+addr+fake", true, {"x y|z=1", "y x=~"}},
    {"LB+addr of one place", true, {"x y|y=1", "y x|x=1"}},
    {"LB+addr+acquire", false, {"x y|z=1", "acquire:y x=1"}},
    {"LB+addr+po", true, {"x y|z=1 l=1", "l x=1"}},
    {"LB3+addr", true, {"x y|d=1", "y z=1", "z x=1"}},
    {"LB3+addrs", false, {"x y|d=1", "y z|d=1", "z x|d=1"}},
    {"LB3+addr+data+ctrl", false, {"x y|d=1", "y z=@", "z if x=1"}},
    {"LB3+acquires", false, {"acquire:x y=1", "acquire:y z=1", "acquire:z x=1"}},
    {"LB3+acquire+release+fence", false, {"acquire:x y=1", "y release:z=1", "z acquire: x=1"}},
    {"LB3+exchanges", true, {"x y!1", "y z!1", "z x!1"}},
    {"LB4", true, {"x y=1", "y z=1", "z l=1", "l x=1"}},
    {"LB4+datas", false, {"x y=@", "y z=@", "z l=@", "l x=@"}},
    {"LB4+datas+po", true, {"x y=@", "y z=@", "z l=@", "l x=1"}},
    {"LB+ctrl+fake", true, {"x if y=1", "y x=~"}},
    {"LB+co, the last write", true, {"x y=2 y=1", "y x=2 x=1"}},
    {"LB+co, the first write", true, {"x y=1 y=2", "y x=1 x=2"}},
    {"LB+co, behind one that depends", true, {"x y=@ y=1", "y x=@ x=1"}},
    {"LB+co, before one that releases", true, {"x y=1 release:y=2", "y x=1 release:x=2"}},
    {"LB+co, behind one that releases", true, {"x release:y=2 y=1", "y release:x=2 x=1"}},
};

// Two threads with each combination of orders: the cycle is possible unless both threads' accesses
// are kept in order.
inline std::vector<dependent> of_each_order() {
  std::vector<dependent> all;
  for (const std::string first_read : {"", "acquire:", "sc:"})
    for (const std::string first_write : {"", "release:", "sc:"})
      for (const std::string second_read : {"", "acquire:", "sc:"})
        for (const std::string second_write : {"", "release:", "sc:"}) {
          const bool kept = (!first_read.empty() || !first_write.empty()) &&
                            (!second_read.empty() || !second_write.empty());
          all.push_back({"LB with other orders",
                         !kept,
                         {first_read + "x " + first_write + "y=1",
                          second_read + "y " + second_write + "x=1"}});
        }
  return all;
}

// Java's causality tests 5 and 10, which forbid that the first two threads read 1 and the third
// reads 0, since no other thread has then written 1. Here the value may come from another
// execution, in which the third thread has.
inline const dependent found_elsewhere[] = {
    {"causality test 5", true, {"x y=@", "y x=@", "z x=@", "z=1"}},
    {"causality test 10", true, {"x if y=1", "y if x=1", "z if x=1", "z=1"}},
};

// The location of a store depends on a read, by a branch or by an address, or only seems to.
inline std::vector<dependent> with_addresses() {
  std::vector<dependent> all = {
      {"LB+fake address", true, {"x y&=1", "y x=1"}},
      {"LB+fake addresses", true, {"x y&=1", "y x&=1"}},
      {"LB+addr+fake address", true, {"x y&z=1", "y x&=1"}},
      {"LB+data+fake address", true, {"x y=@", "y x&=1"}},
      {"LB3+addrs+fake address", true, {"x y&d=1", "y z&d=1", "z x&=1"}},
  };
  for (const dependent& d : dependencies) {
    dependent by_address = d;
    for (std::string& t : by_address.threads) std::replace(t.begin(), t.end(), '|', '&');
    if (by_address.threads != d.threads) all.push_back(by_address);
  }
  // A store that neither releases nor follows an acquire is kept in order by the dependency alone.
  for (const std::string read : {"", "acquire:", "sc:"})
    for (const std::string write : {"", "release:", "sc:"}) {
      const bool kept = !read.empty() || !write.empty();
      all.push_back({"LB+addr and each order", false, {"x y&z=1", read + "y " + write + "x&z=1"}});
      all.push_back({"LB+fake and each order", true, {"x y&=1", read + "y " + write + "x&=1"}});
      all.push_back(
          {"LB+addr+fake and each order", !kept, {"x y&z=1", read + "y " + write + "x&=1"}});
      all.push_back({"LB+addr+po and each order", !kept, {"x y&z=1", read + "y " + write + "x=1"}});
    }
  return all;
}

// Beginnings with the same promises are explored at once. A read before the promise is kept may get
// any of three values, each in an execution of its own.
inline constexpr const char* several_beginnings[] = {
    "z=1 z=2|x y=1|z y x=1",
    "z=1 z=2|x y=1|z z y x=1",
    "z=1 z=2|x y!1|z y x=1",
    "z=1 l=1|x y=1|z l y x=1",
};

// P0 stores 1 and 1, or 2 and 2, for two other threads to read; if it reads from the future, it
// stores 1 and 2. Without that, each of these threads reads its value in some execution, but they
// do not in the same one.
inline constexpr const char* two_executions = R"(C two
{}
P0 (atomic_int* x, atomic_int* z, atomic_int* p, atomic_int* q) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  int r1 = atomic_load_explicit(z, memory_order_relaxed) + 1;
  int r2 = r1;
  if (r0 == 1) { r1 = 1; r2 = 2; }
  atomic_store_explicit(p, r1, memory_order_relaxed);
  atomic_store_explicit(q, r2, memory_order_relaxed);
}
P1 (atomic_int* p, atomic_int* s) {
  int r0 = atomic_load_explicit(p, memory_order_relaxed);
  if (r0 != 0) { atomic_store_explicit(s, 1, memory_order_relaxed); }
}
P2 (atomic_int* q, atomic_int* s, atomic_int* x) {
  int r0 = atomic_load_explicit(q, memory_order_relaxed);
  int r1 = atomic_load_explicit(s, memory_order_relaxed);
  if (r0 != 0 && r1 == 1) { atomic_store_explicit(x, 1, memory_order_relaxed); }
}
P3 (atomic_int* z) { atomic_store_explicit(z, 1, memory_order_relaxed); }
locations [0:r0; 1:r0; 2:r0;]
exists (0:r0=1 /\ 1:r0=1 /\ 2:r0=2)
)";

inline bool some_state(const program& p, unsigned reexecutions, const std::vector<value>& read) {
  const states all = explore_again(p, reexecutions).all;
  return std::any_of(all.begin(), all.end(), [&](const std::vector<value>& state) {
    const std::vector<observable> seen = observed(p);
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (seen[i].thread && seen[i].index == 0 && state[i] != read[*seen[i].thread]) return false;
    return true;
  });
}

inline bool both_read_one(const program& p, unsigned reexecutions) {
  return some_state(p, reexecutions, std::vector<value>(p.threads.size(), 1));
}

// Returns what is wrong with the outcomes that are found, or "".
inline std::string wrong_reexecution() {
  for (const buffered& b : buffered_programs())
    if (std::string wrong = compared(shown(parse(to_litmus(b))), true); !wrong.empty())
      return b.name + wrong;
  std::vector<dependent> all(std::begin(dependencies), std::end(dependencies));
  for (const dependent& d : with_addresses()) all.push_back(d);
  for (const dependent& d : all) {
    const program p = shown(parse(to_litmus({d.name, true, d.threads})));
    if (std::string wrong = compared(p, false); !wrong.empty()) return d.name + wrong;
    if (both_read_one(p, enough) != d.possible)
      return std::string(d.name) + (d.possible ? ": is not found" : ": is found");
    if (both_read_one(p, 0)) return std::string(d.name) + ": is found under rc20";
  }
  for (const with_words& w : programs_with_words()) {
    const program p = shown(word_program(w).finish());
    if (std::string wrong = compared_words(p, w.missing); !wrong.empty())
      return to_litmus(p) + wrong;
    if (includes(explore_again(p, 0).all, explore_again(p, enough).all) == w.cyclic)
      return to_litmus(p) + (w.cyclic ? "no cycle is found" : "a cycle is found");
  }
  for (const std::string text : several_beginnings) {
    std::istringstream words(text);
    std::vector<std::string> threads;
    for (std::string t; std::getline(words, t, '|');) threads.push_back(t);
    const program p = shown(parse(to_litmus({"several", true, threads})));
    if (std::string wrong = compared(p, true); !wrong.empty()) return text + wrong;
  }
  if (const program p = parse(two_executions); explore_again(p, enough).all.contains({1, 1, 2}))
    return "two executions make one";
  for (const dependent& d : of_each_order()) {
    const program p = shown(parse(to_litmus({d.name, true, d.threads})));
    const std::string name = d.threads[0] + " | " + d.threads[1];
    if (std::string wrong = compared(p, true); !wrong.empty()) return name + wrong;
    if (both_read_one(p, enough) != d.possible)
      return name + (d.possible ? ": is not found" : ": is found");
  }
  for (const dependent& d : found_elsewhere) {
    const program p = shown(parse(to_litmus({d.name, true, d.threads})));
    if (std::string wrong = compared(p, false); !wrong.empty()) return d.name + wrong;
    if (some_state(p, enough, {1, 1, 0}) != d.possible)
      return std::string(d.name) + ": is not found";
    if (some_state(p, 0, {1, 1, 0})) return std::string(d.name) + ": is found under rc20";
  }
  // One cycle needs one read from the future, two independent cycles need two.
  const program two = shown(parse(to_litmus({"two", true, {"x y=1", "y x=1", "z l=1", "l z=1"}})));
  if (both_read_one(two, 1)) return "two reads from the future are one";
  if (!both_read_one(two, 2)) return "two reads from the future are not found";
  return "";
}

}  // namespace fencepost::litmus::testing
