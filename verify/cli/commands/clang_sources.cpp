#include "commands/clang_sources.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

namespace fencepost::cli {
namespace {

// Options that take the next word as their value.
constexpr std::string_view with_a_word[] = {
    "-D",           "-U",      "-I",         "-include",    "-imacros",
    "-isystem",     "-iquote", "-idirafter", "-isysroot",   "-iprefix",
    "-iwithprefix", "-target", "--param",    "-Xassembler", "-Xpreprocessor",
    "-include-pch", "-B",      "--sysroot",  "-iframework", "-isystem-after",
    "-resource-dir"};
// Options that are left out, since they concern only what is done with the code.
constexpr std::string_view left_out_with_a_word[] = {
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-L", "-l", "-u", "-z", "-e", "-T", "-Xlinker", "-framework"};
constexpr std::string_view left_out[] = {"-c",   "-S",  "-M",  "-MM",       "-MD",
                                         "-MMD", "-MP", "-MG", "-emit-llvm"};

// Options with which clang compiles nothing, or prints only names of files.
constexpr std::string_view without_code[] = {"-E",   "-M",       "-MM", "-fsyntax-only",
                                             "-###", "--version"};
constexpr std::string_view endings_of_sources[] = {
    ".c",   ".C",  ".cc", ".CC",   ".cp",  ".cxx",  ".CXX",  ".cpp", ".CPP",
    ".c++", ".i",  ".ii", ".cppm", ".ccm", ".cxxm", ".c++m", ".iim", ".ixx",
    ".ll",  ".bc", ".m",  ".mm",   ".M",   ".mi",   ".mii"};

bool is_one_of(std::string_view word, std::span<const std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

bool is_source(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string_view::npos && is_one_of(name.substr(dot), endings_of_sources);
}

}  // namespace

std::vector<source_question> questions_for(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  struct source {
    std::string file, language;
  };
  std::vector<source> sources;
  std::string language;
  const auto end = arguments.end();
  for (auto a = arguments.begin(); a != end; ++a) {
    if (is_one_of(*a, without_code) || (*a == "-v" && arguments.size() == 1)) return {};
    if (is_one_of(*a, left_out)) continue;
    if (is_one_of(*a, left_out_with_a_word)) {
      if (a + 1 != end) ++a;
    } else if (*a == "-x") {
      if (a + 1 != end) language = *++a;
    } else if (a->starts_with("-x")) {
      language = a->substr(2);
    } else if (is_one_of(*a, with_a_word)) {
      kept.push_back(*a);
      if (a + 1 != end) kept.push_back(*++a);
    } else if (a->starts_with("-o") || a->starts_with("-Wl,") || a->starts_with("-l") ||
               a->starts_with("-L")) {
      continue;
    } else if (a->starts_with("-") && *a != "-") {
      kept.push_back(*a);
    } else if ((!language.empty() && language != "none") || is_source(*a)) {
      sources.push_back({*a, language == "none" ? "" : language});
    }
  }
  std::vector<source_question> all;
  for (const source& s : sources) {
    source_question& q = all.emplace_back(source_question{s.file, kept});
    if (!s.language.empty()) q.arguments.insert(q.arguments.end(), {"-x", s.language});
    q.arguments.insert(q.arguments.end(), {s.file, "-S", "-emit-llvm", "-g0", "-w", "-o", "-"});
  }
  return all;
}

}  // namespace fencepost::cli
