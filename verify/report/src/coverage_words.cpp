// What a verdict says of load buffering, and what it does not cover.
#include <string>
#include <string_view>

#include "fencepost/verify/report.hpp"
#include "words.hpp"

namespace fencepost::verify {
namespace {

std::string in_words(const reexecuted& x) {
  std::string text = counted(x.executions, "execution") + " with load buffering, from " +
                     counted(x.races, "load-buffering race");
  if (!x.exhaustive) text += "; others are left out beyond " + counted(x.limit, "re-execution");
  return text;
}

}  // namespace

std::string load_buffering_in_words(const result& r) {
  if (r.model == memory_model::xc20 && r.reexecutions && r.reexecutions->races != 0)
    return in_words(*r.reexecutions);
  if (r.load_buffering.empty())
    return r.model == memory_model::rc20   ? "no load-buffering race: holds under xc20 as well"
           : r.model == memory_model::xc20 ? "no load-buffering race: as under rc20"
                                           : "no load-buffering race";
  const load_buffering_race& first = r.load_buffering.front();
  std::string text = counted(r.load_buffering.size(), "load-buffering race") + ": the read at " +
                     place(first.read) + " may take its value from the write at " +
                     place(first.write) + ", since nothing keeps the store at " +
                     place(first.store) + " behind it";
  if (r.load_buffering.size() > 1)
    text += " (and " + grouped(r.load_buffering.size() - 1) + " more)";
  return text;
}

std::string_view not_covered(bool load_buffering) noexcept {
  if (!load_buffering) return "Not covered: more threads or operations than a scenario has.";
  return "Not covered: more threads or operations than a scenario has, and load buffering (cycles "
         "of program order and reads-from), which ISO C++ allows and ARM shows for relaxed "
         "accesses.";
}

}  // namespace fencepost::verify
