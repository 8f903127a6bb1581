#include "machine_report.hpp"

#include <unistd.h>

#include <cstddef>
#include <nlohmann/json.hpp>

#include "result_json/result_json.hpp"

namespace fencepost::programs {
namespace {

void write_line(int to, const nlohmann::ordered_json& j) {
  const std::string line = j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = write(to, line.data() + done, line.size() - done);
    if (n <= 0) return;  // the reader notices that the object is incomplete
    done += static_cast<std::size_t>(n);
  }
}

// The value of --reuse-addresses.
const char* reuse_of(const verify::options& o) {
  return o.reuse_across_threads ? "all" : o.reuse_addresses ? "thread" : "never";
}

}  // namespace

void write_report(int to, const verify::result& r, const verify::options& o, const coverage& c) {
  nlohmann::ordered_json j = to_json(r);
  j["compilers"] = c.compilers;
  j["optimized"] = c.is_optimized;
  j["bounds"] = {{"spurious_failures", o.spurious_failures},
                 {"spurious_wakeups", o.spurious_wakeups},
                 {"time_outs", o.timeouts},
                 {"reuse_addresses", reuse_of(o)}};
  j["coverage"] = {{"unwatched_libraries", c.libraries},
                   {"unwatched_parts", c.parts},
                   {"unwatched_structures", c.hides_structures},
                   {"no_atomics", c.threads_without_atomics != 0},
                   {"aba_not_covered", c.depends_on_addresses},
                   {"left_threads", c.has_left_threads},
                   {"failed_assumptions", c.has_failed_assumptions}};
  j["notes"] = c.in_words();
  write_line(to, j);
}

void write_names(int to, const std::vector<std::string>& names) {
  write_line(to, {{"tests", names}});
}

}  // namespace fencepost::programs
