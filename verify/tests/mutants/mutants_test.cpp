// Tests of the tests: with any fault of mutants.cmake in the explorer, a known result comes out
// wrong. Each fault is tried in a process of its own, since it may crash or run forever.
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../../litmus/tests/lengthened.hpp"
#include "../alike_programs.hpp"
#include "../known_programs.hpp"
#include "../programs.hpp"
#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"

namespace fencepost::verify {

unsigned mutant = 0;

namespace testing {
namespace {

struct fault {
  unsigned number;
  const char* file;
  const char* what;
};

// What GoogleTest shows of it.
std::ostream& operator<<(std::ostream& out, const fault& f) { return out << f.what; }

constexpr fault faults[] = {
    {0, "", "none"},
#include "names.inc"
};

constexpr unsigned seconds_for_each = 60;

// A litmus test with the number of its executions and its states under one model.
struct expectation {
  std::string file;
  memory_model model;
  std::uint64_t executions;
  std::set<std::string> states;
};

std::vector<expectation> known_states() {
  const std::string folder = FENCEPOST_LITMUS_TESTS;
  std::vector<expectation> all;
  std::ifstream lines(folder + "/expected.jsonl");
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const auto test = nlohmann::json::parse(line);
    for (const memory_model m : all_models) {
      expectation e{folder + "/" + std::string(test["file"]), m, test["executions"],
                    test["states"].get<std::set<std::string>>()};
      if (m != memory_model::rc11) {
        const auto& other = test["alt"][m == memory_model::rc20 ? "rc11_rs20" : "cpp20"];
        e.executions = other["executions"];
        if (!other["states_same"]) {
          for (const auto& s : other["extra"]) e.states.insert(s);
          for (const auto& s : other["missing"]) e.states.erase(s);
        }
      }
      all.push_back(std::move(e));
    }
  }
  return all;
}

std::string wrong_states(const expectation& expected, bool long_ones = false) {
  litmus::program p = litmus::parse_file(expected.file);
  if (long_ones) p = litmus::testing::lengthened(p);
  litmus::explore_options o;
  o.model = expected.model;
  o.max_executions = 100 + 100 * expected.executions;
  std::vector<std::uint64_t> graphs;
  o.on_graph = [&](std::uint64_t graph) { graphs.push_back(graph); };
  const litmus::outcome_set got = litmus::explore(p, o);
  const std::string where = p.name + " under " + std::string(to_string(expected.model));
  if (got.executions != expected.executions)
    return where + ": " + std::to_string(got.executions) + " executions instead of " +
           std::to_string(expected.executions);
  std::set<std::string> states;
  for (const auto& [state, count] : got.states) states.insert(litmus::spell(p, state));
  if (states != expected.states) return where + ": other states";
  std::sort(graphs.begin(), graphs.end());
  if (std::adjacent_find(graphs.begin(), graphs.end()) != graphs.end())
    return where + ": a graph is visited twice";
  return "";
}

// What comes out wrong, or "".
std::string anything_wrong() {
  for (const known_program& p : programs_of_known_count())
    if (std::string wrong = wrong_count(p); !wrong.empty()) return wrong;
  for (const expectation& e : known_states())
    if (std::string wrong = wrong_states(e); !wrong.empty()) return wrong;
  for (const known_program& p : programs_of_every_kind())
    if (std::string wrong = wrong_count(after_threads(p, 16)); !wrong.empty()) return wrong;
  for (const expectation& e : known_states()) {
    constexpr std::uint64_t few = 40;
    if (e.executions > few) continue;
    if (std::string wrong = wrong_states(e, true); !wrong.empty()) return wrong;
  }
  for (known_program p : programs_of_every_kind()) {
    for (const memory_model m : all_models) {
      p.bounds.model = m;
      if (std::string wrong = wrong_count(p); !wrong.empty()) return wrong;
      if (std::string wrong = wrong_under_other_priorities(p); !wrong.empty()) return wrong;
    }
  }
  for (const known_program& p : programs_of_every_kind()) {
    if (std::string wrong = wrong_within_bounds(p); !wrong.empty()) return wrong;
    if (std::string wrong = wrong_draws(p); !wrong.empty()) return wrong;
  }
  for (const alike_program& p : programs_of_alike_threads())
    if (std::string wrong = wrong_classes(p, p.bounds); !wrong.empty()) return wrong;
  return "";
}

// What the fault does to the known results, or "" if it goes unnoticed.
std::string effect_of(unsigned number) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(seconds_for_each);
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

class mutants : public ::testing::TestWithParam<fault> {};

TEST_P(mutants, are_noticed) {
  const std::string effect = effect_of(GetParam().number);
  if (GetParam().number == 0) {
    EXPECT_EQ(effect, "") << "without any fault";
    return;
  }
  EXPECT_NE(effect, "") << GetParam().file << ": " << GetParam().what << ": nothing came out wrong";
  std::printf("  %s\n  -> %s\n", GetParam().what, effect.c_str());
}

std::string name_of(const ::testing::TestParamInfo<fault>& f) {
  std::string name = f.param.what;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(all, mutants, ::testing::ValuesIn(faults), name_of);

}  // namespace
}  // namespace testing
}  // namespace fencepost::verify
