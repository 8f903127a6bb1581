#include "fencepost/verify/test_verdict.hpp"

#include <utility>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/engine.hpp"
#include "fencepost/verify/report.hpp"

namespace fencepost::verify {

namespace {

// Joins the lines of an assertion's message.
std::string in_one_line(std::string_view message, bool skipped) {
  std::string text = skipped ? "GTEST_SKIP() inside a body: " : "";
  bool space = true;
  for (const char c : message) {
    const bool is_space = c == ' ' || c == '\n';
    if (c == '\n' && !text.empty() && text.back() != ':' && text.back() != ',') text += ',';
    if (is_space && !space) text += ' ';
    if (!is_space) text += c;
    space = is_space;
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == ',')) text.pop_back();
  return text;
}

}  // namespace

test_verdict judge(violation expected, const result& r, const options& o) {
  test_verdict v;
  v.executions = std::to_string(r.executions);
  v.events = std::to_string(r.events);
  if (r.recheck && r.recheck->rejected != 0) {
    v.text = "a fault of the checker: the axioms reject a graph that was explored (" +
             r.recheck->why + ")\n" + r.recheck->graph;
    return v;
  }
  const violation found =
      r.outcome == verdict::violated && r.violation ? r.violation->kind : violation::none;
  const bool shows_nothing = r.outcome == verdict::verified && r.executions == 0;
  if (r.outcome != verdict::incomplete && found == expected && !shows_nothing) {
    v.passes = true;
    v.verified = expected == violation::none;
    if (v.verified) v.text = "[ verified ] " + o.name + ": " + in_one_line(r, o);
    return v;
  }
  if (shows_nothing) v.text = "no execution is complete: nothing is shown\n";
  if (expected != violation::none) {
    v.text += "expected a violation of the kind ";
    v.text += to_string(expected);
    v.text += ", but:\n";
  }
  v.text += to_text(r);
  return v;
}

test_verdict judge_body(violation expected, const options* given, std::function<void()> body,
                        const char* suite, const char* test) {
  const options by_default;
  options o = given == nullptr ? by_default : *given;
  if (test != nullptr && o.name == by_default.name) o.name = std::string(suite) + "." + test;
  return judge(expected, check(o, std::move(body)), o);
}

test_verdict judge_scenario(violation expected, const options* given, const scenario& about,
                            void (*body)()) {
  const options o = with_bounds_of(about, given == nullptr ? options{} : *given);
  return judge(expected, check(o, body), o);
}

bool fails_the_body(std::string_view message, bool skipped, const char* file, unsigned line) {
  engine* const e = engine::current();
  return e != nullptr && e->fail_later(violation::assertion, in_one_line(message, skipped),
                                       file == nullptr ? "" : file, line);
}

std::string nth_property(std::string_view name, unsigned check) {
  std::string numbered(name);
  if (check != 1) numbered.append("_").append(std::to_string(check));
  return numbered;
}

}  // namespace fencepost::verify
