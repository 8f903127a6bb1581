#include "printed_check.hpp"

#include <cstdio>
#include <vector>

#include "compiler.hpp"
#include "fencepost/verify/annotation.hpp"
#include "fencepost/verify/report.hpp"
#include "program_file.hpp"
#include "status.hpp"

namespace fencepost::programs {

namespace {

std::string in_one_line(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What these do with the program's memory is seen only where the C library copies or compares it.
std::string not_watched(const image& program) {
  std::vector<std::string> libraries = program.libraries();
  std::erase_if(libraries, [](const std::string& l) { return l.starts_with("libfencepost_"); });
  const char* const hidden =
      !hides_structures()
          ? ""
          : "; writes of structures that functions return, 's = f();', and reads of those that are "
            "passed by value, 'f(s);', which this gcc hides without our plugin and clang does not";
  return "Not watched for races: what happens in " + in_one_line(libraries) + hidden + ".";
}

std::string number_of(unsigned n, const char* what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

// The threads that freed addresses come back to.
std::string addresses_of(const verify::options& o) {
  if (!o.reuse_addresses && !o.reuse_across_threads) return "";
  return std::string(" A freed address comes back to ") +
         (o.reuse_across_threads ? "any thread" : "the thread that freed it") +
         ", but for at most 1 allocation.";
}

// What happens by chance, or takes its time, is explored that often.
std::string bounds(const verify::options& o) {
  return "Explored in one execution: at most " +
         number_of(o.spurious_failures, "spurious failure") + ", " +
         number_of(o.spurious_wakeups, "spurious wake-up") + " and " +
         number_of(o.timeouts, "time-out") + "." + addresses_of(o);
}

// Of a check that does not end as expected.
std::string annotation(const std::string& name, const verify::result& r) {
  if (!r.violation) return verify::github_error({}, name + ": a violation was expected");
  const verify::counterexample& c = *r.violation;
  std::string text = name + ": " + std::string(to_string(c.kind)) + ": " + c.message;
  if (const std::string why = what_went_wrong(c); !why.empty()) text += ". " + why;
  return verify::github_error(verify::annotated_place(c), text);
}

}  // namespace

void printed_check::print(const verify::result& r) const {
  for (const auto& [outcome, count] : r.outcomes)
    std::printf("%llu: %s\n", static_cast<unsigned long long>(count), outcome.c_str());
  verify::text_style style;
  style.names_options = false;  // they are those of scenarios
  style.max_steps = settings_.steps;
  style.own_data = false;
  std::printf("%s\n%s\n%s\n", to_text(r, style).c_str(), bounds(settings_.exploration).c_str(),
              not_watched(program_).c_str());
  print_not_covered(r);
}

void printed_check::print_not_covered(const verify::result& r) const {
  if (const auto compilers = compilers_of_program(); !compilers.empty())
    std::printf("Compiled by %s.\n", in_one_line(compilers).c_str());
  if (is_optimized())
    std::printf(
        "Compiled with optimization: accesses that the compiler has removed are not watched, such "
        "as\n"
        "reads of what nobody uses. Without -O they are.\n");
  if (const auto others = parts_that_are_not_ours(); !others.empty())
    std::printf("Not compiled by fencepost c++ or cc, so no access there is watched: %s.\n",
                in_one_line(others).c_str());
  if (r.threads > 1 && r.atomics == 0)
    std::printf(
        "No atomic object, mutex or the like was met in %u threads: what assembly code does is not "
        "seen.\n",
        r.threads);
  const verify::options& o = settings_.exploration;
  if (session_.state().depends_on_addresses() && !o.reuse_addresses && !o.reuse_across_threads)
    std::printf(
        "Not covered: freed addresses that come back in the same execution, where a "
        "compare-exchange\n"
        "finds an address that it expects, of another object (ABA): --reuse-addresses.\n");
  if (session_.state().has_left_threads())
    std::printf(
        "In some executions threads wait for ever when main() has returned, and end with it.\n");
  if (session_.state().has_failed_assumptions())
    std::printf("Not covered: executions in which an assumption of the program does not hold.\n");
}

int printed_check::print_status(const verify::result& r) const {
  if (r.outcome == verify::verdict::incomplete) return status::incomplete;
  const bool wrong = r.outcome == verify::verdict::violated;
  const bool expected = wrong == settings_.expects_violation;
  if (!expected && verify::is_in_github_actions())
    std::printf("%s\n", annotation(settings_.exploration.name, r).c_str());
  if (settings_.expects_violation)
    std::printf("%s\n",
                wrong ? "Violated, as expected." : "A violation was expected: there is none.");
  return expected ? status::as_expected : status::unexpected;
}

}  // namespace fencepost::programs
