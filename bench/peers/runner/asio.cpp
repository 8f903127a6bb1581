// Boost.Asio's io_context, run by one thread.
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_asio {
  boost::asio::io_context context;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open =
      boost::asio::make_work_guard(context);
  template <class F>
  void post(F&& f) {
    boost::asio::post(context, std::forward<F>(f));
  }
  void run() {
    context.restart();
    context.run();
  }
  void quit() { context.stop(); }
};

[[maybe_unused]] const bool registered = register_runner<on_asio>("boost::asio");

}  // namespace
}  // namespace fencepost::bench::peers
