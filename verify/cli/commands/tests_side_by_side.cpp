#include "commands/tests_side_by_side.hpp"

#include <cstdio>
#include <deque>
#include <memory>
#include <optional>

#include "base/interrupts.hpp"
#include "run/process_shares.hpp"

namespace fencepost::cli {
namespace {

struct running_test {
  std::string name;
  const process_shares::share* share;
  std::unique_ptr<checked_process> process;
  std::optional<checked_run> ended;
};

}  // namespace

void run_side_by_side(const std::vector<std::string>& program, const std::string& settings,
                      unsigned jobs, const std::vector<std::string>& names,
                      const std::function<void(const named_run&)>& done) {
  const temporary_file file = make_temporary_file();
  process_shares shares(jobs, fileno(file.get()));
  std::deque<running_test> begun;  // the first is the next to be reported
  const auto taken = [&] {
    std::vector<const process_shares::share*> all;
    for (const running_test& test : begun)
      if (!test.ended) all.push_back(test.share);
    return all;
  };
  const auto begin = [&](const std::string& name) {
    std::vector<std::string> words = program;
    words.push_back("--gtest_filter=" + name);
    const process_shares::share& share = shares.take(taken());
    std::string its_settings = settings;
    if (jobs > 1)
      its_settings += " jobs_file=" + std::to_string(fileno(file.get())) +
                      " jobs_number=" + std::to_string(shares.number_of(share));
    using errors = checked_process::standard_error;
    begun.push_back(
        {name,
         &share,
         std::make_unique<checked_process>(
             words, its_settings, jobs > 1 ? errors::is_kept : errors::is_ours, file.get()),
         {}});
  };

  std::size_t next = 0;
  while (next < names.size() || !begun.empty()) {
    while (!interrupted() && next < names.size() && taken().size() < jobs) begin(names[next++]);
    if (begun.empty()) break;
    if (next == names.size() && !taken().empty()) shares.divide(taken());
    for (running_test& test : begun)
      if (!test.ended && test.process->has_ended()) test.ended = test.process->result();
    const bool waits = !begun.front().ended;
    for (; !begun.empty() && begun.front().ended; begun.pop_front())
      done({begun.front().name, *std::move(begun.front().ended)});
    if (waits) wait_a_little();
  }
}

}  // namespace fencepost::cli
