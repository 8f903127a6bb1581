// Perfetto's task runner, from its amalgamated sources: FENCEPOST_PEER_PERFETTO says where.
#include <perfetto.cc>
#include <utility>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_perfetto {
  ::perfetto::base::UnixTaskRunner runner;
  template <class F>
  void post(F&& f) {
    runner.PostTask(std::forward<F>(f));
  }
  void run() { runner.Run(); }
  void quit() { runner.Quit(); }
};

[[maybe_unused]] const bool registered = register_runner<on_perfetto>("perfetto");

}  // namespace
}  // namespace fencepost::bench::peers
