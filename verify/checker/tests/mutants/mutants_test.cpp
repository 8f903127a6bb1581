// Tests of the tests: with any fault of mutants.cmake in the explorer, a known result comes out
// wrong. Each fault is tried in a process of its own, since it may crash or run forever.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "known_results.hpp"

namespace fencepost::verify {

unsigned mutant = 0;

namespace testing {
namespace {

struct fault {
  unsigned number;
  const char* file;
  const char* what;
};

// What GoogleTest shows of a fault.
std::ostream& operator<<(std::ostream& out, const fault& f) { return out << f.what; }

constexpr fault faults[] = {
    {0, "", "none"},
#include "names.inc"
};

constexpr const char* seen_by_recheck[] = {
    "none",
    "a revisit may delete events that were not added maximally",
    "a write may revisit a read that coherence keeps from reading it",
    "a read-modify-write may revisit a read that coherence keeps from reading it",
    "a revisiting read-modify-write ignores that another one has the same source",
    "a read is maximal whatever it reads",
    "a second field that is there is revisited",
    "a read is revisited although it waits for its second field",
    "a write is maximal although an older read reads it",
    "a spurious failure is maximal",
    "any choice is maximal",
    "the readers are not restored when a revisit is undone",
    "a write may be placed between a read-modify-write and its source",
    "a spurious failure stays when the source changes",
    "a spurious failure acquires as a success",
    "a changed source is not checked against the order of seq_cst",
    "a changed position is not checked against the order of seq_cst",
    "a whole-word read may take halves of different writes",
    "an acquire by one half of a word does not constrain the source of the other half",
    "whole-word writes may be ordered differently in each half",
    "two read-modify-writes may read the same write",
    "a read-modify-write's write comes last, not behind its source",
    "a read may read a write overwritten by one that happens before the read",
    "a read may read older writes than a read that happened before",
    "a failed compare-exchange has its success order",
    "an acquire fence does not synchronize",
    "a release fence does not synchronize",
    "a release sequence ends at a read-modify-write",
    "a join does not synchronize",
    "a read does not come before the writes that overwrite its source",
    "a fence after an access does not hand its order on",
    "a fence before an access does not hand its order on",
    "a write does not come before its readers and the next writes",
    "accesses that happen before each other are ordered only at one location",
    "a change behind a fence is not checked",
    "two drawn read-modify-writes may read the same write",
    "sources are not checked for the order of seq_cst",
    "a drawn write may be placed between a read-modify-write and its source",
    "halves of different writes are drawn",
    "drawn halves may be older than what has been acquired",
};

// Limits on the process that tries a fault: processor time, also of each process that it starts,
// and time by the clock, in case it waits forever.
constexpr unsigned processor_seconds = 120;
constexpr unsigned seconds_for_each = 300;

// Returns what the fault does to the known results, or "" if it goes unnoticed.
template <class Wrong>
std::string effect_of(unsigned number, Wrong anything_wrong) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(seconds_for_each);
    const rlimit bound{processor_seconds, processor_seconds};
    setrlimit(RLIMIT_CPU, &bound);
    mutant = number;
    const std::string wrong = anything_wrong().substr(0, 1000);
    const auto written = write(ends[1], wrong.data(), wrong.size());
    _exit(written == static_cast<ssize_t>(wrong.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string effect;
  char buffer[1024];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    effect.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return std::string("the checker ends by: ") + strsignal(WTERMSIG(status));
  return effect.substr(0, effect.find('\n'));
}

std::string name_of(const ::testing::TestParamInfo<fault>& f) {
  std::string name = f.param.what;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

class mutants : public ::testing::TestWithParam<fault> {};

TEST_P(mutants, are_noticed) {
  const std::string effect =
      effect_of(GetParam().number, [] { return anything_wrong(GetParam().file); });
  if (GetParam().number == 0) {
    EXPECT_EQ(effect, "") << "without any fault";
    return;
  }
  EXPECT_NE(effect, "") << GetParam().file << ": " << GetParam().what << ": nothing came out wrong";
  std::printf("  %s\n  -> %s\n", GetParam().what, effect.c_str());
}

INSTANTIATE_TEST_SUITE_P(all, mutants, ::testing::ValuesIn(faults), name_of);

// Recheck alone notices the faults by which the explorer visits what the model forbids, or visits a
// graph twice, without knowing counts or states. It cannot notice what is not visited.
std::vector<fault> that_let_too_much_through() {
  std::vector<fault> those;
  for (const std::string_view name : seen_by_recheck)
    for (const fault& f : faults)
      if (name == f.what) those.push_back(f);
  return those;
}

class mutants_that_let_too_much_through : public ::testing::TestWithParam<fault> {};

TEST_P(mutants_that_let_too_much_through, are_noticed_by_recheck) {
  const std::string what = GetParam().what;
  const std::string effect = effect_of(GetParam().number, anything_rejected);
  if (GetParam().number == 0) {
    EXPECT_EQ(effect, "") << "without any fault";
    return;
  }
  EXPECT_NE(effect, "") << GetParam().file << ": " << what << ": no graph was rejected";
  EXPECT_FALSE(effect.starts_with("the checker ends")) << what << ": " << effect;
  std::printf("  %s\n  -> %s\n", what.c_str(), effect.c_str());
}

INSTANTIATE_TEST_SUITE_P(all, mutants_that_let_too_much_through,
                         ::testing::ValuesIn(that_let_too_much_through()), name_of);

TEST(mutants_seen_by_recheck, are_among_those_planted) {
  EXPECT_EQ(that_let_too_much_through().size(), std::size(seen_by_recheck));
}

}  // namespace
}  // namespace testing
}  // namespace fencepost::verify
