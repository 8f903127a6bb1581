// Searches a part of the tree.

#include <optional>
#include <utility>

#include "execute/front_end_state.hpp"
#include "execute/search.hpp"

namespace fencepost::verify {

class search::part_search {
 public:
  part_search(search& s, const part& p, part_control& control)
      : search_(s),
        part_(p),
        control_(control),
        left_(p),
        lessons_(s.learning_.lessons().size()),
        progress_(done_.found) {
    done_.found = s.nothing_found();
    progress_.is_part = true;
    progress_.from_beginning = !p.after;
  }
  part_search(const part_search&) = delete;
  part_search& operator=(const part_search&) = delete;

  part_result run();

 private:
  using ending = part_result::ending;
  enum class next : std::uint8_t { run, beginning, nothing };

  next explore_next();
  next end(ending);
  next after_run();
  void keep_example();
  void give_away();
  void keep_what_is_known();
  [[nodiscard]] bool has_learned() const { return search_.learning_.lessons().size() != lessons_; }

  search& search_;
  const part& part_;
  part_control& control_;
  part left_;  // the part without what was given away
  const std::size_t lessons_;
  part_result done_;
  search_progress progress_;
};

part_result search::part_search::run() {
  next n = next::beginning;
  while (n != next::nothing) {
    if (n == next::run)
      n = explore_next();
    else if (!search_.navigator_.go_to(left_))
      n = end(has_learned() ? ending::learned : ending::lost);
    else
      n = !part_.after || search_.exploration_.backtrack() ? next::run : next::nothing;
  }
  keep_what_is_known();
  // Backtracks only now: what that notes belongs to the part that begins with the next run.
  if (done_.how == ending::stopped && !search_.exploration_.backtrack())
    done_.how = ending::exhausted;
  return std::move(done_);
}

void search::part_search::keep_what_is_known() {
  done_.found.examples.clear();
  done_.observed = search_.contention_.observed();
  search_.add_knowledge(progress_);
  done_.found.changed = search_.exploration_.changed().all();
}

search::part_search::next search::part_search::end(ending how) {
  done_.how = how;
  done_.at =
      how == ending::learned ? search_.learning_.lessons().back().at : search_.exploration_.path();
  return next::nothing;
}

search::part_search::next search::part_search::explore_next() {
  const run_end how = search_.counting_runner_.run(progress_);
  if (has_learned()) return end(ending::learned);
  if (std::optional<std::string> why = front_end_state::why_over_now()) {
    done_.text = *std::move(why);
    return end(ending::over);
  }
  if (how == run_end::again) {  // all of left_ is to be explored again
    done_.examples.clear();
    return next::beginning;
  }
  if (how == run_end::limit) {
    done_.text = search_.ending_.limit();
    return end(search_.counting_runner_.is_out_of_time() ? ending::late : ending::limit);
  }
  if (how == run_end::violation) {
    done_.kind = search_.ending_.found().kind;
    done_.text = search_.ending_.found().message;
    return end(ending::violated);
  }
  return after_run();
}

search::part_search::next search::part_search::after_run() {
  const result& found = done_.found;
  exploration& tree = search_.exploration_;
  const std::uint64_t most = search_.options_.max_executions;
  const bool is_last = most != 0 && found.executions + found.blocked >= most;
  if (found.examples.size() != done_.examples.size()) keep_example();
  if (control_.wants_a_part()) [[unlikely]]
    give_away();
  if (is_last || (progress_.looks_at_clock() && control_.is_over(found)))
    return end(ending::stopped);
  return tree.backtrack() ? next::run : next::nothing;
}

// Keeps the example that the last run has added.
void search::part_search::keep_example() {
  for (const auto& [outcome, shown] : done_.found.examples)
    if (!has_example(done_.examples, outcome)) done_.examples.push_back({outcome, shown});
}

void search::part_search::give_away() {
  const std::optional<part> rest = search_.exploration_.give_away();
  if (!rest) return;
  left_.last = *rest->after;
  control_.give(*rest);
}

part_result search::explore(const part& p, part_control& control) {
  return part_search(*this, p, control).run();
}

}  // namespace fencepost::verify
