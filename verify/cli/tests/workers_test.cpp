#include "run/workers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

namespace fencepost::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using verify::options;
using verify::result;
using verify::verdict;

finished_job run_one(std::function<result(const options&)> body, worker_limits limits = {},
                     options how = {}) {
  const entry e{scenario{.name = "one"}, std::move(body)};
  return run_all({{&e, std::move(how)}}, limits, {}).at(0);
}

violation kind_of(const finished_job& done) {
  return done.result.violation ? done.result.violation->kind : violation::none;
}

TEST(workers, a_result_comes_back) {
  const finished_job done = run_one([](const options& o) {
    result r;
    r.outcome = verdict::verified;
    r.executions = 7;
    r.model = o.model;
    return r;
  });
  EXPECT_EQ(done.result.outcome, verdict::verified);
  EXPECT_EQ(done.result.executions, 7u);
  EXPECT_TRUE(done.output.empty());
}

TEST(workers, a_large_counterexample_comes_back_whole) {
  const finished_job done = run_one([](const options&) {
    result r;
    r.outcome = verdict::violated;
    r.violation.emplace();
    r.violation->kind = violation::leak;
    verify::step s;
    s.text = std::string(100, 'x');
    r.violation->steps.assign(20'000, s);
    return r;
  });
  ASSERT_TRUE(done.result.violation);
  EXPECT_EQ(done.result.violation->steps.size(), 20'000u);
}

TEST(workers, a_crash_is_a_violation_with_what_was_printed_and_how_far_it_was) {
  const finished_job done = run_one([](const options& o) -> result {
    o.on_progress({1000, 3, 0.5, 1.0});
    std::fputs("assertion failed\n", stderr);
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  });
  EXPECT_EQ(kind_of(done), violation::crash);
  EXPECT_THAT(done.result.violation->message, HasSubstr("Aborted"));
  EXPECT_THAT(done.output, HasSubstr("assertion failed"));
  EXPECT_EQ(done.result.executions, 1000u);
}

TEST(workers, the_last_ones_share_the_processes_that_are_left) {
  const auto wait_for = [](unsigned processes) {
    return [processes](const options& o) {
      result r;
      for (int i = 0; i < 10'000 && o.jobs_now->load() < processes; ++i) ::usleep(1'000);
      r.executions = o.jobs_now->load();
      return r;
    };
  };
  const entry first{scenario{.name = "first"}, wait_for(1)};
  const entry second{scenario{.name = "second"}, wait_for(3)};
  const entry third{scenario{.name = "third"}, wait_for(5)};
  worker_limits limits;
  limits.jobs = 5;
  const auto done = run_all({{&first, {}}, {&second, {}}, {&third, {}}}, limits, {});
  EXPECT_GE(done.at(1).result.executions, 3U) << "of five, when two are left";
  EXPECT_EQ(done.at(2).result.executions, 5U) << "all, when it is alone";
}

TEST(workers, an_end_without_a_result_is_a_crash) {
  const finished_job done = run_one([](const options&) -> result { ::_exit(0); });
  EXPECT_EQ(kind_of(done), violation::crash);
  EXPECT_THAT(done.result.violation->message, HasSubstr("status 0"));
}

TEST(workers, exceptions_are_violations) {
  const finished_job threw =
      run_one([](const options&) -> result { throw std::runtime_error("the reason"); });
  EXPECT_EQ(kind_of(threw), violation::exception);
  EXPECT_THAT(threw.result.violation->message, HasSubstr("the reason"));
  EXPECT_EQ(kind_of(run_one([](const options&) -> result { throw std::bad_alloc(); })),
            violation::out_of_memory);
}

TEST(workers, of_much_output_the_end_is_kept) {
  const finished_job done = run_one([](const options&) {
    for (int i = 0; i < 100'000; ++i) std::puts("a line that says nothing");
    std::puts("the end");
    return result{};
  });
  EXPECT_LT(done.output.size(), 10'000u);
  EXPECT_THAT(done.output, HasSubstr("bytes left out"));
  EXPECT_THAT(done.output, HasSubstr("the end\n"));
}

TEST(workers, one_that_hangs_is_ended) {
  worker_limits limits;
  limits.silence = 500ms;
  const finished_job done = run_one(
      [](const options&) -> result {
        for (;;) ::pause();
      },
      limits);
  EXPECT_EQ(kind_of(done), violation::no_progress);
}

TEST(workers, one_that_ignores_its_time_limit_is_ended_and_incomplete) {
  worker_limits limits;
  limits.grace = 200ms;
  options how;
  how.timeout = 100ms;
  const finished_job done = run_one(
      [](const options&) -> result {
        for (;;) ::pause();
      },
      limits, how);
  EXPECT_EQ(done.result.outcome, verdict::incomplete);
  EXPECT_THAT(done.result.limit, HasSubstr("time limit"));
}

TEST(workers, many_run_side_by_side_and_results_keep_their_order) {
  std::vector<entry> entries;
  for (std::uint64_t i = 0; i < 40; ++i) {
    entries.push_back({scenario{.name = "many"}, [i](const options&) {
                         ::usleep(static_cast<unsigned>((40 - i) * 200));
                         result r;
                         r.outcome = verdict::verified;
                         r.executions = i;
                         return r;
                       }});
  }
  std::vector<job> jobs;
  jobs.reserve(entries.size());
  for (const entry& e : entries) jobs.push_back({&e, {}});
  worker_limits limits;
  limits.jobs = 8;
  std::size_t finished = 0;
  worker_events events;
  events.finished = [&](std::size_t i, const finished_job& done) {
    ++finished;
    EXPECT_EQ(done.result.executions, i);
  };
  const auto all = run_all(jobs, limits, events);
  EXPECT_EQ(finished, 40u);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].result.executions, i);
}

}  // namespace
}  // namespace fencepost::cli
