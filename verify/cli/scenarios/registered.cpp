// The command line of another project: the table of its scenarios, and the program's identity.
#include <algorithm>
#include <cctype>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "commands/command_line.hpp"
#include "fencepost/cli/scenarios.hpp"
#include "run/entry.hpp"
#include "scenarios/loaded_code.hpp"

namespace fencepost::cli {
namespace {

std::vector<entry>& registered() {
  static std::vector<entry> all;
  return all;
}

// A deque, whose elements stay in place: entries point to them.
std::deque<stress::subject>& on_threads() {
  static std::deque<stress::subject> all;
  return all;
}

bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isgraph(static_cast<unsigned char>(c)) != 0 &&
           std::string_view("*?[]").find(c) == std::string_view::npos;
  });
}

[[noreturn]] void refuse(const entry& e, const std::string& why) {
  throw usage_error("the scenario '" + std::string(e.about.name) + "' in " + std::string(e.model) +
                    " " + why);
}

std::vector<entry> table() {
  std::vector<entry> all = registered();
  if (all.empty()) {
    throw usage_error(
        "there are no scenarios: no file of SCENARIOS has a fencepost::cli::scenarios at namespace "
        "scope");
  }
  std::set<std::string_view> names;
  for (const entry& e : all) {
    if (!is_name(e.about.name)) {
      refuse(e, "needs a name without spaces, '*', '?', '[' and ']', such as mailbox/is_emptied");
    }
    if (!names.insert(e.about.name).second)
      refuse(e, "has the same name as another: rename one of them");
    if (e.about.threads == 0) refuse(e, "has no threads");
  }
  const std::string digest = digest_of_loaded_code();
  for (entry& e : all) {
    e.digest = digest;
    const auto found = std::find_if(on_threads().begin(), on_threads().end(),
                                    [&](const auto& s) { return s.about.name == e.about.name; });
    if (found != on_threads().end()) e.on_threads = &*found;
  }
  return all;
}

}  // namespace

void scenarios::add(const scenario& about, check run, const char* file) {
  const std::string_view path = file;
  registered().push_back({about, run, path.substr(path.rfind('/') + 1)});  // npos + 1 is 0
}

void scenarios::add(const stress::subject& s) { on_threads().push_back(s); }

int run(int argc, const char* const* argv, const project& p) {
  become({p.name, p.source_folder, p.build_folder, p.headers, false});
  return run(argc, argv, table);
}

}  // namespace fencepost::cli
