// Instantiates each header-only component as a whole, and uses some of them. Nothing of Fencepost
// is linked.
#include <cstdio>
#include <string>
#include <thread>

#include "fencepost/deque/boxed_chase_lev.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/deque/private_deque.hpp"
#include "fencepost/deque/tail_split.hpp"
#include "fencepost/queue/external_slots.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/queue/ticket_queue.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/rundown.hpp"
#include "fencepost/sync/wake_flag.hpp"
#include "fencepost/sync/worker_sleep.hpp"

struct job : fencepost::injector_link<job> {};
struct task {
  void (*function)(void*);
  void* argument;
};
struct submission {
  int number;
};

template class fencepost::chase_lev<int>;
template class fencepost::boxed_chase_lev<std::string>;
template class fencepost::private_deque<task>;
template class fencepost::tail_split<task>;
template class fencepost::external_slots<submission>;
template class fencepost::injector<job>;
template class fencepost::slab_queue<int>;
template class fencepost::ticket_queue<int>;
template class fencepost::core_latch<>;
template class fencepost::rundown<>;
template class fencepost::worker_sleep<>;
template class fencepost::wake_flag<>;

int main(int argc, char**) {
  if (argc > 1) {  // the argument is "overflow"
    fencepost::tail_split<task> full{1};
    full.push({});
    full.push({});
  }

  constexpr int items = 1000;
  fencepost::slab_queue<int> queue;
  fencepost::chase_lev<int> deque;
  fencepost::rundown<> rundown;

  // A thief takes from the deque what it can, and sends it on through the queue.
  const bool entered = rundown.try_enter();
  std::thread thief([&] {
    for (int i = 0; i < items; ++i) {
      if (const auto stolen = deque.steal(); stolen.outcome == fencepost::steal_outcome::stolen) {
        int item = stolen.item;
        queue.push(std::move(item));
      }
    }
    rundown.leave();
  });
  long sum = 0;
  for (int i = 1; i <= items; ++i) deque.push(i);
  while (const auto item = deque.pop()) sum += *item;
  rundown.close();
  while (const auto item = queue.pop()) sum += *item;
  thief.join();

  std::printf("the sum of the items is %ld\n", sum);
  return entered && sum == items * (items + 1L) / 2 ? 0 : 1;
}
