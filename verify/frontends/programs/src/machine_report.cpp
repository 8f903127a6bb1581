#include "machine_report.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string_view>

#include "fencepost/verify/annotation.hpp"

namespace fencepost::programs {
namespace {

std::string quoted(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      all += '\\';
      all += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      all += code;
    } else {
      all += c;
    }
  }
  return all + '"';
}

void write_line(int to, std::string line) {
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = write(to, line.data() + done, line.size() - done);
    if (n <= 0) return;  // whoever reads it misses the end of the object
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace

void write_report(int to, const verify::result& r) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f", r.seconds);
  std::string text = R"({"verdict": )" + quoted(to_string(r.outcome)) + R"(, "model": )" +
                     quoted(to_string(r.model)) + R"(, "executions": )" +
                     std::to_string(r.executions) + R"(, "blocked": )" + std::to_string(r.blocked) +
                     R"(, "seconds": )" + seconds;
  if (!r.limit.empty()) text += R"(, "limit": )" + quoted(r.limit);
  if (r.violation) {
    const verify::counterexample& c = *r.violation;
    const source_location where = verify::annotated_place(c);
    text += R"(, "violation": {"kind": )" + quoted(to_string(c.kind)) + R"(, "message": )" +
            quoted(c.message) + R"(, "file": )" + quoted(where.file) + R"(, "line": )" +
            std::to_string(where.line) + '}';
  }
  if (!r.outcomes.empty()) {
    text += R"(, "outcomes": [)";
    const char* between = "";
    for (const auto& [outcome, count] : r.outcomes) {
      text += between;
      text +=
          R"({"outcome": )" + quoted(outcome) + R"(, "executions": )" + std::to_string(count) + '}';
      between = ", ";
    }
    text += ']';
  }
  write_line(to, text + '}');
}

void write_names(int to, const std::vector<std::string>& names) {
  std::string text = R"({"tests": [)";
  const char* between = "";
  for (const std::string& name : names) {
    text += between + quoted(name);
    between = ", ";
  }
  write_line(to, text + "]}");
}

}  // namespace fencepost::programs
