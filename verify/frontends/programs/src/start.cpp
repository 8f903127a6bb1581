// The beginning of a program: instead of its main(), the exploration of it is run.

#include <fcntl.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "c_library.hpp"
#include "compiler.hpp"
#include "departure.hpp"
#include "execute/thread_pointer.hpp"
#include "fencepost/verify/annotation.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/report.hpp"
#include "heap.hpp"
#include "imports.hpp"
#include "machine_report.hpp"
#include "session.hpp"
#include "settings.hpp"
#include "tests.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;

// The exit status of a check.
enum status : int { as_expected = 0, unexpected = 1, wrong_usage = 2, incomplete = 3 };

using main_function = int (*)(int, char**, char**);
main_function main_of_program = nullptr;

// Arguments, which a program may change: each execution has its own.
class arguments {
 public:
  explicit arguments(std::span<char*> given) {
    for (const char* const a : given) {
      offsets_.push_back(original_.size());
      original_.insert(original_.end(), a, a + std::strlen(a) + 1);
    }
    bytes_.resize(original_.size());
    pointers_.resize(given.size() + 1);
  }
  char** for_execution() {
    std::memcpy(bytes_.data(), original_.data(), original_.size());
    for (std::size_t i = 0; i < offsets_.size(); ++i) pointers_[i] = bytes_.data() + offsets_[i];
    pointers_.back() = nullptr;
    return pointers_.data();
  }
  [[nodiscard]] int count() const noexcept { return static_cast<int>(offsets_.size()); }

 private:
  std::vector<char> original_, bytes_;
  std::vector<std::size_t> offsets_;
  std::vector<char*> pointers_;
};

struct main_call {
  int count;
  char** arguments;
  int status;
};
void call(main_call& m) { m.status = main_of_program(m.count, m.arguments, environ); }

// The thread of main() has called pthread_exit(): the program ends with the last of the others.
void await_the_others(session& s) {
  session::destroy_specific();
  const entered waits;
  s.take_up_writes();
  for (unsigned thread = 1; thread <= s.created(); ++thread) engine::current()->join(thread, {});
}

// One execution.
void run(session& s, arguments& given) {
  char** argv = nullptr;
  {
    const entered begins;
    s.begin_execution(__builtin_frame_address(0));
    heap::begin_execution();
    tests::begin_execution();
    argv = given.for_execution();
  }
  for (const image::constructor c : s.program().constructors()) c(given.count(), argv, environ);
  main_call main{given.count(), argv, 0};
  const departure how =
      run_until_it_leaves([](void* m) { call(*static_cast<main_call*>(m)); }, &main);
  session::end_thread();
  if (!how.returned && !s.has_exited()) await_the_others(s);
  while (!s.to_call_at_exit().empty()) {
    const session::at_exit f = s.to_call_at_exit().back();
    s.to_call_at_exit().pop_back();
    f.function(f.argument);
  }
  for (const image::destructor d : s.program().destructors()) d();
  const entered ends;
  s.take_up_writes();
  if (main.status == 0) return;
  const std::string text = "main() returns " + std::to_string(main.status);
  engine::current()->fail(violation::assertion, text, {});
}

// Signals that ask for the end: the exploration stops with what it has found. The second one ends
// the process.
void heed_interrupts() {
  struct sigaction stop {};
  stop.sa_handler = [](int) { session::interrupt(); };
  // Not on the stack of the thread that is under way.
  stop.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK | SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &stop, nullptr);
  }
}

// What the program shows while it is explored is shown nowhere.
class silence {
 public:
  silence() : out_(dup(STDOUT_FILENO)), error_(dup(STDERR_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  ~silence() {
    std::fflush(nullptr);
    dup2(out_, STDOUT_FILENO);
    dup2(error_, STDERR_FILENO);
    close(out_);
    close(error_);
  }
  silence(const silence&) = delete;
  silence& operator=(const silence&) = delete;

 private:
  int out_, error_;
};

verify::result incomplete_result(verify::result r, const std::string& why) {
  r.outcome = verify::verdict::incomplete;
  r.violation.reset();
  r.limit = why;
  return r;
}

// Again from the beginning as long as more becomes known of the program's memory: what an execution
// comes to in which it does counts for nothing. The limit of time is that of all together.
verify::result explore(session& s, verify::options o, arguments& given) {
  using std::chrono::steady_clock;
  const silence no_output;
  o.stop = &s.stop();
  const auto end = steady_clock::now() + o.timeout;
  for (;;) {
    s.begin_exploration();
    verify::result r = verify::check(o, [&] { run(s, given); });
    if (!s.is_to_restart())
      return s.limit().empty() ? r : incomplete_result(std::move(r), s.limit());
    if (session::interrupted()) return incomplete_result(std::move(r), "interrupted");
    if (o.timeout.count() == 0) continue;
    o.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(end - steady_clock::now());
    if (o.timeout.count() <= 0) return incomplete_result(std::move(r), "timeout");
  }
}

// Comes to the counterexample again, for a debugger (verify/replay.hpp), with what is known of the
// program's memory by now.
// "", or why not.
std::string replay(session& s, verify::options o, arguments& given,
                   const verify::counterexample& c) {
  if (!c.no_path.empty()) return why_not_replayed(c);
  o.replay = c.path;
  o.priorities = c.priorities;
  const verify::result again = explore(s, o, given);
  return again.violation && again.violation->kind == c.kind ? ""
                                                            : "the violation was not met again";
}

std::string in_one_line(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What these do with the program's memory is seen only where the C library copies or compares it.
std::string not_watched(const image& program) {
  std::vector<std::string> libraries = program.libraries();
  std::erase_if(libraries, [](const std::string& l) { return l.starts_with("libfencepost_"); });
  return "Not watched for races: what happens in " + in_one_line(libraries) + ".";
}

std::string counted(unsigned n, const char* what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

// What happens by chance, or takes its time, is explored that often.
std::string limits(const verify::options& o) {
  return "Explored in one execution: at most " + counted(o.spurious_failures, "spurious failure") +
         ", " + counted(o.spurious_wakeups, "spurious wake-up") + " and " +
         counted(o.timeouts, "time-out") + ".";
}

// Of a check that does not come out as expected.
std::string annotation(const std::string& name, const verify::result& r) {
  if (!r.violation) return verify::github_error({}, name + ": a violation was expected");
  const verify::counterexample& c = *r.violation;
  std::string text = name + ": " + std::string(to_string(c.kind)) + ": " + c.message;
  if (const std::string why = what_went_wrong(c); !why.empty()) text += ". " + why;
  return verify::github_error(verify::annotated_place(c), text);
}

// As GoogleTest lists them.
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
  const char* const why = r.violation ? "what main() does before RUN_ALL_TESTS() is violated"
                                      : "main() does not call RUN_ALL_TESTS() of gtest/gtest.h";
  std::fprintf(stderr, "%s: its tests cannot be listed: %s\n", name.c_str(), why);
  return status::wrong_usage;
}

int check(std::span<char*> given) {
  const char* const wanted = std::getenv("FENCEPOST_CHECK");
  settings wants;
  try {
    wants = settings_from(wanted == nullptr ? "" : wanted);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return status::wrong_usage;
  }
  verify::options& o = wants.exploration;
  o.name = given.empty() ? "program" : given.front();
  o.name.erase(0, o.name.rfind('/') + 1);
  image program;
  if (const std::vector<std::string> wrong = refused(program); !wrong.empty()) {
    std::fprintf(stderr, "%s cannot be checked. It uses what is not modelled:\n", o.name.c_str());
    for (const std::string& what : wrong) std::fprintf(stderr, "  %s\n", what.c_str());
    return status::wrong_usage;
  }
  __libc_single_threaded = 0;  // shared_ptr and others count atomically
  program.keep_variables();
  arguments of_each(given);
  thread_locals locals;
  verify::thread_pointer::is_swapped = !locals.empty();
  session s(program, locals, o.stack_size);
  s.begin();
  o.name_of = [&s](const void* p) { return s.variable_at(p); };
  heed_interrupts();
  tests::list_them(wants.lists_tests);
  const verify::result r = explore(s, o, of_each);
  if (!tests::refusal().empty()) {
    std::fprintf(stderr, "%s: %s\n", o.name.c_str(), tests::refusal().c_str());
    return status::wrong_usage;
  }
  if (tests::are_listed()) return list_tests(wants.report);
  if (wants.lists_tests) return no_list(o.name, r);
  if (wants.replays && r.violation) {
    if (const std::string why = replay(s, o, of_each, *r.violation); !why.empty()) {
      std::fprintf(stderr, "%s: %s\n", o.name.c_str(), why.c_str());
      return status::wrong_usage;
    }
  }
  const std::vector<std::string> compilers = compilers_of_program();
  if (wants.report >= 0) write_report(wants.report, r, compilers, is_optimized());
  for (const auto& [outcome, count] : r.outcomes)
    std::printf("%llu: %s\n", static_cast<unsigned long long>(count), outcome.c_str());
  verify::text_style style;
  style.names_options = false;  // they are those of scenarios
  style.max_steps = wants.steps;
  style.own_data = false;
  std::printf("%s\n%s\n%s\n", to_text(r, style).c_str(), limits(o).c_str(),
              not_watched(program).c_str());
  if (!compilers.empty()) std::printf("Compiled by %s.\n", in_one_line(compilers).c_str());
  if (is_optimized())
    std::printf(
        "Compiled with optimization: accesses that the compiler has removed are not watched, such "
        "as\n"
        "reads of what nobody uses. Without -O they are.\n");
  if (r.threads > 1 && r.atomics == 0)
    std::printf(
        "No atomic object, mutex or the like was met in %u threads: what assembly code does is not "
        "seen.\n",
        r.threads);
  if (s.has_failed_assumptions())
    std::printf("Not covered: executions in which an assumption of the program does not hold.\n");
  if (r.outcome == verify::verdict::incomplete) return status::incomplete;
  const bool wrong = r.outcome == verify::verdict::violated;
  if (wrong != wants.expects_violation && verify::is_in_github_actions())
    std::printf("%s\n", annotation(o.name, r).c_str());
  if (wants.expects_violation)
    std::printf("%s\n",
                wrong ? "Violated, as expected." : "A violation was expected: there is none.");
  return wrong == wants.expects_violation ? status::as_expected : status::unexpected;
}

int check_program(int argc, char** argv, char**) {
  int ended = check({argv, static_cast<std::size_t>(argc)});
  // A verdict that nobody could read is none.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::perror("fencepost check: cannot write");
    ended = status::wrong_usage;
  }
  _exit(ended);  // nothing of the program has begun: nothing of it is to end
}

void no_constructors(int, char**, char**) {}

}  // namespace
}  // namespace fencepost::programs

using fencepost::violation;
using fencepost::programs::engine;
using fencepost::programs::entered;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// The program's constructors are not run before main(), but in each execution.
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

int __cxa_atexit(void (*function)(void*), void* argument, void* object) noexcept {
  const entered s;
  if (!s || !s->program().contains(__builtin_return_address(0)))
    return FENCEPOST_BEHIND(__cxa_atexit)(function, argument, object);
  s->call_at_exit({function, argument}, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

int __cxa_thread_atexit(void (*function)(void*), void* argument, void* object) noexcept {
  const entered s;
  if (!s || !s->program().contains(__builtin_return_address(0)))
    return FENCEPOST_BEHIND(__cxa_thread_atexit)(function, argument, object);
  s->call_at_end_of_thread({function, argument}, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

void exit(int status) noexcept {
  if (const entered s; s) {
    const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
    s->take_up_writes();
    if (status == 0) fencepost::programs::leave_main(*s, where);
    engine::current()->fail(violation::assertion, "exit() with a status that is not 0", where);
  }
  FENCEPOST_BEHIND(exit)(status);
  __builtin_unreachable();
}

void abort() noexcept {
  if (const entered s; s)
    engine::current()->fail(violation::crash, "abort()", s->place(FENCEPOST_CALL_SITE));
  FENCEPOST_BEHIND(abort)();
  __builtin_unreachable();
}

[[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                const char* function) noexcept {
  if (const entered s; s) {
    const std::string text = std::string("assert(") + expression + ")";
    engine::current()->fail(violation::assertion, text, {file, function, line, 0});
  }
  FENCEPOST_BEHIND(__assert_fail)(expression, file, line, function);
  __builtin_unreachable();
}

// An outcome of this execution, for tests of the checker.
void fencepost_outcome(const char* text) {
  if (const entered s; s) {
    s->take_up_writes();
    engine::current()->record_outcome(text);
  }
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,readability-identifier-naming)
