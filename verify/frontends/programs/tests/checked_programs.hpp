// The programs that are checked, and what is expected of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <regex>
#include <string>

#include "program_run.hpp"

namespace fencepost::programs::testing {

inline constexpr int verified = 0, violated = 1, refused = 2, incomplete = 3;

// The programs are compiled by g++, or by clang (by_clang.sh), with nearly the same expectations.
inline const char* const by_clang = std::getenv("FENCEPOST_PROGRAMS_BY_CLANG");
inline const std::string programs = by_clang == nullptr ? FENCEPOST_PROGRAMS : by_clang;

inline const std::string features = programs + "/features.cpp.program";
inline const std::string accesses = programs + "/watched_accesses.cpp.program";
inline const std::string meetings = programs + "/meetings.cpp.program";
inline const std::string synchronization = programs + "/synchronization.cpp.program";
inline const std::string waits = programs + "/program_waits.cpp.program";
inline const std::string library_code = programs + "/library_code.cpp.program";
inline const std::string thread_locals = programs + "/own_variables.cpp.program";
inline const std::string timed = programs + "/timed.cpp.program";
inline const std::string locks_together = programs + "/locks_together.cpp.program";
inline const std::string futures = programs + "/futures.cpp.program";
inline const std::string stops = programs + "/stop_requests.cpp.program";
inline const std::string posix = programs + "/posix.cpp.program";
inline const std::string pointers = programs + "/atomic_pointers.cpp.program";
inline const std::string wide = programs + "/wide.cpp.program";
inline const std::string destroyed = programs + "/destroyed.cpp.program";
inline const std::string uncaught = programs + "/thrown.cpp.program";
inline const std::string virtual_calls = programs + "/virtual_calls.cpp.program";
inline const std::string storage = programs + "/ended_memory.cpp.program";
inline const std::string read_locks = programs + "/read_locks.cpp.program";
inline const std::string unwritten = programs + "/unwritten.cpp";
inline const std::string unwritten_in_c = programs + "/unwritten.c";
inline const std::string tested = programs + "/tested_queue.cpp.program";
inline const std::string tested_by_main = programs + "/tested_by_main.cpp.program";
inline const std::string features_in_c = programs + "/features.c.program";

// Returns "FILE:LINE" of the first line with this text.
inline std::string line_with(const std::string& text, const std::string& file = "features.cpp") {
  std::ifstream source(FENCEPOST_PROGRAM_SOURCES "/" + file);
  std::string line;
  for (int n = 1; std::getline(source, line); ++n)
    if (line.find(text) != std::string::npos) return file + ":" + std::to_string(n);
  return "no line with " + text;
}

inline std::string executions_of(const program_run& r) {
  std::smatch found;
  return std::regex_search(r.out, found, std::regex("[0-9,]+ executions, [0-9,]+ blocked"))
             ? found.str()
             : r.out;
}

struct expected {
  const char* arguments;
  int status;
  const char* says;
};

inline void expect_all(const std::string& program, std::initializer_list<expected> all) {
  for (const expected& e : all) {
    SCOPED_TRACE(e.arguments);
    const program_run got = check(program, e.arguments);
    EXPECT_EQ(got.status, e.status) << got.out;
    EXPECT_THAT(got.out, ::testing::HasSubstr(e.says));
  }
}

}  // namespace fencepost::programs::testing
