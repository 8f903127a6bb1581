// libcds: Michael and Scott's queue, with hazard pointers; it also supports many consumers.
#include <cds/container/msqueue.h>
#include <cds/gc/hp.h>
#include <cds/init.h>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

// Lives as long as the program.
struct library {
  library() { cds::Initialize(); }
  ~library() { cds::Terminate(); }
  cds::gc::HP hazard_pointers;
};

struct on_libcds {
  static constexpr bool fifo = true;
  struct thread {
    explicit thread(on_libcds&) {
      if (attached++ == 0) cds::threading::Manager::attachThread();
    }
    thread(const thread&) = delete;
    thread& operator=(const thread&) = delete;
    ~thread() {
      if (--attached == 0) cds::threading::Manager::detachThread();
    }
    static inline thread_local unsigned attached = 0;
  };
  // The thread that constructs and destroys the queue must be attached.
  struct set_up {
    set_up() { static library whole_program; }
  };
  [[no_unique_address]] set_up first;
  thread maker{*this};
  cds::container::MSQueue<cds::gc::HP, item> queue;
  void push(item i) { queue.enqueue(i); }
  std::optional<item> pop() {
    item i = 0;
    return queue.dequeue(i) ? std::optional{i} : std::nullopt;
  }
};

[[maybe_unused]] const bool registered = register_queue<on_libcds>("libcds_MSQueue");

}  // namespace
}  // namespace fencepost::bench::peers
