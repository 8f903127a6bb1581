// What write_chrome_trace() has written, as a reader of the format sees it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/runtime/chrome_trace.hpp"
#include "fencepost/runtime/worker_trace.hpp"

namespace fencepost::traces {

inline std::string written(const std::vector<runtime_trace>& traces) {
  std::ostringstream out;
  write_chrome_trace(out, traces);
  return out.str();
}

// An event as a reader of the format sees it; times in nanoseconds.
struct event {
  std::string name, category, phase;
  std::int64_t begin, end;
  nlohmann::json arguments;
};
struct thread_of_file {
  std::string process, name;
  std::vector<event> events;
  std::vector<std::string> arrows_from = {};  // the threads where the arrows that end here begin
};

inline std::int64_t nanoseconds(const nlohmann::json& microseconds) {
  return std::llround(microseconds.get<double>() * 1000);
}

// Reads a trace, and requires what the format does: the members of each event, metadata first,
// unique thread numbers, times in order, for each beginning an end on the same thread and with the
// same name, nested properly, and arrows from one thread to another.
inline std::vector<thread_of_file> read(const std::string& text) {
  const auto file = nlohmann::json::parse(text);
  EXPECT_FALSE(file.contains("displayTimeUnit")) << "some readers take it for that of ts";
  struct reading {
    thread_of_file thread;
    std::vector<std::size_t> open;  // the events that have no end yet
    std::int64_t last = 0;
  };
  std::map<int, std::string> processes;
  std::map<int, int> process_of;
  std::map<int, reading> threads;
  struct arrow {
    std::vector<int> from, to;
    std::int64_t at = 0;
  };
  std::map<int, arrow> arrows;
  for (const nlohmann::json& each : file.at("traceEvents")) {
    const auto phase = each.at("ph").get<std::string>();
    const int process = each.at("pid").get<int>(), number = each.at("tid").get<int>();
    EXPECT_EQ(process_of.try_emplace(number, process).first->second, process) << each;
    const auto name = each.value("name", std::string{});
    if (phase == "M") {
      const nlohmann::json& arguments = each.at("args");
      if (name == "process_name") processes[process] = arguments.at("name").get<std::string>();
      if (name == "thread_name") {
        EXPECT_EQ(threads.count(number), 0u) << each;
        threads[number].thread = {
            processes.at(process), arguments.at("name").get<std::string>(), {}};
      }
      continue;
    }
    reading& of = threads.at(number);
    auto& events = of.thread.events;
    const std::int64_t time = nanoseconds(each.at("ts"));
    EXPECT_LE(of.last, time) << each;
    of.last = time;
    if (phase == "E") {
      if (of.open.empty()) {
        ADD_FAILURE() << "an end without a beginning: " << each;
        continue;
      }
      EXPECT_EQ(events[of.open.back()].name, name) << each;
      events[of.open.back()].end = time;
      of.open.pop_back();
      continue;
    }
    if (phase == "s" || phase == "f") {  // an arrow: one beginning and one end, at one time
      EXPECT_FALSE(phase == "s" && of.open.empty()) << "nothing to begin at: " << each;
      const auto there = arrows.try_emplace(each.at("id").get<int>());
      (phase == "s" ? there.first->second.from : there.first->second.to).push_back(number);
      EXPECT_TRUE(there.second || there.first->second.at == time) << each;
      there.first->second.at = time;
      continue;
    }
    EXPECT_TRUE(phase == "B" || (phase == "i" && each.at("s") == "t")) << each;
    if (phase == "B") of.open.push_back(events.size());
    events.push_back({name, each.at("cat").get<std::string>(), phase, time, time,
                      each.value("args", nlohmann::json::object())});
  }
  for (const auto& [id, each] : arrows) {
    if (each.from.size() != 1 || each.to.size() != 1 || each.from == each.to) {
      ADD_FAILURE() << "no arrow from one thread to another: " << id;
      continue;
    }
    threads.at(each.to[0]).thread.arrows_from.push_back(threads.at(each.from[0]).thread.name);
  }
  std::vector<thread_of_file> result;
  for (auto& [number, of] : threads) {
    EXPECT_THAT(of.open, testing::IsEmpty()) << "a beginning without an end, of thread " << number;
    EXPECT_GE(number, process_of.at(number)) << "the first thread has the number of its process";
    result.push_back(std::move(of.thread));
  }
  return result;
}

inline std::vector<event> all_of(const std::vector<thread_of_file>& threads,
                                 const std::string& category) {
  std::vector<event> found;
  for (const auto& thread : threads) {
    std::copy_if(thread.events.begin(), thread.events.end(), std::back_inserter(found),
                 [&](const event& each) { return each.category == category; });
  }
  return found;
}

}  // namespace fencepost::traces
