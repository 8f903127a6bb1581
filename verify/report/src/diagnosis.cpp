// A data race is two accesses that happens-before does not order: the search is for a read that
// could have ordered one after the other, and does not.
//
// Any other violation either occurs under sequential consistency too, or does not. It does if
// program order and the relations between the accesses have no cycle: then some order of the steps
// explains all that was read, and no memory order can help. Otherwise the shortest cycle shows
// which read is out of date, and what should have informed the reader.
#include "diagnosis.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "fencepost/verify/report.hpp"
#include "happens_before.hpp"
#include "links.hpp"
#include "load_buffering_words.hpp"
#include "shortest_cycle.hpp"
#include "step_facts.hpp"
#include "step_words.hpp"

namespace fencepost::verify {
namespace {

constexpr std::size_t most_steps = 2'000;  // the search is quadratic

class search : step_words {
 public:
  search(const counterexample& c, const shown_execution& shown)
      : step_words(c, shown),
        c_(c),
        shown_(shown),
        hb_(c),
        porf_(c, relation::reads_from),
        links_(c, hb_, porf_) {}

  diagnosis data_race() const {
    const auto race = racing_steps(c_);
    if (!race) return last_link();
    const auto [earlier, later] = *race;
    return not_ordered(earlier, later, noun(later) + " of " + shown_.location(later));
  }

  // Either the end of the lifetime is not ordered after an earlier access, or the access comes
  // after the end: that thread then does nothing more.
  diagnosis use_after_free() const {
    if (c_.steps.size() > most_steps) return last_link();
    diagnosis d = out_of_date();
    if (!d.unordered.empty()) return d;
    const std::size_t last = last_of(c_.thread, true);
    const std::string object = last == c_.steps.size() ? "" : shown_.location(last);
    if (object.empty()) return still_to_access(last, std::move(d));
    const auto access = last_access(last);
    return access ? not_ordered(*access, last, "destruction of " + object) : last_link();
  }

  diagnosis out_of_date() const {
    const std::vector<edge> cycle = shortest_cycle(c_);
    diagnosis d;
    if (cycle.empty()) {
      d.words =
          "This is an interleaving: in some order of the steps each read sees the latest write. "
          "No stronger memory order forbids it.";
      return d;
    }
    // Each read of the cycle, with the last of the writes that follow it in the cycle.
    std::vector<std::pair<std::size_t, std::size_t>> reads;  // indices into the cycle
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      if (cycle[i].kind != relation::from_read) continue;
      std::size_t end = i;
      while (end + 1 < cycle.size() && cycle[end + 1].kind == relation::modification_order &&
             cycle[end].to == cycle[end + 1].from &&
             cycle[end].location == cycle[end + 1].location) {
        ++end;
      }
      reads.emplace_back(i, end);
    }
    if (reads.empty()) {
      d.words = "The writes of " + list(cycle) +
                " contradict program order in their modification order: nothing orders them.";
      return d;
    }
    for (const auto& [from, end] : reads) {
      const std::size_t read = cycle[from].from;
      const std::size_t write = cycle[end].to;
      d.unordered.emplace_back(write, read);
      d.words += (d.words.empty() ? "" : ", and ") + reading(read) + ", not ordered after the " +
                 noun(write) + by(write) + at(write) + " (" + number(write) +
                 "), which overwrites it";
    }
    d.words += reads.size() == 1 ? why_not_told(cycle, reads.front()) : unfenced(cycle);
    d.words += ".";
    return d;
  }

 private:
  // Says that "its read of data (#7) is not ordered after the write by thread 1 at mailbox.hpp:21
  // (#4)", and why.
  diagnosis not_ordered(std::size_t earlier, std::size_t later, const std::string& what) const {
    diagnosis d;
    d.unordered.emplace_back(earlier, later);
    const std::string reader = thread_name(c_.steps[later].thread);
    const std::string consequence = what + " (" + number(later) + ") is not ordered after the " +
                                    noun(earlier) + by(earlier) + at(earlier) + " (" +
                                    number(earlier) + ").";
    if (const edge* link = links_.nearest(earlier, later)) {
      const bool same = c_.steps[link->to].thread == c_.steps[later].thread;
      d.words = reading(link->to) + links_.lacking(*link, earlier, later) + ": so " +
                (same ? "its" : reader + "'s") + " " + consequence;
    } else {
      d.words = reader + " has read nothing before " + number(later) + " that " +
                thread_name(c_.steps[earlier].thread) + " wrote " +
                (writes(c_.steps[earlier].kind) ? "from " + number(earlier) + " on"
                                                : "after " + number(earlier)) +
                ": its " + consequence;
    }
    return d;
  }

  // Returns the last access of another thread to the object of step `before` that does not happen
  // before it.
  std::optional<std::size_t> last_access(std::size_t before) const {
    for (std::size_t i = before; i-- != 0;) {
      if (c_.steps[i].thread != c_.steps[before].thread && is_access_to(i, before) &&
          !hb_(i, before)) {
        return i;
      }
    }
    return {};
  }
  // A step that accesses both halves of a word accesses each of them.
  bool is_access_to(std::size_t step, std::size_t object) const {
    const std::string all = location_names::letter_of(c_.steps[step]);
    const std::string one = location_names::letter_of(c_.steps[object]);
    const std::size_t colon = all.find(':');
    return all == one || (colon != std::string::npos &&
                          (all.substr(0, colon) == one || all.substr(colon + 1) == one));
  }

  // Says that nothing told the thread that ended the object's lifetime that this one was still to
  // access it.
  diagnosis still_to_access(std::size_t access, diagnosis interleaving) const {
    const std::vector<std::size_t> ends = ends_of_life();
    if (ends.empty()) return interleaving;
    const std::size_t end = ends.back();
    // In the order that is shown, the access may succeed; it is then an ordinary step.
    for (std::size_t i = 0; access == c_.steps.size() && i < c_.steps.size(); ++i) {
      const step& s = c_.steps[i];
      const bool is_it = s.thread == c_.thread && s.where == c_.where && !s.location.empty();
      if (is_it && !porf_(i, end)) access = i;
    }
    if (access == c_.steps.size() || hb_(ends.front(), access)) return interleaving;
    std::size_t known = c_.steps.size();  // the last step that the other thread has learned of
    for (std::size_t i = 0; i < access; ++i) {
      if (c_.steps[i].thread == c_.thread && porf_(i, end)) known = i;
    }
    const std::string accessing = thread_name(c_.thread);
    diagnosis d;
    d.words = thread_name(c_.steps[end].thread) + " ends the object's lifetime" +
              (ends.size() == 1 ? " (" + number(end) + ")" : "") + " and has read nothing that " +
              accessing + " wrote" + (known == c_.steps.size() ? "" : " after " + number(known)) +
              ": nothing told it that " + accessing + " was still to access the object (" +
              number(access) + "). " + interleaving.words;
    return d;
  }
  // Returns the steps of one other thread that release memory where the message says that the
  // lifetime ended; the object's release is one of them. Returns none if another thread may have
  // done it.
  std::vector<std::size_t> ends_of_life() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < c_.steps.size(); ++i) {
      const step& s = c_.steps[i];
      const std::string path(s.where.file);
      const std::string place =
          " " + path.substr(path.rfind('/') + 1) + ":" + std::to_string(s.where.line) + " ";
      if (s.kind != step_kind::release || c_.message.find(place) == std::string::npos) continue;
      if (s.thread == c_.thread) return {};
      if (!found.empty() && c_.steps[found.back()].thread != s.thread) return {};
      found.push_back(i);
    }
    return found;
  }

  // Returns the thread's last step that is a violation, or the last that is none; the number of
  // steps if there is no such step.
  std::size_t last_of(unsigned thread, bool violating) const {
    for (std::size_t i = c_.steps.size(); i-- != 0;) {
      const bool wrong = c_.steps[i].kind == step_kind::violation;
      if (c_.steps[i].thread == thread && wrong == violating) return i;
    }
    return c_.steps.size();
  }

  // Explains the last read by which the thread, before its last step, could have been ordered after
  // another.
  diagnosis last_link() const {
    const std::size_t last = last_of(c_.thread, false);
    if (last == c_.steps.size()) return {};
    const edge* best = nullptr;
    for (const edge& e : c_.edges) {
      if (links_.is_link(e) && c_.steps[e.to].thread == c_.thread && e.to <= last &&
          !hb_(e.from, last) && (best == nullptr || best->to <= e.to)) {
        best = &e;
      }
    }
    if (best == nullptr) return {};
    diagnosis d;
    d.unordered.emplace_back(best->from, best->to);
    d.words = reading(best->to) + links_.lacking(*best, 0, last) + ": nothing that " +
              thread_name(c_.thread) + " does afterwards is ordered after it, or after what " +
              thread_name(c_.steps[best->from].thread) + " did before.";
    return d;
  }

  std::string why_not_told(const std::vector<edge>& cycle,
                           std::pair<std::size_t, std::size_t> read) const {
    const std::size_t later = cycle[read.first].from;
    const std::size_t earlier = cycle[read.second].to;
    for (std::size_t i = read.second + 1; i < read.second + cycle.size(); ++i) {
      const edge& e = cycle[i % cycle.size()];
      if (!links_.is_link(e) || hb_(e.from, later)) continue;
      return ": " + reading(e.to) + links_.lacking(e, earlier, later);
    }
    return unfenced(cycle);
  }

  // If threads write one location and then read another, only sequential consistency orders the
  // two.
  std::string unfenced(const std::vector<edge>& cycle) const {
    std::string between;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const edge& next = cycle[(i + 1) % cycle.size()];
      const std::size_t from = cycle[i].to;
      const std::size_t to = next.from;
      if (from == to || next.kind != relation::from_read || !writes(c_.steps[from].kind)) continue;
      const unsigned thread = c_.steps[from].thread;
      if (thread != c_.steps[to].thread) continue;
      const auto sc = [](std::string_view order) { return order == "seq_cst"; };
      if (links_.fence_between(from, to, thread, sc)) continue;
      if (sc(c_.steps[from].order) && sc(c_.steps[to].order)) continue;
      between += (between.empty() ? "" : ", and between ") + number(from) + " and " + number(to);
    }
    if (between.empty()) return "";
    return ": there is no sequentially consistent fence between " + between;
  }

  std::string list(const std::vector<edge>& cycle) const {
    std::string text;
    for (const edge& e : cycle) text += (text.empty() ? "" : ", ") + number(e.to);
    return text;
  }

  const counterexample& c_;
  const shown_execution& shown_;
  happens_before hb_;
  happens_before porf_;
  links links_;
};

diagnosis by_kind(const counterexample& c, const shown_execution& shown) {
  const search s(c, shown);
  switch (c.kind) {
    case violation::data_race: return s.data_race();
    case violation::use_after_free: return s.use_after_free();
    case violation::assertion:
    case violation::liveness:
    case violation::double_free:
    case violation::invalid_free:
    case violation::leak:
    case violation::exception:
    case violation::crash:
    case violation::misuse: return c.steps.size() > most_steps ? diagnosis{} : s.out_of_date();
    default: return {};
  }
}

}  // namespace

diagnosis diagnose(const counterexample& c, const shown_execution& shown) {
  const bool alone = std::all_of(c.steps.begin(), c.steps.end(),
                                 [&](const step& s) { return s.thread == c.steps.front().thread; });
  if (alone || c.edges.empty()) return {};
  diagnosis d = by_kind(c, shown);
  if (c.steps.size() > most_steps) return d;
  diagnosis buffered = why_buffered(c, shown);
  if (buffered.words.empty()) return d;
  // If `d` finds nothing unordered, the execution is an interleaving except for the load buffering.
  if (!d.unordered.empty()) {
    buffered.words += " " + d.words;
    buffered.unordered = std::move(d.unordered);
  }
  return buffered;
}

std::string what_went_wrong(const counterexample& c, const place_names* names) {
  if (c.edges.empty()) return {};
  return diagnose(c, shown_execution(c, 0, true, names)).words;
}

std::string what_went_wrong(const counterexample& c) { return what_went_wrong(c, nullptr); }

}  // namespace fencepost::verify
