#include <algorithm>

#include "stress/stress_results.hpp"

namespace fencepost::cli {
namespace {

// Returns the shape of that name, or null if it was not run.
const stressed* shape(const calibration& c, std::string_view name) {
  const auto found = std::find_if(c.shapes.begin(), c.shapes.end(),
                                  [&](const stressed& s) { return s.name == name; });
  return found == c.shapes.end() || found->samples == 0 ? nullptr : &*found;
}

bool shows_weak(const calibration& c, std::string_view name) {
  const stressed* const s = shape(c, name);
  return s != nullptr &&
         std::any_of(s->outcomes.begin(), s->outcomes.end(), [](const counted_outcome& o) {
           return o.verdict == expect::interesting && o.count != 0;
         });
}

}  // namespace

std::vector<weak_outcome> weak_outcomes(const calibration& c) {
  std::vector<weak_outcome> all;
  for (const stressed& s : c.shapes) {
    for (const counted_outcome& o : s.outcomes) {
      if (o.verdict != expect::allowed) all.push_back({&s, &o});
    }
  }
  return all;
}

std::string what_it_cannot_show(const calibration& c) {
  std::string text;
  for (const stressed& s : c.shapes) {
    if (s.forbidden_seen()) text += s.name + " had an outcome that C++ forbids. ";
  }
  if (!text.empty()) {
    text +=
        "The compiler, the processor or an emulator is faulty: a claim that is seen broken here "
        "may be due to that, and not to the code. ";
  }
  if (!c.where.emulator.empty()) {
    text += "This program runs under an emulator, " + c.where.emulator +
            ": its results are those of the emulator and the processor under it, not those of a "
            "processor of the architecture " +
            c.where.architecture + ". It finds wrong code, but says little about memory orders. ";
  }
  const bool mp = shows_weak(c, "litmus/mp");
  const bool lb = shows_weak(c, "litmus/lb");
  if (shape(c, "litmus/mp") == nullptr || shape(c, "litmus/lb") == nullptr) {
    text +=
        "Message passing (MP) or load buffering (LB) was not run: what this machine shows is "
        "not known. ";
  } else if (!mp && !lb) {
    text +=
        "Neither MP nor LB was seen. What holds here is no evidence for weaker machines (ARM, "
        "POWER, RISC-V): orders that this machine provides in any case can be missing, and nothing "
        "below would show it. ";
  } else if (!lb) {
    text += "LB was not seen: what holds here is no evidence for machines that show it. ";
  } else if (!mp) {
    text += "MP was not seen: what holds here is no evidence for machines that show it. ";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace fencepost::cli
