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
    if (n <= 0) return;  // whoever reads it misses the end of the object
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace

void write_report(int to, const verify::result& r, const std::vector<std::string>& compilers,
                  bool is_optimized) {
  nlohmann::ordered_json j = to_json(r);
  j["compilers"] = compilers;
  j["optimized"] = is_optimized;
  write_line(to, j);
}

void write_names(int to, const std::vector<std::string>& names) {
  write_line(to, {{"tests", names}});
}

}  // namespace fencepost::programs
