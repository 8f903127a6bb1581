// The relations that the axioms are written in: closures and cycles, against their definitions.
#include "axioms/relation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fencepost::axioms {
namespace {

using edges = std::vector<std::pair<std::size_t, std::size_t>>;
constexpr std::size_t most = 100;  // two words

edges any_edges(std::size_t n) {
  return *rc::gen::container<edges>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, n), rc::gen::inRange<std::size_t>(0, n)));
}

// Edges from events to later ones, in an order of all events that is unrelated to their numbers.
edges edges_without_cycle(std::size_t n) {
  edges all = any_edges(n);
  std::erase_if(all, [](const auto& e) { return e.first == e.second; });
  for (auto& [from, to] : all) {
    if (from * 37 % 101 > to * 37 % 101) std::swap(from, to);
  }
  return all;
}

relation<2> relation_of(std::size_t n, const edges& all) {
  relation<2> r(n);
  for (const auto& [from, to] : all) r.add(from, to);
  return r;
}

// Computed by walking from each event.
relation<2> reachable(std::size_t n, const relation<2>& r) {
  relation<2> result(n);
  for (std::size_t from = 0; from < n; ++from) {
    std::vector<std::size_t> todo{from};
    while (!todo.empty()) {
      const std::size_t e = todo.back();
      todo.pop_back();
      for (std::size_t next = 0; next < n; ++next) {
        if (!r.has(e, next) || result.has(from, next)) continue;
        result.add(from, next);
        todo.push_back(next);
      }
    }
  }
  return result;
}

void expect_closed(std::size_t n, const edges& all) {
  const relation<2> r = relation_of(n, all);
  const relation<2> closed = reachable(n, r);
  RC_ASSERT(r.closure() == closed);
  RC_ASSERT(r.acyclic() == closed.irreflexive());
}

void holds(const std::string& property, const std::function<void()>& body) {
  EXPECT_TRUE(rc::check(property, body));
}

TEST(relations, are_closed_by_what_can_be_reached) {
  holds("with cycles or without", [] {
    const auto n = *rc::gen::inRange<std::size_t>(1, most);
    expect_closed(n, any_edges(n));
  });
}

TEST(relations, without_a_cycle_are_closed_and_acyclic) {
  holds("without cycles", [] {
    const auto n = *rc::gen::inRange<std::size_t>(1, most);
    const edges all = edges_without_cycle(n);
    expect_closed(n, all);
    RC_ASSERT(relation_of(n, all).acyclic());
  });
}

TEST(relations, with_an_event_before_itself_have_a_cycle) {
  relation<2> r(70);
  r.add(65, 65);
  EXPECT_FALSE(r.acyclic());
  EXPECT_TRUE(r.closure().has(65, 65));
}

}  // namespace
}  // namespace fencepost::axioms
