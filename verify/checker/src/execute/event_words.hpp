// An event as a step of a counterexample: "store release a := 1".
#pragma once

#include <functional>
#include <string>

#include "execute/order_table.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/event.hpp"

namespace fencepost::verify {

struct event_words {
  step_kind kind;
  std::string text;
};

// `at`: the name of the event's location; `show`: the text of a value of it.
event_words words_of(const event&, const std::string& at,
                     const std::function<std::string(value)>& show);

// Returns what the event asks for, to be compared with what its place in the source asks for.
asked_for done_by(const event&);

// Returns " (release in the source)" where a change has replaced the order, or "".
std::string in_source(const event&, const asked_for&);

}  // namespace fencepost::verify
