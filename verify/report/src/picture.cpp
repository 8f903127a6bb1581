#include "picture.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "diagnosis.hpp"
#include "happens_before.hpp"
#include "shown_execution.hpp"
#include "step_facts.hpp"

namespace fencepost::verify {
namespace {

using pair = std::pair<std::size_t, std::size_t>;

bool concerns_threads(const step& s) {
  return s.kind == step_kind::create_thread || s.kind == step_kind::join_thread;
}

}  // namespace

picture::picture(const execution& e, const counterexample* c, const drawing_style& style)
    : title(style.title) {
  shown_execution shown(e, style.max_steps, style.own_data);
  diagnosis why;
  if (c != nullptr) why = diagnose(*c, shown);
  std::map<pair, bool> unordered;  // whether it is drawn as from-read
  std::set<std::size_t> wrong;
  for (const pair& p : why.unordered) {
    unordered[p] = false;
    wrong.insert({p.first, p.second});
  }

  wrong.insert(why.marked.begin(), why.marked.end());

  std::map<unsigned, std::size_t> lane_of;
  for (std::size_t i = 0; i < e.steps.size(); ++i) {
    if (!shown.left_out()[i]) lane_of[e.steps[i].thread] = 0;
  }
  for (auto& [thread, lane] : lane_of) {
    lane = lanes.size();
    lanes.push_back(thread_name(thread));
  }
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> box_of(e.steps.size(), none);
  std::vector<std::size_t> last(lanes.size(), none);
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < e.steps.size(); ++i) {
    if (shown.left_out()[i]) {
      if (!shown.left_out().is_private(i)) ++skipped;
      continue;
    }
    const step& s = e.steps[i];
    box b;
    b.step = i;
    b.lane = lane_of[s.thread];
    b.wrong = s.kind == step_kind::violation || wrong.contains(i);
    b.text = shown.words(i);
    b.place = shown.place(i);
    b.code = shown.code(i);
    box_of[i] = boxes.size();
    if (last[b.lane] != none)
      links.push_back({line::program_order, last[b.lane], boxes.size(), {}});
    last[b.lane] = boxes.size();
    boxes.push_back(std::move(b));
    left_out.push_back(std::exchange(skipped, 0));
  }

  const happens_before ordered(e);
  std::set<pair> synchronized;
  for (const edge& x : e.edges) {
    if (x.kind == relation::synchronizes_with) synchronized.insert({x.from, x.to});
  }
  const auto add = [&](line kind, std::size_t from, std::size_t to, std::string label) {
    if (box_of[from] == none || box_of[to] == none) return;
    links.push_back({kind, box_of[from], box_of[to], std::move(label)});
  };
  std::set<pair> drawn;  // an access to a word of halves may have an edge for each half
  for (const edge& x : e.edges) {
    const step& from = e.steps[x.from];
    const step& to = e.steps[x.to];
    if (from.thread == to.thread) continue;
    const pair ends{x.from, x.to};
    switch (x.kind) {
      case relation::reads_from:
        // The box names the source of a read that happens-before orders anyway, such as a write of
        // the set-up.
        if (x.from < x.to && (ordered(x.from, x.to) || synchronized.contains(ends))) break;
        if (drawn.insert(ends).second)
          add(x.from < x.to ? line::reads : line::reads_below, x.from, x.to, "rf");
        break;
      case relation::synchronizes_with: {
        const bool reads = std::any_of(e.edges.begin(), e.edges.end(), [&](const edge& other) {
          return other.kind == relation::reads_from && pair(other.from, other.to) == ends;
        });
        if (concerns_threads(from) || concerns_threads(to)) {
          add(line::thread, x.from, x.to, "");
        } else {
          add(line::synchronizes, x.from, x.to, reads ? "rf, sw" : "sw");
        }
        break;
      }
      case relation::modification_order:
        if (x.to < x.from && drawn.insert(ends).second) {
          add(line::modification, x.from, x.to, "mo");
        }
        break;
      case relation::from_read: {
        const auto missed = unordered.find({x.to, x.from});
        if (missed != unordered.end()) {
          if (!std::exchange(missed->second, true)) {
            add(line::unordered, x.from, x.to, "fr, not ordered");
          }
        } else if (x.to < x.from && drawn.insert(ends).second) {
          add(line::from_read, x.from, x.to, "fr");
        }
        break;
      }
    }
  }
  for (const auto& [ends, done] : unordered) {
    if (!done) add(line::unordered, ends.first, ends.second, "not ordered");
  }
}

std::string_view class_of(picture::line kind) noexcept {
  switch (kind) {
    case picture::line::program_order: return "po";
    case picture::line::thread: return "thread";
    case picture::line::reads: return "rf";
    case picture::line::reads_below: return "below";
    case picture::line::synchronizes: return "sw";
    case picture::line::modification: return "mo";
    case picture::line::from_read: return "fr";
    case picture::line::unordered: return "unordered";
  }
  return "";
}

std::string_view meaning_of(picture::line kind) noexcept {
  switch (kind) {
    case picture::line::program_order: return "program order";
    case picture::line::thread: return "thread created or joined";
    case picture::line::reads: return "rf: reads from, and is not ordered after it";
    case picture::line::reads_below: return "rf: reads from what comes after it (load buffering)";
    case picture::line::synchronizes: return "sw: synchronizes with";
    case picture::line::modification: return "mo: modification order";
    case picture::line::from_read: return "fr: reads what this write overwrites";
    case picture::line::unordered: return "not ordered by happens-before";
  }
  return "";
}

}  // namespace fencepost::verify
