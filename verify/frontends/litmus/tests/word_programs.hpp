// Litmus tests with words of two halves, some of which are read from the future.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus::testing {

struct with_words {
  bool cyclic;  // an outcome needs a cycle
  std::vector<std::string> threads;
  bool missing = false;  // an outcome is not found
};

// x and y are words of halves, z and l are not. "x" reads x, "x.low" its low half; "x=1/2" writes
// both halves, "x.high=1" the high one; "x?1/2>3/4" replaces the word by 3/4 if it is 1/2; "if"
// continues if the last value read was not 0; "acquire:" or "release:" before an access gives it
// that order, on success. A thread that acquires reads nothing from the future: the other has to.
inline const std::vector<with_words>& programs_with_words() {
  static const std::vector<with_words> all = {
      {true, {"x z=1", "acquire:z x.low=1"}},
      {true, {"x z=1", "acquire:z x.high=1"}},
      // Both halves come from one write, …
      {true, {"x z=1", "acquire:z x=1/2"}},
      {true, {"x y=3/4", "acquire:y x=1/2"}},
      {true, {"x y.high=3", "acquire:y x=1/2"}},
      // … or one half from another write that is there, …
      {true, {"x z=1", "acquire:z x=1/2", "x.high=3"}},
      {true, {"x z=1", "acquire:z x=1/2", "x.low=3"}},
      // … or from another that is still to come, …
      {true, {"x z=1", "acquire:z x.low=1", "acquire:z x.high=2"}},
      {true, {"x z=1", "acquire:z x=1/2 x.low=3", "acquire:z x.high=4"}},
      // … and a later read of the word reads no older halves.
      {true, {"x.low x z=1", "acquire:z x=1/2"}},
      {true, {"x.high x z=1", "acquire:z x=1/2"}},
      {true, {"x x z=1", "acquire:z x=1/2"}},
      {true, {"x x z=1", "acquire:z x=1/2", "x.low=3"}},
      {true, {"x x.high z=1", "acquire:z x=1/2"}},
      {true, {"x l z=1", "acquire:z x.low=1 l=1", "x.high=2"}},
      {true, {"x?1/2>3/4 z=1", "acquire:z x=1/2"}},
      {true, {"x?1/2>3/4 z=1", "acquire:z x.low=1", "x.high=2"}},
      {true, {"x?0/0>3/4 z=1", "acquire:z x=1/2"}},
      {true, {"acquire:x?1/2>3/4 z=1", "acquire:z x=5/6"}},
      {true, {"x?1/2>3/4 x z=1", "acquire:z x=1/2"}},
      {true, {"x release:z=1", "z x=1/2"}},
      {false, {"x release:z=1", "acquire:z x=1/2"}},
      {false, {"acquire:x z=1", "z release:x=1/2"}},
      {false, {"x if z=1", "z if x=1/2"}},
      {false, {"x?1/2>3/4 release:z=1", "z release:x=1/2"}},
      // The second thread gets one half from the third thread, and the other from the first, in two
      // reads that both read from the future.
      {true, {"acquire:x release:y=1/2", "y.low y x=3/4", "acquire:y release:y.low=7"}, true},
  };
  return all;
}

class word_program {
 public:
  explicit word_program(const with_words& text) {
    program_.name = "words";
    for (const char* name : {"x", "y", "z", "l"}) {
      location l;
      l.name = name;
      const bool halves = program_.locations.size() < 2;
      l.kind = halves ? location_kind::halves : location_kind::atomic;
      program_.locations.push_back(l);
    }
    for (const std::string& t : text.threads) {
      program_.threads.emplace_back();
      add_all(t);
    }
    program_.condition.how = quantifier::exists;
  }
  program finish() && { return std::move(program_); }

 private:
  void add_all(const std::string& text) {
    std::vector<std::vector<statement>> open(1);  // nested bodies
    register_id last = 0;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (word == "if") {
        open.emplace_back();
        conditions_.push_back(last);
        continue;
      }
      add(word, open.back(), last);
    }
    for (; open.size() > 1; open.pop_back(), conditions_.pop_back()) {
      branch b;
      b.condition = reg(conditions_.back());
      b.then = std::move(open.back());
      open[open.size() - 2].push_back({std::move(b)});
    }
    program_.threads.back().body = std::move(open.front());
  }

  void add(std::string word, std::vector<statement>& body, register_id& last) {
    access_order order = access_order::relaxed;
    if (word.starts_with("acquire:")) order = access_order::acquire;
    if (word.starts_with("release:")) order = access_order::release;
    word.erase(0, word.find(':') + 1);
    const auto at = static_cast<location_id>(std::string("xyzl").find(word[0]));
    const auto operation = word.find_first_of("=?");
    word_part part = word_part::whole;
    if (word.find(".low") != std::string::npos) part = word_part::low;
    if (word.find(".high") != std::string::npos) part = word_part::high;
    if (operation == std::string::npos) {
      last = fresh();
      body.push_back({load{last, at, order, part}});
    } else if (word[operation] == '=') {
      body.push_back({store{at, constant(number(word.substr(operation + 1))), order, part}});
    } else {
      last = fresh();
      body.push_back({assign{last, constant(number(word.substr(operation + 1)))}});
      compare_exchange c;
      c.to = fresh();
      c.at = at;
      c.expected = expected_register{last};
      c.desired = constant(number(word.substr(word.find('>') + 1)));
      c.success = order;
      body.push_back({std::move(c)});
    }
  }

  static value number(const std::string& text) {
    const auto slash = text.find('/');
    const value low = std::stoi(text);
    return slash == std::string::npos ? low : join_halves(low, std::stoi(text.substr(slash + 1)));
  }
  register_id fresh() {
    auto& registers = program_.threads.back().registers;
    registers.push_back({"r" + std::to_string(registers.size()), 0});
    return static_cast<register_id>(registers.size() - 1);
  }

  program program_;
  std::vector<register_id> conditions_;
};

}  // namespace fencepost::litmus::testing
