#include "reexecute/race_beginnings.hpp"

#include <algorithm>
#include <utility>

#include "axioms/graph_races.hpp"

namespace fencepost::verify {

namespace {

constexpr std::size_t most_beginnings = 100'000;

}  // namespace

void race_beginnings::restart() {
  selection_.begin_exploration();
  left_.clear();
  known_.clear();
  exhaustive_ = true;
}

void race_beginnings::add(const race& r) {
  if (leads_nowhere(r.graph, r.read, r.write)) return;
  if (std::string why = unsupported(r.graph, r.read, r.write); !why.empty()) {
    leave_open(r, std::move(why));
    return;
  }
  if (leads_to_more(r.graph, r.read, r.write))
    leave_open(r, "the read is of a whole word of two fields");
  for (const field_set fields : fields_to_promise(r.graph, r.read, r.write))
    if (selection_.meet()) begin_with(r, fields);
}

void race_beginnings::begin_with(const race& r, field_set fields) {
  const unsigned depth = r.from == nullptr ? 0 : r.from->depth;
  beginning b = beginning_of(r.graph, r.promised, r.read, r.write, fields);
  if (!selection_.selects(b.fingerprint)) return;
  if (known_.contains(b.fingerprint)) return;
  if (depth == most_promises_ && !selection_.selects_one()) {
    exhaustive_ = false;
    return;
  }
  known_.insert(b.fingerprint);
  if (left_.size() == most_beginnings) {
    leave_open(r, "there are too many similar races");
    return;
  }
  left_.add({std::move(b), depth + 1, r.from, selection_.met()});
}

void race_beginnings::add_races_of(const explored_graph& g, std::uint64_t fingerprint,
                                   const std::vector<promise>& promised, const start& from) {
  selection_.begin_execution();
  if (!seen_.insert(fingerprint).second) return;
  for (const auto& [read, write] : axioms::load_buffering_races(g))
    add({g, read, write, promised, &from});
  for (const conflict& c : conflicts_of(g)) {
    const auto races = axioms::load_buffering_races(c.graph);
    if (std::find(races.begin(), races.end(), std::pair(c.first, c.second)) != races.end())
      add({c.graph, c.first, c.second, promised, &from});
  }
}

void race_beginnings::leave_open(const race& r, std::string why) {
  open_.add(r.graph.threads[r.read.thread][r.read.number - 1].where,
            r.graph.threads[r.write.thread][r.write.number - 1].where, std::move(why));
}

}  // namespace fencepost::verify
