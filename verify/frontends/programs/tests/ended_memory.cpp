// Memory that a thread uses without knowing of its allocation, or when its lifetime is over.
// The first argument names the case.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <future>
#include <latch>
#include <list>
#include <memory>
#include <new>
#include <semaphore>
#include <thread>
#include <vector>

#include "named_program.hpp"

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

namespace {

std::atomic<int*> where{nullptr};
std::atomic<std::atomic<int>*> atomic_where{nullptr};
std::atomic<int> x{0};

void await(std::atomic<int>& flag) {
  while (flag.load(memory_order_acquire) == 0) {
  }
}

// Stacks. A variable is used when its thread has ended, or its function has returned.
void stack_of_an_ended_thread() {
  std::thread([] {
    int here = 1;
    where.store(&here, memory_order_release);
  }).join();
  assert(*where.load(memory_order_acquire) == 1);
}
void atomic_on_the_stack_of_an_ended_thread() {
  std::thread([] {
    std::atomic<int> here{1};
    atomic_where.store(&here, memory_order_release);
  }).join();
  atomic_where.load(memory_order_acquire)->store(2);
}
[[gnu::noinline]] void share_a_variable() {
  int here = 1;
  where.store(&here, memory_order_release);
}
[[gnu::noinline]] void share_an_atomic() {
  std::atomic<int> here{1};
  atomic_where.store(&here, memory_order_release);
}
void read_after_return() {
  both(share_a_variable, [] {
    if (const int* const p = where.load(memory_order_acquire)) assert(*p == 1);
  });
}
void changed_after_return() {
  both(share_an_atomic, [] {
    if (auto* const p = atomic_where.load(memory_order_acquire)) p->fetch_add(1);
  });
}
// Another function uses the frame by then.
void read_in_another_frame() {
  both(
      [] {
        share_a_variable();
        await(x);
      },
      [] {
        if (const int* const p = where.load(memory_order_acquire)) assert(*p == 1);
        x.store(1, memory_order_release);
      });
}
void read_after_an_exception() {
  both(
      [] {
        try {
          int here = 1;
          [&] {
            int inner = 2;
            where.store(&inner, memory_order_release);
            if (x.load() == 0) throw here;
          }();
        } catch (int) {
          await(x);
        }
      },
      [] {
        if (const int* const p = where.load(memory_order_acquire)) assert(*p == 2);
        x.store(1, memory_order_release);
      });
}
[[gnu::noinline]] void share_until_told(int n) {
  std::atomic<int> told{0};
  int here = n;
  where.store(&here, memory_order_relaxed);
  atomic_where.store(&told, memory_order_release);
  await(told);
  where.store(nullptr, memory_order_relaxed);
  assert(here == n + 1);
}
void used_before_return() {
  both(
      [] {
        share_until_told(1);
        share_until_told(3);
      },
      [] {
        for (int n = 1; n <= 3; n += 2) {
          std::atomic<int>* told = nullptr;
          while ((told = atomic_where.load(memory_order_acquire)) == nullptr) {
          }
          int* const p = where.load(memory_order_relaxed);
          assert(*p == n);
          ++*p;
          atomic_where.store(nullptr, memory_order_relaxed);
          told->store(1, memory_order_release);
        }
      });
}
// Returns after the other thread has used its variables, but does not synchronize with that.
[[gnu::noinline]] void share_until_told_relaxed() {
  int here = 1;
  std::atomic<int> count{0};
  where.store(&here, memory_order_relaxed);
  atomic_where.store(&count, memory_order_release);
  while (x.load(memory_order_relaxed) == 0) {
  }
}
void used_before_an_early_return(bool atomic) {
  both(share_until_told_relaxed, [=] {
    std::atomic<int>* const p = atomic_where.load(memory_order_acquire);
    if (p != nullptr && atomic) p->store(2, memory_order_relaxed);
    if (p != nullptr && !atomic) *where.load(memory_order_relaxed) = 2;
    x.store(1, memory_order_relaxed);
  });
}
void variable_of_a_function_that_does_not_wait() { used_before_an_early_return(false); }
void atomic_of_a_function_that_does_not_wait() { used_before_an_early_return(true); }
// Each call has variables of its own, where another thread accessed those of an earlier call.
[[gnu::noinline]] int add_in_threads() {
  int sum = 0;
  std::atomic<int> count{0};
  both([&] { sum += count.fetch_add(1) + 1; }, [] {});
  return sum;
}
void frames_come_again() {
  assert(add_in_threads() == 1 && add_in_threads() == 1);
  std::thread later([] { x.store(1, memory_order_release); });
  await(x);
  later.join();
  assert(add_in_threads() == 1);
}
void detached_after_main() {
  static int* seen = nullptr;
  int here = 1;
  std::thread([&] { seen = &here, here = 2; }).detach();
}

// Variables that are thread_local.
thread_local int own = 1;
thread_local std::atomic<int> own_atomic{1};
void variable_of_an_ended_thread() {
  std::thread([] { where.store(&own, memory_order_release); }).join();
  assert(*where.load(memory_order_acquire) == 1);
}
void atomic_of_an_ended_thread() {
  std::thread([] { atomic_where.store(&own_atomic, memory_order_release); }).join();
  atomic_where.load(memory_order_acquire)->store(2);
}
void variable_of_a_thread_that_may_have_ended() {
  both([] { where.store(&own, memory_order_release); },
       [] {
         if (const int* const p = where.load(memory_order_acquire)) assert(*p == 1);
       });
}
void variable_not_known_to_be_there() {
  both(
      [] {
        where.store(&own, memory_order_relaxed);
        await(x);
      },
      [] {
        if (int* const p = where.load(memory_order_relaxed)) *p = 2;
        x.store(1, memory_order_release);
      });
}
void used_before_the_end(std::memory_order told) {
  both(
      [=] {
        where.store(&own, memory_order_release);
        while (x.load(told) == 0) {
        }
      },
      [] {
        if (int* const p = where.load(memory_order_acquire)) *p = 2;
        x.store(1, memory_order_release);
      });
}
void variable_used_before_the_end() { used_before_the_end(memory_order_acquire); }
void variable_of_a_thread_that_does_not_wait() { used_before_the_end(memory_order_relaxed); }

// The heap. Nothing is written before the block is passed on, unless it is initialised.
template <class T>
void passed_on(std::atomic<T*>& to, std::memory_order order, bool initialised = false) {
  both(
      [&] {
        void* const block = std::malloc(sizeof(T));
        to.store(initialised ? new (block) T(1) : static_cast<T*>(block), order);
      },
      [&] {
        if (T* const p = to.load(memory_order_acquire)) *p = 1;
      });
}
void block_passed_on() { passed_on(where, memory_order_release); }
void block_passed_on_relaxed() { passed_on(where, memory_order_relaxed); }
void atomic_passed_on() { passed_on(atomic_where, memory_order_release); }
void atomic_passed_on_relaxed() { passed_on(atomic_where, memory_order_relaxed); }
void made_atomic_passed_on() { passed_on(atomic_where, memory_order_release, true); }
void block_of_a_joined_thread() {
  int* p = nullptr;
  std::thread([&] { p = static_cast<int*>(std::malloc(8)); }).join();
  *p = 1;
  std::free(p);
}
void never_stored_to() {
  auto* const p = static_cast<std::atomic<int>*>(std::malloc(sizeof(std::atomic<int>)));
  both([] {}, [=] { x = p->load(memory_order_relaxed); });
  std::free(p);
}
void added_to_before_it_is_stored_to() {
  auto* const p = static_cast<std::atomic<int>*>(std::malloc(sizeof(std::atomic<int>)));
  both([] {}, [=] { p->fetch_add(1); });
  std::free(p);
}
void initialized_on_a_stack() {
  struct {
    std::atomic<int> one{1};
    std::atomic<int> zero;
    int numbers[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  } all;
  int n = 1;
  int zeros[9] = {};
  const auto add = [&](int& to) { std::atomic_ref(to).fetch_add(1); };
  std::thread([&] {
    all.one.fetch_add(1);
    all.zero.fetch_add(1);
    for (int& number : all.numbers) add(number);
    for (int& zero : zeros) add(zero);
    add(n);
  }).join();
  assert(all.one == 2 && all.zero == 1 && n == 2);
  for (int i = 0; i < 9; ++i) assert(all.numbers[i] == i + 1 && zeros[i] == 1);
}
void stored_to() {
  auto* const p = static_cast<std::atomic<int>*>(std::malloc(sizeof(std::atomic<int>)));
  both([=] { p->store(1, memory_order_relaxed); }, [] {});
  assert(p->fetch_add(1) == 1);
  std::free(p);
}
void cleared() {
  auto* const p = static_cast<std::atomic<int>*>(std::calloc(2, sizeof(std::atomic<int>)));
  std::memset(p + 1, 0xff, sizeof *p);
  both([=] { p->fetch_add(1); }, [=] { p[1].fetch_add(1); });
  assert(p->load() == 1 && p[1].load() == 0);
  std::free(p);
}
// The waiter observes the value, but not the notification that follows it.
void notified_when_it_may_be_freed() {
  auto* const told = new std::atomic<int>(0);
  std::thread other([=] {
    told->store(1);
    told->notify_one();
  });
  told->wait(0);
  delete told;
  other.join();
}
void notified_before_it_is_freed() {
  auto* const told = new std::atomic<int>(0);
  std::thread other([=] {
    told->store(1);
    told->notify_one();
  });
  told->wait(0);
  other.join();
  delete told;
}
void pointer_notified_when_it_may_be_freed() {
  auto* const told = new std::atomic<std::shared_ptr<int>>;
  std::thread other([=] {
    told->store(std::make_shared<int>(1));
    told->notify_all();
  });
  told->wait(nullptr);
  delete told;
  other.join();
}
// Unlike a notification, these calls happen before the waiter returns.
void counted_down_before_it_is_freed() {
  auto* const down = new std::latch(1);
  auto* const full = new std::binary_semaphore(0);
  auto* const ready = new std::promise<int>;
  std::thread other([=] {
    down->count_down();
    full->release();
    ready->set_value(1);
  });
  down->wait();
  delete down;
  full->acquire();
  delete full;
  ready->get_future().get();
  delete ready;
  other.join();
}
void outside_of_the_block() {
  std::vector<int> numbers(4);
  int* volatile p = numbers.data();
  both([=] { p[5] = 1; }, [] {});
}
void grown() {
  std::list<std::unique_ptr<int>> items;
  std::vector<int> numbers;
  for (int i = 0; i < 20; ++i) {
    numbers.push_back(i);
    items.push_back(std::make_unique<int>(i));
  }
  both(
      [&] {
        numbers.resize(100, 3);
        assert(numbers[19] == 19 && numbers[99] == 3);
      },
      [&] { items.clear(); });
  assert(items.empty());
}

constexpr named tests[] = {FENCEPOST_NAMED(stack_of_an_ended_thread),
                           FENCEPOST_NAMED(atomic_on_the_stack_of_an_ended_thread),
                           FENCEPOST_NAMED(read_after_return),
                           FENCEPOST_NAMED(changed_after_return),
                           FENCEPOST_NAMED(read_in_another_frame),
                           FENCEPOST_NAMED(read_after_an_exception),
                           FENCEPOST_NAMED(used_before_return),
                           FENCEPOST_NAMED(variable_of_a_function_that_does_not_wait),
                           FENCEPOST_NAMED(atomic_of_a_function_that_does_not_wait),
                           FENCEPOST_NAMED(frames_come_again),
                           FENCEPOST_NAMED(detached_after_main),
                           FENCEPOST_NAMED(variable_of_an_ended_thread),
                           FENCEPOST_NAMED(atomic_of_an_ended_thread),
                           FENCEPOST_NAMED(variable_of_a_thread_that_may_have_ended),
                           FENCEPOST_NAMED(variable_not_known_to_be_there),
                           FENCEPOST_NAMED(variable_used_before_the_end),
                           FENCEPOST_NAMED(variable_of_a_thread_that_does_not_wait),
                           FENCEPOST_NAMED(block_passed_on),
                           FENCEPOST_NAMED(block_passed_on_relaxed),
                           FENCEPOST_NAMED(atomic_passed_on),
                           FENCEPOST_NAMED(atomic_passed_on_relaxed),
                           FENCEPOST_NAMED(made_atomic_passed_on),
                           FENCEPOST_NAMED(block_of_a_joined_thread),
                           FENCEPOST_NAMED(never_stored_to),
                           FENCEPOST_NAMED(added_to_before_it_is_stored_to),
                           FENCEPOST_NAMED(initialized_on_a_stack),
                           FENCEPOST_NAMED(stored_to),
                           FENCEPOST_NAMED(cleared),
                           FENCEPOST_NAMED(notified_when_it_may_be_freed),
                           FENCEPOST_NAMED(notified_before_it_is_freed),
                           FENCEPOST_NAMED(pointer_notified_when_it_may_be_freed),
                           FENCEPOST_NAMED(counted_down_before_it_is_freed),
                           FENCEPOST_NAMED(outside_of_the_block),
                           FENCEPOST_NAMED(grown)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
