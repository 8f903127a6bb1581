#include "reexecute/path_search.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace fencepost::verify {

namespace {

options without_count(options o) {
  o.max_executions = 0;
  o.on_execution = nullptr;
  return o;
}

void leave_unnamed(counterexample& wrong, const result& last) {
  wrong.path.clear();
  wrong.no_path =
      last.limit.empty() ? "the choices that lead to it were not found again" : last.limit;
}

}  // namespace

path_search::path_search(const options& o, const std::function<void()>& body,
                         const shared_limits& limits)
    : options_(without_count(o)),
      limits_(limits.began()),
      beginnings_(o.reexecutions, open_),
      explorer_({options_, body, beginnings_, open_, limits_}) {}

result path_search::explore_from(const start& s) {
  start alone = s;
  alone.found_from = nullptr;
  result r;
  explorer_.explore({&alone}, r);
  return r;
}

void path_search::name(counterexample& wrong, const start& at) {
  std::vector<const start*> way;
  for (const start* s = &at; s != nullptr; s = s->found_from) way.insert(way.begin(), s);
  path_to_beginning path{{way.front()->met}, ""};
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    beginnings_.selection().look_for(way[i + 1]->from.fingerprint);
    const result r = explore_from(*way[i]);
    if (!beginnings_.selection().found_at()) return leave_unnamed(wrong, r);
    path.races.push_back(*beginnings_.selection().found_at());
  }
  beginnings_.selection().select_none();
  result r = explore_from(at);
  if (!r.violation) return leave_unnamed(wrong, r);
  path.run = r.violation->path;
  wrong = std::move(*r.violation);
  wrong.path = to_text(path);
}

}  // namespace fencepost::verify
