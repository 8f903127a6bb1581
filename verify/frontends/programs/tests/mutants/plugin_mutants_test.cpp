// Each fault planted in the GCC plugin changes the verdict on a program that is compiled with it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "planted_fault.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

constexpr planted_fault faults[] = {
#include FENCEPOST_PLUGIN_FAULTS
};

// The program that notices the fault; its exit status without the fault, and words that it prints.
struct noticed {
  std::string_view what;
  const char* program;
  int status;
  const char* says;
  const char* source = "structures.cpp";
  const char* option = "";
};
constexpr noticed all[] = {
    {"what is passed is not copied", "passed_12", 1, "data race"},
    {"what is returned is not copied", "returned_12", 1, "data race"},
    {"variables of a function are its own", "returned_into_a_variable_of_another", 1, "data race"},
    {"structures with constructors are copied", "returned_with_a_constructor", 0, "verified"},
    {"structures of any size are copied", "passed", 1, "data race", "structures.c"},
    {"what is returned by a call that may throw is lost", "kept_where_it_may_throw", 0, "verified"},
    {"variables of nested functions are nobody's", "counts_unlocked/NULL", 1, "data race",
     "nested_functions.c"},
    {"what assembly code reads is not announced", "read_by_assembly", 1, "data race",
     "structures.c"},
    {"what assembly code writes is not announced", "written_by_assembly", 1, "data race",
     "structures.c"},
    {"what functions of the machine are given is not announced", "written_by_a_function", 1,
     "data race", "structures.c"},
    {"what functions of the machine are given is written", "read_beside_by_a_function", 0,
     "verified", "structures.c"},
    {"any assembly code accesses what it names", "named_by_no_instruction", 0, "verified",
     "structures.c"},
    {"what is copied in any size is copied in line", "copied_of_any_size", 1, "data race",
     "structures.c"},
    {"blocks do not end", "read_after_its_block", 1, "use after free", "ended_blocks.cpp"},
    {"constants of a block are not known to begin", "temporary_after_its_statement", 1,
     "use after free", "ended_blocks.cpp"},
    {"blocks that an exception leaves do not end", "block_is_left_by_an_exception", 1,
     "use after free", "ended_blocks.cpp"},
    {"the plugin is at work where assignments may throw", "returned_under_a_lock", 0, "'s = f();'",
     "structures.cpp", "-fnon-call-exceptions"},
};

// Returns the compiler's run if the program cannot be compiled.
program_run compile_and_check(const noticed& n, unsigned number) {
  const std::string source = n.source;
  const std::string to = ::testing::TempDir() + "structures." + std::to_string(getpid());
  const std::string compiler = source.ends_with(".c") ? FENCEPOST_CC : FENCEPOST_CXX;
  const program_run compiled =
      run_command("FENCEPOST_MUTANT=" + std::to_string(number) + ' ' + compiler + ' ' + n.option +
                  " -fplugin=" FENCEPOST_FAULTY_PLUGIN " " FENCEPOST_PROGRAM_SOURCES "/" + source +
                  " -o " + to);
  program_run checked = compiled.status == 0 ? check("timeout 60 " + to, n.program) : compiled;
  std::remove(to.c_str());
  return checked;
}

bool is_as_without_fault(const noticed& n, const program_run& got) {
  return got.status == n.status && got.out.find(n.says) != std::string::npos;
}

TEST(faults_in_the_plugin, are_noticed) {
  for (const noticed& n : all) {
    SCOPED_TRACE(n.what);
    const std::string without = FENCEPOST_PROGRAMS "/" + std::string(n.source) + ".program";
    const planted_fault* const f = find_fault(faults, n.what);
    ASSERT_NE(f, nullptr);
    const bool has_options = *n.option != '\0';
    EXPECT_TRUE(
        is_as_without_fault(n, has_options ? compile_and_check(n, 0) : check(without, n.program)));
    EXPECT_FALSE(is_as_without_fault(n, compile_and_check(n, f->number)));
  }
}

TEST(every_fault_in_the_plugin, has_a_program_that_notices_it) {
  EXPECT_EQ(names_of(faults), names_of(all));
}

}  // namespace
}  // namespace fencepost::programs::testing
