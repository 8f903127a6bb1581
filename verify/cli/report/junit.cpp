#include <fmt/format.h>

#include <map>

#include "base/json.hpp"
#include "fencepost/verify/report.hpp"
#include "report/run_report.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {
namespace {

// Escapes text for an attribute, where newlines must not become spaces, or for use between tags.
// Leaves out characters that XML 1.0 cannot represent.
std::string escaped(const std::string& text, bool attribute = true) {
  std::string out;
  for (const char c : valid_text(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += attribute ? "&#10;" : "\n"; break;
      case '\t': out += "&#9;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

struct test_counts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const scenario& about, const finished_job& done, bool accept_incomplete) {
    ++tests;
    seconds += done.result.seconds;
    const standing s = judge(about, done.result);
    if (!done.ran || (s == standing::incomplete && accept_incomplete)) {
      ++skipped;
      return;
    }
    if (s == standing::unexpected) ++failures;
    if (s == standing::incomplete) ++errors;
  }
  std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}")", tests, failures,
                       errors, skipped);
  }
};

std::string test_case(const std::string& suite, const std::string& name, const scenario& about,
                      const finished_job& done, bool accept_incomplete) {
  std::string text = fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.3f}")",
                                 escaped(suite), escaped(name), done.result.seconds);
  std::string inside;
  const standing s = judge(about, done.result);
  if (!done.ran) {
    inside += R"(      <skipped message="an interrupt came before its turn"/>)"
              "\n";
  } else if (s == standing::incomplete && accept_incomplete) {
    inside += fmt::format("      <skipped message=\"{}\"/>\n", escaped(what_is_wrong(about, done)));
  } else if (s != standing::as_expected) {
    const char* const element = s == standing::unexpected ? "failure" : "error";
    const std::string type = s == standing::incomplete ? "incomplete"
                             : done.result.violation
                                 ? std::string(to_string(done.result.violation->kind))
                                 : "no violation";
    inside +=
        fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element, escaped(type),
                    escaped(what_is_wrong(about, done)), escaped(to_text(done.result), false));
  }
  if (!done.output.empty()) {
    inside += "      <system-out>" + escaped(done.output, false) + "</system-out>\n";
  }
  return text + (inside.empty() ? "/>\n" : ">\n" + inside + "    </testcase>\n");
}

}  // namespace

std::string xml_text(const std::string& text) { return escaped(text); }

std::string to_junit(const run_report& run) {
  struct suite {
    test_counts of;
    std::string cases;
  };
  std::map<std::string, suite> suites;
  std::vector<std::string> order;
  test_counts all;
  for (std::size_t i = 0; i < run.done.size(); ++i) {
    const scenario& about = run.scenarios[i]->about;
    const std::string full(about.name);
    const std::size_t slash = full.find('/');
    const std::string name = slash == std::string::npos ? full : full.substr(0, slash);
    const auto [at, is_new] = suites.try_emplace(name);
    if (is_new) order.push_back(name);
    at->second.of.add(about, run.done[i], run.accept_incomplete);
    at->second.cases += test_case(name, slash == std::string::npos ? full : full.substr(slash + 1),
                                  about, run.done[i], run.accept_incomplete);
    all.add(about, run.done[i], run.accept_incomplete);
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"fencepost {} --model {}\" {} time=\"{:.3f}\">\n",
                      run.command, run.model, all.attributes(), run.seconds);
  std::string properties;
  for (const std::string& name : run.compilers)
    properties += "      <property name=\"compiler\" value=\"" + escaped(name) + "\"/>\n";
  for (const std::string& note : run.notes)
    properties += "      <property name=\"note\" value=\"" + escaped(note) + "\"/>\n";
  if (!properties.empty()) properties = "    <properties>\n" + properties + "    </properties>\n";
  for (const std::string& name : order) {
    const suite& s = suites[name];
    text += fmt::format("  <testsuite name=\"{}\" {} time=\"{:.3f}\">\n{}{}  </testsuite>\n",
                        escaped(name), s.of.attributes(), s.of.seconds, properties, s.cases);
  }
  return text + "</testsuites>";
}

}  // namespace fencepost::cli
