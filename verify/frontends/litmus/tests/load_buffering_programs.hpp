// Litmus tests that have a load-buffering race, and others that nearly have one.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"

namespace fencepost::litmus::testing {

struct buffered {
  const char* name;
  bool race;
  std::vector<std::string> threads;  // in the shorthand below
};

// "x" reads x, "x=1" writes it, "x!1" exchanges it, "x?1" does so if it was 0, "if" continues if
// the last value read was not 0, "x=@" writes the last value read, "x=~" writes 1 and seems to
// depend on it, "y|z=1" writes y if the last value read was not 0, or else z, "y&z=1" does the same
// for values 0 and 1 by an address that depends on it, "y&=1" writes y and seems to depend on it.
// "acquire:", "release:" or "sc:" before an access gives it that order, and alone is a fence.
inline const std::vector<buffered>& buffered_programs() {
  static const std::vector<buffered> all = {
      {"relaxed", true, {"x y=1", "y x=1"}},
      {"three threads", true, {"x y=1", "y z=1", "z x=1"}},
      {"one read acquires", true, {"acquire:x y=1", "y x=1"}},
      {"both reads acquire", false, {"acquire:x y=1", "acquire:y x=1"}},
      {"one write releases", true, {"x release:y=1", "y x=1"}},
      {"both writes release", false, {"x release:y=1", "y release:x=1"}},
      {"one acquires, the other releases", false, {"acquire:x y=1", "y release:x=1"}},
      {"acquire fences", false, {"x acquire: y=1", "y acquire: x=1"}},
      {"release fences", false, {"x release: y=1", "y release: x=1"}},
      {"fences of seq_cst", false, {"x sc: y=1", "y sc: x=1"}},
      {"fences before the reads", true, {"sc: x y=1", "sc: y x=1"}},
      {"fences behind the writes", true, {"x y=1 sc:", "y x=1 sc:"}},
      {"a fence in one thread", true, {"x sc: y=1", "y x=1"}},
      {"exchanges", true, {"x y!1", "y x!1"}},
      {"exchanges that release", false, {"x release:y!1", "y release:x!1"}},
      {"an exchange is kept together", false, {"x!1", "x!2"}},
      {"an exchange that others read is kept together",
       false,
       {"x!1", "acquire:x y=1", "acquire:y x=2"}},
      {"an exchange that reads, and a write", true, {"x!1 y=1", "y!2 x=2"}},
      {"exchanges that acquire, and writes", false, {"acquire:x!1 y=1", "acquire:y!2 x=2"}},
      {"a read-modify-write that comes between two", true, {"y!1 x=1 sc:y!2", "x sc:y!3"}},
      {"a read-modify-write that is acquired, and read no longer",
       true,
       {"release:x!1 y=1", "y acquire:x!2"}},
      {"a compare-exchange that could have come first", true, {"x?1 y=1", "acquire:y if x?2"}},
      {"a compare-exchange that acquires if it succeeds",
       true,
       {"acquire:x?1 y=1", "acquire:y if x?2"}},
      {"a compare-exchange that would fail", true, {"y release:x=1", "sc:x?1 y=1"}},
      {"a compare-exchange that would succeed", false, {"y release:x=0", "x=2 sc:x?1 y=1"}},
      {"a compare-exchange before a release", false, {"x?1 release:y=1", "acquire:y if x?2"}},
      {"an exchange that would have come first", true, {"y x=1 release:y=5", "x acquire:y!2"}},
      {"an exchange that has revisited another", true, {"y x=1 sc:y!2", "x sc:y!3"}},
      {"a compare-exchange that could have come first, in a cycle",
       true,
       {"x y=1 if z?1 l=1", "y if x=1", "acquire:l if z?2"}},
      {"what is released before", false, {"x release:y=1 z=1", "acquire:y if z if x=1"}},
      {"what is released itself", true, {"release:x!1 y=1", "y acquire:x if x=2"}},
      {"a store that somebody else reads", false, {"x z=1 release:y=1", "z", "y release:x=1"}},
      {"the same location, by releases", true, {"x x=1", "x release:y=1", "y release:x=3"}},
      {"message passing", false, {"x=1 y=1", "y x"}},
      {"store buffering", false, {"x=1 y", "y=1 x"}},
      {"by a happens-before", false, {"x release:y=1", "acquire:y x=1"}},
      {"by a fence in between", false, {"x release: y=1", "y acquire: x=1"}},
      {"a later store is not kept", true, {"x release:y=1 z=1", "z x=1"}},
      {"a store that only its own thread reads", false, {"x z=1 z release:y=1", "y release:x=1"}},
      {"an acquire in between keeps nothing", true, {"x acquire:y z=1", "z x=1"}},
      {"the same location", false, {"x x=1", "x x=2"}},
      {"the same location by way of another", true, {"x x=1", "x y=1", "y x=3"}},
      {"the same location in order", false, {"x x=1", "x release:y=1", "acquire:y x=3"}},
      {"each waits for the other", false, {"x if y=1", "y if x=1"}},
      {"one waits for the other", true, {"x if y=1", "y x=1"}},
      {"behind a condition that does not hold", false, {"x y=1", "y x if x=1"}},
      {"a lock, unlocked with relaxed", true, {"acquire:l!1 d l=0", "acquire:l!1 d=1 l=0"}},
      {"a lock, unlocked with release",
       false,
       {"acquire:l!1 d release:l=0", "acquire:l!1 d=1 release:l=0"}},
      {"the last reference, dropped with relaxed", true, {"d r!1", "acquire:r!1 d=1"}},
      {"the last reference, dropped with release", false, {"d release:r!1", "acquire:r!1 d=1"}},
  };
  return all;
}

inline std::string to_litmus(const buffered& p) {
  std::string text = "C buffered\n{}\n";
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    text += "P" + std::to_string(t) +
            " (atomic_int* x, atomic_int* y, atomic_int* z, atomic_int* l, atomic_int* d, "
            "atomic_int* r) {\n";
    unsigned registers = 0;
    std::string ends;
    std::istringstream words(p.threads[t]);
    for (std::string word; words >> word;) {
      std::string order = "memory_order_relaxed";
      if (const auto colon = word.find(':'); colon != std::string::npos) {
        const std::string given = word.substr(0, colon);
        order = "memory_order_" + (given == "sc" ? "seq_cst" : given);
        word.erase(0, colon + 1);
      }
      const std::string to = "int r" + std::to_string(registers) + " = ";
      if (word.empty()) {
        text += "atomic_thread_fence(" + order + ");";
      } else if (word == "if") {
        text += "if (r" + std::to_string(registers - 1) + " != 0) {";
        ends += "}";
      } else if (word.size() == 5 && word[1] == '|') {
        const auto write = [&](char at) {
          return std::string("atomic_store_explicit(") + at + ", " + word.substr(4) + ", " + order +
                 ");";
        };
        text += "if (r" + std::to_string(registers - 1) + " != 0) { " + write(word[0]) +
                " } else { " + write(word[2]) + " }";
      } else if (word.size() > 1 && word[1] == '&') {
        const std::string last = "r" + std::to_string(registers - 1);
        const std::string y(1, word[0]), z(1, word[2]);
        const std::string address = z == "=" ? y + " + (" + last + " ^ " + last + ")"
                                             : z + " + (" + y + " - " + z + ") * " + last;
        text += "atomic_store_explicit(" + address + ", " + word.back() + ", " + order + ");";
      } else if (word.size() == 1) {
        text += to + "atomic_load_explicit(" + word + ", " + order + ");";
        ++registers;
      } else if (word[1] == '!') {
        text += to + "atomic_exchange_explicit(" + word[0] + ", " + word.substr(2) + ", " + order +
                ");";
        ++registers;
      } else if (word[1] == '?') {
        const std::string expected = "e" + std::to_string(registers);
        text += "int " + expected + " = 0; " + to + "atomic_compare_exchange_strong_explicit(" +
                word[0] + ", &" + expected + ", " + word.substr(2) + ", " + order +
                ", memory_order_relaxed);";
        ++registers;
      } else {
        const std::string last = "r" + std::to_string(registers - 1);
        const std::string what = word[2] == '@'   ? last
                                 : word[2] == '~' ? "(" + last + " ^ " + last + ") + 1"
                                                  : word.substr(2);
        text += std::string("atomic_store_explicit(") + word[0] + ", " + what + ", " + order + ");";
      }
      text += "\n";
    }
    text += ends + "}\n";
  }
  return text + "exists (x=0)\n";
}

// Returns what is wrong with the races that are found, or "".
inline std::string wrong_load_buffering() {
  for (const buffered& p : buffered_programs()) {
    const outcome_set found = explore(parse(to_litmus(p)));
    if (found.load_buffering != p.race)
      return std::string(p.name) +
             (p.race ? ": no load-buffering race" : ": a load-buffering race that is none");
  }
  return "";
}

}  // namespace fencepost::litmus::testing
