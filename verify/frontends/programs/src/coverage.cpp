#include "coverage.hpp"

#include "compiler.hpp"
#include "program_file.hpp"

namespace fencepost::programs {

std::string in_one_line(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

coverage coverage_of(const verify::result& r, const verify::options& o, const image& program,
                     const session& s) {
  coverage c;
  c.compilers = compilers_of_program();
  c.libraries = program.libraries();
  std::erase_if(c.libraries, [](const std::string& l) { return l.starts_with("libfencepost_"); });
  c.parts = parts_that_are_not_ours();
  c.hides_structures = hides_structures();
  c.is_optimized = is_optimized();
  if (r.threads > 1 && r.atomics == 0) c.threads_without_atomics = r.threads;
  c.depends_on_addresses =
      s.state().depends_on_addresses() && !o.reuse_addresses && !o.reuse_across_threads;
  c.has_left_threads = s.state().has_left_threads();
  c.has_failed_assumptions = s.state().has_failed_assumptions();
  return c;
}

std::vector<std::string> coverage::in_words() const {
  std::vector<std::string> all;
  // Their accesses to the program's memory are seen only where the C library copies or compares it.
  all.push_back("Not watched for races: what happens in " + in_one_line(libraries) + ".");
  if (hides_structures)
    all.emplace_back(
        "Nor are writes of structures that functions return, 's = f();', reads of those that are "
        "passed by value, 'f(s);', the ends of blocks, and accesses to variables that nested "
        "functions share with those around them, which this gcc hides without our plugin.");
  if (is_optimized)
    all.emplace_back(
        "Compiled with optimization: accesses that the compiler has removed are not watched, such "
        "as reads whose values are not used. Without -O they are.");
  if (!parts.empty())
    all.push_back("Not compiled by fencepost c++ or cc, so no access there is watched: " +
                  in_one_line(parts) + ".");
  if (threads_without_atomics != 0)
    all.push_back("No atomic object, mutex or the like was used in " +
                  std::to_string(threads_without_atomics) +
                  " threads: accesses by assembly code are not observed.");
  if (depends_on_addresses)
    all.emplace_back(
        "Not covered: freed addresses that are reused in the same execution, so that a "
        "compare-exchange finds the address that it expects, but of another object (ABA): "
        "--reuse-addresses.");
  if (has_left_threads)
    all.emplace_back(
        "In some executions detached threads wait for ever when main() has returned, and end with "
        "it.");
  if (has_failed_assumptions)
    all.emplace_back(
        "Not covered: executions in which an assumption of the program does not hold.");
  return all;
}

}  // namespace fencepost::programs
