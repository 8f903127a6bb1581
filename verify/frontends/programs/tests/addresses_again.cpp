// Blocks that are freed and allocated again, and compare-exchanges of their addresses.
// The first argument names the case.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include "named_program.hpp"

namespace {

struct node {
  node* next = nullptr;
};

// A stack whose nodes only main() frees, and none while the other thread protects it.
std::atomic<node*> top{nullptr}, hazard{nullptr};

void push(node* n) {
  n->next = top.load();
  while (!top.compare_exchange_strong(n->next, n)) {
  }
}

node* pop() {
  node* first = top.load();
  while (first != nullptr && !top.compare_exchange_strong(first, first->next)) {
  }
  return first;
}

enum class protects { until_it_compares, too_briefly };

void pop_protected(protects how) {
  node* first = nullptr;
  node* next = nullptr;
  do {
    do {
      first = top.load();
      hazard.store(first);
    } while (first != top.load());
    if (first == nullptr) return;
    next = first->next;
    if (how == protects::too_briefly) hazard.store(nullptr);
  } while (!top.compare_exchange_strong(first, next));
  hazard.store(nullptr);
}

void release(node* n) {
  while (n != nullptr && hazard.load() == n) {
  }
  delete n;
}

// The node below must not be on the stack again: main() has taken it.
void pops(protects how) {
  push(new node);
  push(new node);
  std::thread other(pop_protected, how);
  node* const above = pop();
  node* const below = pop();
  release(above);
  push(new node);
  other.join();
  for (const node* n = top.load(); n != nullptr; n = n->next) assert(n != below);
}

void protected_until_it_compares() { pops(protects::until_it_compares); }
void protected_too_briefly() { pops(protects::too_briefly); }

// Either the other thread frees the block and allocates another one, or main() frees it and the
// other thread allocates.
std::atomic<node*> box{nullptr};
std::atomic<bool> changed{false};

void comes_back_to_its_thread() {
  node* const seen = new node;
  box.store(seen);
  std::thread other([] {
    delete box.exchange(nullptr);
    box.store(new node);
    changed.store(true);
  });
  node* expected = seen;
  if (changed.load()) assert(!box.compare_exchange_strong(expected, nullptr));
  other.join();
}

void comes_back_to_another_thread() {
  node* const seen = new node;
  box.store(seen);
  delete box.exchange(nullptr);
  std::thread([] { box.store(new node); }).join();
  node* expected = seen;
  assert(!box.compare_exchange_strong(expected, nullptr));
}

// A mutex, an atomic object and plain data are constructed where earlier ones were.
struct guarded {
  std::mutex access;
  int value = 0;
  std::atomic<int> count{0};
};

void objects_begin_again() {
  for (int turn = 0; turn < 2; ++turn) {
    guarded* const g = new guarded;
    assert(g->value == 0 && g->count.load(std::memory_order_relaxed) == 0);
    std::thread other([g] {
      const std::lock_guard hold(g->access);
      ++g->value;
      g->count.fetch_add(1, std::memory_order_relaxed);
    });
    {
      const std::lock_guard hold(g->access);
      ++g->value;
    }
    other.join();
    assert(g->value == 2 && g->count.load(std::memory_order_relaxed) == 1);
    delete g;
  }
}

// A thread that gets the new object by a relaxed load observes nothing of what was there before.
void taken_without_order() {
  node* const old = new node;
  box.store(old);
  std::thread other([] {
    if (node* const n = box.load(std::memory_order_relaxed); n != nullptr) n->next = n;
  });
  delete box.exchange(nullptr);
  box.store(new node, std::memory_order_relaxed);
  other.join();
}

constexpr named tests[] = {
    FENCEPOST_NAMED(protected_until_it_compares), FENCEPOST_NAMED(protected_too_briefly),
    FENCEPOST_NAMED(comes_back_to_its_thread),    FENCEPOST_NAMED(comes_back_to_another_thread),
    FENCEPOST_NAMED(objects_begin_again),         FENCEPOST_NAMED(taken_without_order)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
