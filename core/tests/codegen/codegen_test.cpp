// Audit of the generated code: the deque on std_atomics compiles to the instructions of the same
// deque written on std::atomic, and its fast paths have no locked instruction, and no barrier but
// the one that is named.
//
// component.cpp and direct.cpp are compiled to assembly by each compiler for each target; the
// bodies of the functions in operations.hpp, and of what they call, are compared line by line, with
// labels and symbols numbered in order of appearance. A target is skipped, with a message, if its
// compiler or its headers are missing.
//
// scratch.cpp has the fast paths of scratch memory, whose instructions are counted; loops.cpp has
// loops that must be vectorised where those written by hand are; tracing.cpp has the loops of
// workers, which must not read clocks unless they record what they do; counting.cpp has the same
// for what workers count. What these last three say of runtimes is audited for this machine alone;
// with FENCEPOST_CODEGEN_TARGETS=all, as at night, for each target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "targets.hpp"

namespace {

using namespace codegen;

using lines = std::vector<std::string>;

constexpr target all_targets[] = {
    make_target("gcc_x86_64", "g++", x86_64_flags),
    make_target("clang_x86_64", "clang++", x86_64_flags),
    make_target("gcc_aarch64", "g++", ll_sc_flags),
    make_target("clang_aarch64", "clang++", ll_sc_flags),
};

std::vector<target> targets_of_today() {
#if defined(__aarch64__)
  constexpr bool this_is_aarch64 = true;
#else
  constexpr bool this_is_aarch64 = false;
#endif
  const char* const wanted = std::getenv("FENCEPOST_CODEGEN_TARGETS");
  std::vector<target> those;
  for (const target& t : all_targets)
    if (wanted != nullptr || t.is_aarch64() == this_is_aarch64) those.push_back(t);
  return those;
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

bool is_symbol_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

// The functions of an assembly file: instructions and local labels, without directives and
// comments. A function with a second name, as a destructor may have, is listed under both.
std::map<std::string, lines> functions_of(std::istream& assembly) {
  static const std::regex comment{R"((\s+//.*|\s+#\s.*|^//.*|^#.*)$)"};
  static const std::regex second_name{R"(^\.set\s+([^\s,]+),\s*(\S+)$)"};
  std::map<std::string, lines> functions;
  std::set<std::string> names;
  std::map<std::string, std::string> second_names;
  lines* body = nullptr;
  for (std::string raw; std::getline(assembly, raw);) {
    const std::string line = trimmed(std::regex_replace(raw, comment, ""));
    if (line.rfind(".type", 0) == 0 && line.find("function") != std::string::npos) {
      names.insert(trimmed(line.substr(5, line.find(',') - 5)));
    } else if (!line.empty() && line.back() == ':' &&
               names.count(line.substr(0, line.size() - 1))) {
      body = &functions[line.substr(0, line.size() - 1)];
    } else if (line.rfind(".size", 0) == 0) {
      body = nullptr;
    } else if (std::smatch both; std::regex_match(line, both, second_name)) {
      second_names[both[1]] = both[2];
    } else if (body != nullptr && !line.empty() && (line[0] != '.' || line.back() == ':')) {
      body->push_back(line);
    }
  }
  for (const auto& [second, first] : second_names) {
    if (const auto found = functions.find(first); found != functions.end()) {
      const lines copy = found->second;
      functions[second] = copy;
    }
  }
  return functions;
}

struct token {
  std::size_t at;
  std::string text;
  bool is_label() const { return text.rfind(".L", 0) == 0; }
};

std::vector<token> tokens_of(const std::string& line) {
  std::vector<token> tokens;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && is_symbol_char(line[end])) ++end;
    if (end > i) tokens.push_back({i, line.substr(i, end - i)});
    i = std::max(end, i + 1);
  }
  return tokens;
}

bool defines_label(const std::string& line) { return line.back() == ':'; }

// The labels that the instructions of a function name.
std::set<std::string> labels_used(const lines& body) {
  std::set<std::string> used;
  for (const std::string& line : body) {
    if (defines_label(line)) continue;
    for (const token& t : tokens_of(line)) {
      if (t.is_label()) used.insert(t.text);
    }
  }
  return used;
}

// The body of a function, followed by those of the functions that it calls; labels and symbols are
// numbered as they appear, and labels that nothing jumps to are left out.
lines normalised(const std::map<std::string, lines>& functions, const std::string& entry) {
  lines result;
  std::vector<std::string> order{entry};
  std::map<std::string, std::string> names;  // of labels and symbols
  for (std::size_t next = 0; next < order.size(); ++next) {
    const lines& body = functions.at(order[next]);
    const std::set<std::string> used = labels_used(body);
    result.push_back("function " + std::to_string(next) + ":");
    for (const std::string& line : body) {
      if (defines_label(line) && !used.count(line.substr(0, line.size() - 1))) continue;
      std::string text;
      std::size_t done = 0;
      for (const token& t : tokens_of(line)) {
        const bool calls = functions.count(t.text) != 0;
        if (!calls && !t.is_label()) continue;
        const auto [name, is_new] = names.try_emplace(
            t.text, (calls ? "function_" : "label_") + std::to_string(names.size() + 1));
        if (calls && is_new) order.push_back(t.text);
        text += line.substr(done, t.at - done) + name->second;
        done = t.at + t.text.size();
      }
      result.push_back(text + line.substr(done));
    }
  }
  return result;
}

std::string side_by_side(const lines& left, const lines& right) {
  std::ostringstream out;
  out << "   the component on std_atomics                     the same on std::atomic\n";
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    std::string l = i < left.size() ? left[i] : "";
    std::string r = i < right.size() ? right[i] : "";
    std::replace(l.begin(), l.end(), '\t', ' ');
    std::replace(r.begin(), r.end(), '\t', ' ');
    const char* mark = l == r ? "   " : "!  ";
    l.resize(std::max<std::size_t>(l.size(), 46), ' ');
    out << mark << l << "   " << r << '\n';
  }
  return out.str();
}

std::string listing(const lines& body) {
  std::string text = "in\n";
  for (const std::string& line : body) text += "   " + line + '\n';
  return text;
}

// Counts the instructions of this kind in the function itself, not in what it calls.
std::size_t count(const lines& body, const std::regex& kind) {
  return static_cast<std::size_t>(std::count_if(
      body.begin(), body.end(), [&](const auto& line) { return std::regex_search(line, kind); }));
}

class codegen_of : public testing::TestWithParam<target> {
 protected:
  using functions = std::map<std::string, lines>;
  std::string compiler_;

  void SetUp() override {
    compiler_ = compiler_for(GetParam());
    if (compiler_.empty()) GTEST_SKIP() << how_to_install(GetParam());
  }

  static bool is_aarch64() { return GetParam().is_aarch64(); }

  functions compile(const std::string& source, const std::string& optimised = "-O2",
                    const std::string& include = FENCEPOST_CORE_INCLUDE,
                    const std::string& flags = "") const {
    const temporary_file out{std::string(GetParam().name) + "_" + source + ".s"};
    const std::string command = compiler_ + " " + GetParam().flags + " -std=c++20 " + optimised +
                                " " + flags + " -DNDEBUG -I" + include + " -I" + include +
                                "/../src -S -o " + out.path().string() + " " +
                                FENCEPOST_CODEGEN_SOURCES + "/" + source + ".cpp";
    // NOLINTNEXTLINE(cert-env33-c): the commands are the compilers of targets.hpp
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream assembly{out.path()};
    return functions_of(assembly);
  }
};

class codegen_of_runtimes : public codegen_of {};

// For the assembly of x86-64 and of AArch64.
const std::regex barrier{R"(^(mfence|lfence|sfence|dmb|dsb|isb)\b)"};
const std::regex locked{R"(^(lock\b|xchg|stlr|stlxr|stxr|ldaxr|ldxr|cas|ldadd|swp)|__aarch64_)"};

TEST_P(codegen_of, is_that_of_std_atomic_and_waits_for_nothing_but_what_is_named) {
  const functions component = compile("component"), direct = compile("direct");
  std::size_t compared = 0;
  for (const auto& [name, body] : component) {
    if (name.rfind("op_", 0) != 0) continue;
    ASSERT_TRUE(direct.count(name)) << name;
    const lines ours = normalised(component, name);
    const lines theirs = normalised(direct, name);
    EXPECT_TRUE(ours == theirs) << name << ":\n" << side_by_side(ours, theirs);
    EXPECT_GT(ours.size(), 2u) << name << " is empty: the assembly was not understood";
    ++compared;
  }
  EXPECT_EQ(compared, 9u);

  // Push: one release fence, which is no instruction on x86-64. The compiler may duplicate the code
  // that follows the check for room.
  const lines& push = component.at("op_push");
  EXPECT_GE(count(push, barrier), is_aarch64() ? 1u : 0u) << listing(push);
  EXPECT_LE(count(push, barrier), is_aarch64() ? 2u : 0u) << listing(push);
  EXPECT_EQ(count(push, locked), 0u) << listing(push);

  // Pop of a private task: nothing. Raising Lace's split: a plain store.
  for (const char* name : {"op_pop", "op_lace_raise"}) {
    const lines& body = component.at(name);
    EXPECT_EQ(count(body, barrier) + count(body, locked), 0u) << listing(body);
  }

  // Otherwise the checks above would pass on assembly that they do not understand.
  const lines& steal = component.at("op_steal");
  EXPECT_GE(count(steal, locked), 1u) << listing(steal);
  const lines& lower = component.at("op_lace_lower");
  EXPECT_GE(count(lower, barrier) + count(lower, locked), 1u) << listing(lower);
}

// Two loads, a subtraction, a comparison, a branch, an addition and a store, and a move where the
// compiler wants one; the return; and a call of the slow path with three arguments.
TEST_P(codegen_of, of_scratch_memory_is_a_bump_and_a_branch) {
  const std::regex instruction{R"([^:]$)"};
  const std::regex branch{R"(^(j(?!mp)|b\.|b(hi|ls|hs|lo|cs|cc)\b))"};
  const functions scratch = compile("scratch");

  const lines& allocate = scratch.at("op_allocate");
  EXPECT_LE(count(allocate, instruction), 7u + 1 + 1 + 4) << listing(allocate);
  EXPECT_EQ(count(allocate, branch), 1u) << listing(allocate);
  EXPECT_EQ(count(allocate, std::regex{"allocate_slow"}), 1u) << listing(allocate);
  EXPECT_EQ(count(scratch.at("op_mark"), instruction), 3u) << listing(scratch.at("op_mark"));
  EXPECT_EQ(count(scratch.at("op_reset"), instruction), 2u) << listing(scratch.at("op_reset"));
  for (const auto& [name, body] : scratch) {
    if (name.rfind("op_", 0) != 0) continue;
    EXPECT_EQ(count(body, barrier) + count(body, locked), 0u) << listing(body);
  }
}

// Each function, or what it calls, adds vectors. g++ 12 vectorises no such loop with -O2.
TEST_P(codegen_of_runtimes, of_loops_over_integers_is_vectorised) {
  const std::regex vectors{R"(^(v?paddd|v?paddb|add\s+v[0-9]+\.(4s|16b)))"};
  const functions loops = compile("loops", "-O3");
  std::size_t vectorised = 0;
  for (const auto& [name, body] : loops) {
    if (name.rfind("op_", 0) != 0) continue;
    const lines code = normalised(loops, name);
    EXPECT_NE(count(code, vectors), 0u) << name << " is " << listing(code);
    ++vectorised;
  }
  EXPECT_EQ(vectorised, 8u * 4 + 1 + 2);
}

// A span of a runtime that records nothing is only the call, and its loops read no clock.
TEST_P(codegen_of_runtimes, of_what_is_not_recorded_is_nothing) {
  const std::regex clock{"steady_clock3now"};
  const std::regex instruction{R"([^:]$)"};
  const functions tracing = compile("tracing");
  for (const char* name : {"pool", "fork_join", "span"}) {
    const lines without = normalised(tracing, std::string("op_untraced_") + name);
    EXPECT_EQ(count(without, clock), 0u) << name << " is " << listing(without);
    const lines with = normalised(tracing, std::string("op_traced_") + name);
    EXPECT_GE(count(with, clock), 2u) << name << " is " << listing(with);
  }
  // In runners, the function that runs a posted task.
  std::size_t runners = 0;
  for (const auto& [name, body] : tracing) {
    if (name.find("basic_task_runner") == std::string::npos) continue;
    if (name.find("run_postedEv") == std::string::npos) continue;
    const bool traced = name.find("task_runner_featuresELb1E") != std::string::npos;
    const lines code = normalised(tracing, name);
    EXPECT_EQ(count(code, clock) != 0, traced) << name << " is " << listing(code);
    ++runners;
  }
  EXPECT_EQ(runners, 4u);
  const lines& span = tracing.at("op_untraced_span");
  EXPECT_LE(count(span, instruction), 2u) << listing(span);
}

// Copies a folder without the statements that count; returns the number of those statements.
std::size_t copy_without_counting(const std::filesystem::path& from,
                                  const std::filesystem::path& to) {
  static const std::regex counts{R"([\w.>-]*\bcounters_\.count\w*\([^;]*\);)"};
  std::size_t removed = 0;
  std::filesystem::create_directories(to);
  for (const auto& each : std::filesystem::recursive_directory_iterator{from}) {
    const auto copy = to / std::filesystem::relative(each.path(), from);
    if (each.is_directory()) {
      std::filesystem::create_directories(copy);
      continue;
    }
    std::ifstream file{each.path()};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    removed += static_cast<std::size_t>(
        std::distance(std::sregex_iterator{text.begin(), text.end(), counts}, {}));
    std::ofstream{copy} << std::regex_replace(text, counts, "");
  }
  return removed;
}

// Runtimes that do not count compile to the same code as without the statements that count.
TEST_P(codegen_of_runtimes, of_what_is_not_counted_is_nothing) {
  const temporary_file copy{std::string(GetParam().name) + "_without_counting"};
  const std::filesystem::path core = std::filesystem::path{FENCEPOST_CORE_INCLUDE} / "..";
  EXPECT_GE(copy_without_counting(core / "include", copy.path() / "include") +
                copy_without_counting(core / "src", copy.path() / "src"),
            20u);
  // The register allocation and inlining of g++ depend on calls of empty functions and on the rest
  // of the file. So with g++, only the operations of the pool are compared, compiled alone.
  const bool clang = std::string_view{GetParam().compiler} == "clang++";
  const std::string alone = clang ? "" : "-DFENCEPOST_POOL_ALONE";
  const functions real = compile("counting", "-O2", FENCEPOST_CORE_INCLUDE, alone);
  const functions bare = compile("counting", "-O2", (copy.path() / "include").string(), alone);
  std::size_t compared = 0;
  const auto compare = [&](const std::string& name) {
    ASSERT_TRUE(bare.count(name)) << name;
    const lines ours = normalised(real, name), theirs = normalised(bare, name);
    EXPECT_TRUE(ours == theirs) << name << ", and without counting:\n"
                                << side_by_side(ours, theirs);
    ++compared;
  };
  for (const auto& [name, body] : real) {
    if (name.ends_with(".cold")) continue;
    if (name.rfind("op_silent_", 0) == 0) {
      compare(name);
      // It also differs from the function that counts.
      const std::string counting = "op_counting_" + name.substr(std::strlen("op_silent_"));
      EXPECT_FALSE(normalised(real, name) == normalised(real, counting)) << name;
    } else if (clang && name.find("17basic_task_runner") != std::string::npos &&
               name.find("task_runner_featuresEE") != std::string::npos) {
      compare(name);
    }
  }
  EXPECT_GE(compared, clang ? 7u + 5 : 4u) << "the names of the functions were not understood";
}

INSTANTIATE_TEST_SUITE_P(all, codegen_of, testing::ValuesIn(all_targets),
                         [](const auto& each) { return std::string(each.param.name); });
INSTANTIATE_TEST_SUITE_P(all, codegen_of_runtimes, testing::ValuesIn(targets_of_today()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
