// A command line of another project. FIXTURE_REGISTERS selects its scenarios: none, right, twice,
// nameless, spaced or threadless. Its header is certified/letterbox.hpp; the program is told about
// it only if FIXTURE_HEADERS is set.
#include <cstdlib>
#include <string>

#include "certified/letterbox.hpp"
#include "fencepost/cli/scenarios.hpp"

namespace {

using fencepost::require;
using fencepost::scenario;

template <class P>
struct right {
  static constexpr auto about = scenario{.name = "letterbox/arrives", .claim = "It is whole."};
  fencepost::certified::letterbox<P> box;
  void thread(unsigned i) {
    int letter = 0;
    if (i == 0)
      box.put(42);
    else if (box.take(letter))
      require(letter == 42, "a letter that was not put");
  }
  void after() { require(box.looks_full(), "the box is full"); }
};

template <class P>
struct nameless : right<P> {
  static constexpr auto about = scenario{.name = ""};
};
template <class P>
struct spaced : right<P> {
  static constexpr auto about = scenario{.name = "letter box"};
};
template <class P>
struct threadless : right<P> {
  static constexpr auto about = scenario{.name = "letterbox/none", .threads = 0};
};

template <template <class> class... S>
using list = fencepost::models::scenario_list<S...>;

bool wants(const char* what) {
  const char* const wanted = std::getenv("FIXTURE_REGISTERS");
  return std::string(wanted == nullptr ? "right" : wanted) == what;
}

const bool registered = [] {
  using fencepost::cli::scenarios;
  if (wants("right")) scenarios{list<right>{}};
  if (wants("twice")) scenarios{fencepost::models::lists<list<right>, list<right>>{}};
  if (wants("nameless")) scenarios{list<nameless>{}};
  if (wants("spaced")) scenarios{list<spaced>{}};
  if (wants("threadless")) scenarios{list<threadless>{}};
  return true;
}();

}  // namespace

int main(int argc, char** argv) {
  fencepost::cli::project p{"sample", FIXTURE_FOLDER, FIXTURE_FOLDER "/build", {}};
  if (std::getenv("FIXTURE_HEADERS") != nullptr)
    p.headers = {FIXTURE_FOLDER "/certified/letterbox.hpp"};
  return registered ? fencepost::cli::run(argc, argv, p) : 1;
}
