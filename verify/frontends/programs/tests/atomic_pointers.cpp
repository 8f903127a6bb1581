// Programs with std::atomic<std::shared_ptr>, std::atomic<std::weak_ptr>, and the atomic functions
// on a std::shared_ptr; the first argument names the case.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <utility>

#include "named_program.hpp"

namespace {

using std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release;

std::atomic<int> alive{0};
struct config {
  explicit config(int n) : a(n), b(n) { alive.fetch_add(1, memory_order_relaxed); }
  ~config() {
    assert(a == b);
    a = -1;
    alive.fetch_sub(1, memory_order_relaxed);
  }
  int a, b;
};
int plain = 0;

void replaced_while_it_is_used() {
  {
    std::atomic<std::shared_ptr<config>> current(std::make_shared<config>(1));
    both([&] { current.store(std::make_shared<config>(2)); },
         [&] {
           const std::shared_ptr<config> c = current.load();
           assert(c->a == c->b && (c->a == 1 || c->a == 2));
         });
    assert(current.load()->a == 2 && alive.load() == 1);
  }
  assert(alive.load() == 0);
}
void handed_over(std::memory_order store, std::memory_order load) {
  std::atomic<std::shared_ptr<config>> box;
  both([&] { box.store(std::make_shared<config>(3), store); },
       [&] {
         if (const auto c = box.load(load)) assert(c->a == 3);
       });
}
void released_and_acquired() { handed_over(memory_order_release, memory_order_acquire); }
void stored_relaxed() { handed_over(memory_order_relaxed, memory_order_acquire); }
void loaded_relaxed() { handed_over(memory_order_release, memory_order_relaxed); }
void loaded_with_release() { handed_over(memory_order_release, memory_order_release); }

// A load publishes nothing that its thread did before.
void written_before_a_load() {
  std::atomic<std::shared_ptr<config>> box;
  std::atomic<bool> loaded{false};
  both(
      [&] {
        plain = 1;
        box.load();
        loaded.store(true, memory_order_relaxed);
      },
      [&] {
        if (!loaded.load(memory_order_relaxed)) return;
        box.load();
        plain = 2;
      });
}
void exchanged() {
  std::atomic<std::shared_ptr<config>> box(std::make_shared<config>(0));
  int first = 0, second = 0;
  both([&] { first = box.exchange(std::make_shared<config>(1), std::memory_order_acq_rel)->a; },
       [&] { second = box.exchange(std::make_shared<config>(2), std::memory_order_acq_rel)->a; });
  assert(first != second && first + second + box.load()->a == 3 && alive.load() == 1);
}
void exchanged_relaxed() {
  std::atomic<std::shared_ptr<config>> box;
  both([&] { box.exchange(std::make_shared<config>(1), memory_order_release); },
       [&] { box.exchange(nullptr, memory_order_relaxed); });
}
// Adds one to the number in the box.
void count_in(std::atomic<std::shared_ptr<config>>& box) {
  std::shared_ptr<config> seen = box.load();
  while (!box.compare_exchange_strong(seen, std::make_shared<config>(seen->a + 1))) {
  }
}
void counted_by_two() {
  std::atomic<std::shared_ptr<config>> box(std::make_shared<config>(0));
  both([&] { count_in(box); }, [&] { count_in(box); });
  assert(box.load()->a == 2 && alive.load() == 1);
}
void fails_for_no_reason() {
  std::atomic<std::shared_ptr<config>> box;
  std::shared_ptr<config> none;
  assert(box.compare_exchange_weak(none, std::make_shared<config>(1)));
}
void failure_is_no_acquire() {
  std::atomic<std::shared_ptr<config>> box;
  both(
      [&] { box.store(std::make_shared<config>(1), memory_order_release); },
      [&] {
        std::shared_ptr<config> seen;
        if (!box.compare_exchange_strong(seen, nullptr, memory_order_acquire, memory_order_relaxed))
          assert(seen->a == 1);
      });
}
// A loop that loads until there is something.
void poll(std::memory_order store, std::memory_order load) {
  std::atomic<std::shared_ptr<config>> box;
  both([&] { box.store(std::make_shared<config>(1), store); },
       [&] {
         std::shared_ptr<config> seen;
         while (!(seen = box.load(load))) {
         }
         assert(seen->a == 1);
       });
}
void polled() { poll(memory_order_release, memory_order_acquire); }
void polled_in_order() { poll(std::memory_order_seq_cst, std::memory_order_seq_cst); }
void polled_relaxed() { poll(memory_order_release, memory_order_relaxed); }
struct item {
  int number;
  std::shared_ptr<item> next;
};
void stack_of_two() {
  std::atomic<std::shared_ptr<item>> head;
  const auto push = [&](int number) {
    auto made = std::make_shared<item>(item{number, head.load(memory_order_acquire)});
    while (!head.compare_exchange_strong(made->next, made, memory_order_release,
                                         memory_order_acquire)) {
    }
  };
  const auto pop = [&] {
    std::shared_ptr<item> top = head.load(memory_order_acquire);
    while (top && !head.compare_exchange_strong(top, top->next, std::memory_order_acq_rel,
                                                memory_order_acquire)) {
    }
    return top ? top->number : 0;
  };
  push(1);
  int popped = 0;
  both([&] { push(2); }, [&] { popped = pop(); });
  const int rest = pop() + pop();
  assert(popped + rest == 3 && popped != 0);
}
void waited_for() {
  std::atomic<std::shared_ptr<config>> box;
  both(
      [&] {
        box.store(std::make_shared<config>(5), memory_order_release);
        box.notify_one();
      },
      [&] {
        box.wait(nullptr, memory_order_acquire);
        assert(box.load(memory_order_relaxed)->a == 5);
      });
}
void waited_for_relaxed() {
  std::atomic<std::shared_ptr<config>> box;
  both(
      [&] {
        plain = 1;
        box.store(std::make_shared<config>(5));
        box.notify_all();
      },
      [&] {
        box.wait(nullptr, memory_order_relaxed);
        assert(plain == 1);
      });
}
void waited_for_in_vain() {
  std::atomic<std::shared_ptr<config>> box;
  both([&] { box.store(std::make_shared<config>(5)); }, [&] { box.wait(nullptr); });
}
void observed_weakly() {
  auto owner = std::make_shared<config>(7);
  std::atomic<std::weak_ptr<config>> observer(owner);
  both([&] { owner.reset(); },
       [&] {
         if (const auto c = observer.load().lock()) assert(c->a == 7);
         observer.store({});
       });
  assert(observer.load().expired() && alive.load() == 0);
}
void freed_while_it_is_loaded() {
  auto* const box = new std::atomic<std::shared_ptr<config>>(std::make_shared<config>(1));
  both([&] { box->load(); }, [&] { delete box; });
}

// The atomic functions, on a pointer without std::atomic.
std::shared_ptr<config> pointer;
void functions() {
  pointer = std::make_shared<config>(1);
  auto other = std::make_shared<config>(2);
  int first = 0, second = 0;
  both([&] { first = std::atomic_exchange(&pointer, other)->a; },
       [&] {
         auto seen = std::atomic_load_explicit(&pointer, memory_order_acquire);
         second = seen->a;
         if (std::atomic_compare_exchange_strong(&pointer, &seen, std::make_shared<config>(3)))
           second += 10;
         else
           assert(seen == other);
       });
  assert(first + second == 3 || (first == 1 && second == 11) || (first == 3 && second == 11) ||
         (first == 1 && (second == 1 || second == 12)));
  assert(pointer->a == (second == 12 ? 3 : 2));
  std::atomic_store(&pointer, {});
  assert(!pointer && !std::atomic_is_lock_free(&pointer));
}
void function_beside_a_plain_write() {
  pointer = std::make_shared<config>(1);
  both([&] { std::atomic_load(&pointer); }, [] { pointer = std::make_shared<config>(2); });
}
void function_beside_a_plain_read() {
  pointer = std::make_shared<config>(1);
  both([&] { std::atomic_store(&pointer, std::make_shared<config>(2)); },
       [] { assert(pointer->a > 0); });
}

constexpr named all[] = {
    FENCEPOST_NAMED(replaced_while_it_is_used),
    FENCEPOST_NAMED(released_and_acquired),
    FENCEPOST_NAMED(stored_relaxed),
    FENCEPOST_NAMED(loaded_relaxed),
    FENCEPOST_NAMED(loaded_with_release),
    FENCEPOST_NAMED(written_before_a_load),
    FENCEPOST_NAMED(exchanged),
    FENCEPOST_NAMED(exchanged_relaxed),
    FENCEPOST_NAMED(counted_by_two),
    FENCEPOST_NAMED(fails_for_no_reason),
    FENCEPOST_NAMED(failure_is_no_acquire),
    FENCEPOST_NAMED(polled),
    FENCEPOST_NAMED(polled_in_order),
    FENCEPOST_NAMED(polled_relaxed),
    FENCEPOST_NAMED(stack_of_two),
    FENCEPOST_NAMED(waited_for),
    FENCEPOST_NAMED(waited_for_relaxed),
    FENCEPOST_NAMED(waited_for_in_vain),
    FENCEPOST_NAMED(observed_weakly),
    FENCEPOST_NAMED(freed_while_it_is_loaded),
    FENCEPOST_NAMED(functions),
    FENCEPOST_NAMED(function_beside_a_plain_write),
    FENCEPOST_NAMED(function_beside_a_plain_read),
};

}  // namespace

int main(int argc, char** argv) { return run_named(all, argc, argv); }
