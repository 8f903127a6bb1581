// Program order and reads-from lead from the read to the write that it reads, and leave the read's
// thread by a store. If that store were kept behind the read, there would be no such execution.
#include "load_buffering_words.hpp"

#include <algorithm>

#include "fencepost/verify/report.hpp"
#include "happens_before.hpp"
#include "step_facts.hpp"
#include "step_words.hpp"

namespace fencepost::verify {
namespace {

class buffered : step_words {
 public:
  buffered(const execution& e, const shown_execution& shown)
      : step_words(e, shown), e_(e), shown_(shown), porf_(e, relation::reads_from) {}

  // Describes the first such read, and the first store that is not kept behind it.
  std::string on_processors() const {
    std::string text;
    for (std::size_t i = 0; i < e_.steps.size(); ++i) {
      if (!reads_from_below(e_, i)) continue;
      for (const std::size_t s : not_kept_behind(i)) {
        text += "On AArch64 " + number(i) + " is " + instruction(i, false) + " and " + number(s) +
                " is " + instruction(s, false) + ": the processor may make " + number(s) +
                " visible before " + number(i) + " has its value. As a release " + number(s) +
                " is " + instruction(s, true) +
                ", which waits for what comes before it. x86-64 keeps each load before a later "
                "store; a compiler may exchange the two on either.";
        return text;
      }
    }
    return text;
  }

  diagnosis why() const {
    diagnosis d;
    for (std::size_t i = 0; i < e_.steps.size(); ++i) {
      if (!reads_from_below(e_, i)) continue;
      const std::vector<std::size_t> loose = not_kept_behind(i);
      d.words += (d.words.empty() ? "" : " ") + reading(i) +
                 ", which comes after it: load buffering." + what_would_keep(i, loose);
      d.marked.push_back(i);
      d.marked.push_back(*e_.steps[i].reads_from);
      d.marked.insert(d.marked.end(), loose.begin(), loose.end());
    }
    return d;
  }

 private:
  // The instruction to which compilers map the access, with LSE; `released`: as if the access were
  // a release.
  std::string instruction(std::size_t step, bool released) const {
    const step_kind kind = e_.steps[step].kind;
    const std::string acquire = acquires(e_.steps[step].order) ? "a" : "";
    const std::string release = released ? "l" : "";
    if (kind == step_kind::load) return acquire.empty() ? "`ldr`" : "`ldar`";
    if (kind == step_kind::store) return released ? "`stlr`" : "`str`";
    const std::string what = noun(step);
    std::string name = "ldadd";
    if (what.starts_with("compare_exchange") || kind == step_kind::failed_compare_exchange)
      name = "cas";
    else if (what == "exchange")
      name = "swp";
    else if (what == "fetch_or")
      name = "ldset";
    else if (what == "fetch_and")
      name = "ldclr";
    else if (what == "fetch_xor")
      name = "ldeor";
    return "`" + name + acquire + release + "`";
  }

  // Returns the stores of the read's thread that nothing keeps behind the read, and that lead to
  // what it reads.
  std::vector<std::size_t> not_kept_behind(std::size_t read) const {
    std::vector<std::size_t> all;
    const step& r = e_.steps[read];
    if (acquires(r.order)) return all;
    for (std::size_t i = read + 1; i < e_.steps.size(); ++i) {
      const step& s = e_.steps[i];
      if (s.thread != r.thread) continue;
      if (s.kind == step_kind::fence && (releases(s.order) || acquires(s.order))) break;
      if (writes(s.kind) && !releases(s.order) && leads_on(i, *r.reads_from)) all.push_back(i);
    }
    return all;
  }
  // True if another thread's read of the store leads to `to`.
  bool leads_on(std::size_t store, std::size_t to) const {
    return std::any_of(e_.edges.begin(), e_.edges.end(), [&](const edge& x) {
      return x.kind == relation::reads_from && x.from == store &&
             e_.steps[x.to].thread != e_.steps[store].thread && porf_(x.to, to);
    });
  }

  std::string what_would_keep(std::size_t read, const std::vector<std::size_t>& loose) const {
    if (loose.empty()) return {};
    std::string what;
    std::string which;
    for (const std::size_t s : loose) {
      what += (what.empty() ? " Nothing keeps the " : ", or the ") + noun(s) + " of " +
              shown_.location(s) + at(s) + " (" + number(s) + ")";
      which += (which.empty() ? "" : " and ") + number(s);
    }
    return what + " behind the read: a release on " + which + " would, or an acquire on " +
           number(read) + ".";
  }

  const execution& e_;
  const shown_execution& shown_;
  happens_before porf_;
};

}  // namespace

std::string on_processors(const counterexample& c) {
  return buffered(c, shown_execution(c, 0)).on_processors();
}

diagnosis why_buffered(const execution& e, const shown_execution& shown) {
  return buffered(e, shown).why();
}

}  // namespace fencepost::verify
