// liburcu's wait-free queue, whose users provide the nodes: here each item allocates one.
#define _LGPL_SOURCE  // NOLINT(readability-identifier-naming): asks for its inline functions
#include <urcu/wfcqueue.h>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_wfcqueue {
  static constexpr bool fifo = true;
  struct node {
    cds_wfcq_node link;  // first, so that a pointer to it is a pointer to the node
    item value;
  };
  alignas(64) cds_wfcq_head head;
  alignas(64) cds_wfcq_tail tail;
  const cds_wfcq_head_ptr_t front = cds_wfcq_head_cast(&head);
  on_wfcqueue() { cds_wfcq_init(&head, &tail); }
  on_wfcqueue(const on_wfcqueue&) = delete;
  on_wfcqueue& operator=(const on_wfcqueue&) = delete;
  ~on_wfcqueue() { cds_wfcq_destroy(&head, &tail); }
  void push(item i) {
    auto* const made = new node{{}, i};
    cds_wfcq_node_init(&made->link);
    cds_wfcq_enqueue(front, &tail, &made->link);
  }
  std::optional<item> pop() {
    const std::unique_ptr<node> got{
        reinterpret_cast<node*>(__cds_wfcq_dequeue_blocking(front, &tail))};
    return got ? std::optional{got->value} : std::nullopt;
  }
};

[[maybe_unused]] const bool registered = register_queue<on_wfcqueue>("liburcu_wfcqueue");

}  // namespace
}  // namespace fencepost::bench::peers
