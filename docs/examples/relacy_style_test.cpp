// A test written in the terms of Relacy, run by this checker: docs/guide/relacy-tests.md. Under
// Relacy itself the include is relacy/relacy.hpp, and nothing else changes.
#include "fencepost/compat/relacy.hpp"

namespace {

// A list of nodes with one producer and one consumer. The consumer owns the node that it took last.
class spsc_queue {
 public:
  explicit spsc_queue(rl::memory_order publish) : publish_(publish) {
    head_($) = tail_($) = RL_NEW node;
  }
  ~spsc_queue() {
    while (node* n = tail_($)) {
      tail_($) = n->next.load(rl::mo_relaxed, $);
      RL_DELETE(n);
    }
  }

  void push(int value) {
    node* n = RL_NEW node;
    VAR(n->value) = value;
    head_($)->next.store(n, publish_, $);
    head_($) = n;
  }

  bool pop(int& value) {
    node* next = tail_($)->next.load(rl::mo_acquire, $);
    if (next == nullptr) return false;
    value = VAR(next->value);
    RL_DELETE(tail_($));
    tail_($) = next;
    return true;
  }

 private:
  struct node {
    rl::atomic<node*> next{nullptr};
    VAR_T(int) value;
  };
  rl::memory_order publish_;
  VAR_T(node*) head_;  // accessed by the producer only
  VAR_T(node*) tail_;  // accessed by the consumer only
};

struct items_arrive_in_order : rl::test_suite<items_arrive_in_order, 2> {
  spsc_queue queue{rl::mo_release};
  void thread(unsigned index) {
    rl::backoff wait;
    for (int i = 0; i < 3; ++i) {
      int item = -1;
      if (index == 0) {
        queue.push(i);
      } else {
        while (!queue.pop(item)) wait.yield($);
        RL_ASSERT(item == i);
      }
    }
  }
};

// The same with a relaxed store: the consumer reads an item that is not there yet.
struct items_need_the_release
    : rl::test_suite<items_need_the_release, 2, rl::test_result_data_race> {
  spsc_queue queue{rl::mo_relaxed};
  void thread(unsigned index) {
    int item = 0;
    if (index == 0)
      queue.push(1);
    else if (queue.pop(item))
      RL_ASSERT(item == 1);
  }
};

}  // namespace

int main() {
  const rl::simulate_f tests[] = {
      &rl::simulate<items_arrive_in_order>,
      &rl::simulate<items_need_the_release>,
  };
  bool good = true;
  for (const rl::simulate_f simulate : tests) {
    rl::test_params params;
    good = simulate(params) && good;
  }
  return good ? 0 : 1;
}
