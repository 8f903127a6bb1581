#include "reexecute/reexecution.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "reexecute/batch_explorer.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/open_races.hpp"
#include "reexecute/path_search.hpp"
#include "reexecute/path_to_beginning.hpp"
#include "reexecute/race_beginnings.hpp"
#include "reexecute/shared_limits.hpp"

namespace fencepost::verify {

namespace {

std::string refused(const options& o) {
  if (o.samples != 0) return "xc20 is not explored by random executions";
  if (o.preemptions) return "xc20 is not explored within a bound on preemptions";
  if (o.parts != 0 || !o.resume.empty() || o.on_checkpoint)
    return "xc20 is not explored in several sittings";
  return "";
}

class reexecution {
 public:
  reexecution(const options& o, const std::function<void()>& body, const exploration_of_body& first)
      : options_(o),
        body_(body),
        explore_(first),
        beginnings_(o.reexecutions, open_),
        explorer_({options_, body_, beginnings_, open_, limits_}) {}

  result explore();
  // Performs only the run at the end of the path. The executions on the way need not be explored in
  // full, but can be found only by exploring.
  result replay(const path_to_beginning&);

 private:
  result explore_first(std::string replay);
  void explore_beginnings(result&);
  void name_path(counterexample&, const batch&);

  const options& options_;
  const std::function<void()>& body_;
  const exploration_of_body& explore_;
  shared_limits limits_;
  open_races open_;
  race_beginnings beginnings_;
  batch_explorer explorer_;
};

result reexecution::explore() {
  result r = explore_first(options_.replay);
  if (r.outcome == verdict::verified) explore_beginnings(r);
  return r;
}

// Explores the executions without cycles.
result reexecution::explore_first(std::string replay) {
  options o = options_;
  o.model = memory_model::rc20;
  o.jobs = 1;
  o.replay = std::move(replay);
  o.on_load_buffering_race = [this](const explored_graph& g, explored_name r, explored_name w) {
    beginnings_.add({g, r, w, {}, nullptr});
  };
  o.on_restart = [this] {
    beginnings_.restart();
    open_.clear();
    if (options_.on_restart) options_.on_restart();
  };
  return explore_(o, body_);
}

void reexecution::explore_beginnings(result& r) {
  limits_.count(r.executions + r.blocked);
  while (!r.violation && r.limit.empty()) {
    const batch next = beginnings_.take();  // more are added while the batch is explored
    if (next.empty()) break;
    explorer_.explore(next, r);
    if (r.violation) name_path(*r.violation, next);
  }
  r.seconds = limits_.seconds();
  if (r.limit.empty() && !open_.empty()) r.limit = "load buffering";
  r.outcome = r.violation       ? verdict::violated
              : r.limit.empty() ? verdict::verified
                                : verdict::incomplete;
  if (r.outcome == verdict::incomplete) r.fraction = 0;
  r.reexecutions = reexecuted{options_.reexecutions, beginnings_.size(), explorer_.executions(),
                              beginnings_.exhaustive(), open_.take()};
}

// A run is numbered within its batch, so its path may have to be searched for.
void reexecution::name_path(counterexample& wrong, const batch& among) {
  const start& at = *explorer_.repeated();
  if (among.size() == 1 && at.found_from == nullptr) {
    wrong.path = to_text(path_to_beginning{{at.met}, wrong.path});
    return;
  }
  path_search(options_, body_, limits_).name(wrong, at);
}

result reexecution::replay(const path_to_beginning& path) {
  beginnings_.selection().select(path.races.front());
  result r = explore_first("");
  for (std::size_t i = 1; i <= path.races.size(); ++i) {
    r.violation.reset();  // a violation on the way does not count
    const batch next = beginnings_.take();
    if (next.empty()) break;
    if (i == path.races.size())
      explorer_.replay(path.run);
    else
      beginnings_.selection().select(path.races[i]);
    r.limit.clear();
    explorer_.explore(next, r);
  }
  if (r.violation) r.violation->path = to_text(path);
  r.outcome = r.violation ? verdict::violated : verdict::incomplete;
  r.limit = r.violation ? "" : "the run to be replayed has no violation";
  return r;
}

}  // namespace

result explore_with_reexecutions(const options& o, const std::function<void()>& body,
                                 const exploration_of_body& explore) {
  result r;
  if (std::string why = refused(o); !why.empty()) {
    r.name = o.name;
    r.limit = std::move(why);
  } else {
    // On the heap, since changes of the stack during a run would be attributed to the body.
    const auto all = std::make_unique<reexecution>(o, body, explore);
    const auto path = path_to_beginning_from(o.replay);
    r = path ? all->replay(*path) : all->explore();
  }
  r.model = memory_model::xc20;
  return r;
}

}  // namespace fencepost::verify
