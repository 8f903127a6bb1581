// The start of a program: runs its exploration instead of main().

#include <sys/single_threaded.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "c_library.hpp"
#include "coverage.hpp"
#include "execute/thread_pointer.hpp"
#include "fencepost/verify/report.hpp"
#include "imports.hpp"
#include "machine_report.hpp"
#include "printed_check.hpp"
#include "program_exploration.hpp"
#include "session.hpp"
#include "settings.hpp"
#include "status.hpp"
#include "tests.hpp"
#include "unseen_instructions.hpp"

namespace fencepost::programs {
namespace {

main_function main_of_program = nullptr;

void complain(const std::string& name, const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", name.c_str(), what.c_str());
}

// Returns nothing if the settings cannot be understood.
std::optional<settings> settings_for(std::span<char*> given) {
  const char* const wanted = std::getenv("FENCEPOST_CHECK");
  try {
    settings wants = settings_from(wanted == nullptr ? "" : wanted);
    std::string& name = wants.exploration.name;
    name = given.empty() ? "program" : given.front();
    name.erase(0, name.rfind('/') + 1);
    return wants;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return {};
  }
}

bool refuses(const image& program, const std::string& name, bool is_examined) {
  std::vector<std::string> wrong = refused(program);
  if (!is_examined)
    for (std::string& what : unseen_instructions(program)) wrong.push_back(std::move(what));
  if (wrong.empty()) return false;
  std::fprintf(stderr, "%s cannot be checked. It uses something that is not modelled:\n",
               name.c_str());
  for (const std::string& what : wrong) std::fprintf(stderr, "  %s\n", what.c_str());
  return true;
}

// Prints the tests as GoogleTest does.
int list_tests(int report) {
  if (report >= 0) {
    write_names(report, tests::names());
    return status::as_expected;
  }
  std::string suite;
  for (const std::string& name : tests::names()) {
    const std::size_t dot = name.find('.');
    if (name.compare(0, dot, suite) != 0)
      std::printf("%s.\n", (suite = name.substr(0, dot)).c_str());
    std::printf("  %s\n", name.c_str() + dot + 1);
  }
  return status::as_expected;
}

int no_list(const std::string& name, const verify::result& r) {
  if (r.violation) std::printf("%s\n", verify::to_text(r, verify::text_style{}).c_str());
  complain(name,
           std::string("its tests cannot be listed: ") +
               (r.violation ? "there is a violation in what main() does before RUN_ALL_TESTS()"
                            : "main() does not call RUN_ALL_TESTS() of gtest/gtest.h"));
  return status::wrong_usage;
}

int check(std::span<char*> given) {
  std::optional<settings> wants = settings_for(given);
  if (!wants) return status::wrong_usage;
  verify::options& o = wants->exploration;
  image program;
  if (refuses(program, o.name, wants->is_examined)) return status::wrong_usage;
  __libc_single_threaded = 0;  // shared_ptr and others count atomically
  program.keep_variables();
  arguments of_each(given);
  thread_locals locals;
  verify::thread_pointer::is_swapped = !locals.empty();
  session s(program, locals, o.stack_size);
  s.begin();
  o.name_of = [&s](const void* p) { return s.variable_at(p); };
  heed_interrupts();
  tests::list_them(wants->lists_tests);
  program_exploration explored(s, main_of_program, of_each);
  const verify::result r = explored.explore(o);
  if (!tests::refusal().empty()) {
    complain(o.name, tests::refusal());
    return status::wrong_usage;
  }
  if (tests::are_listed()) return list_tests(wants->report);
  if (wants->lists_tests) return no_list(o.name, r);
  if (wants->replays && r.violation) {
    if (const std::string why = explored.replay(o, *r.violation); !why.empty()) {
      complain(o.name, why);
      return status::wrong_usage;
    }
  }
  const coverage covered = coverage_of(r, o, program, s);
  if (wants->report >= 0) write_report(wants->report, r, o, covered);
  const printed_check printed(*wants, covered);
  printed.print(r);
  return printed.print_status(r);
}

int check_program(int argc, char** argv, char**) {
  int ended = check({argv, static_cast<std::size_t>(argc)});
  // A verdict that could not be printed is none.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::perror("fencepost check: cannot write");
    ended = status::wrong_usage;
  }
  _exit(ended);  // nothing of the program has begun here, so nothing must end
}

void no_constructors(int, char**, char**) {}

}  // namespace
}  // namespace fencepost::programs

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// The program's constructors are run in each execution, not before main().
int __libc_start_main(fencepost::programs::main_function main, int argc, char** argv,
                      void (*)(int, char**, char**), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  fencepost::programs::main_of_program = main;
  using begin = int (*)(fencepost::programs::main_function, int, char**,
                        void (*)(int, char**, char**), void (*)(), void (*)(), void*);
  return fencepost::programs::c_library<begin>("__libc_start_main")(
      &fencepost::programs::check_program, argc, argv, &fencepost::programs::no_constructors, fini,
      rtld_fini, stack_end);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,readability-identifier-naming)
