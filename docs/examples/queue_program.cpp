// A queue for one producer and one consumer, with a mistake, and a test of it: an ordinary program.
// docs/guide/check-a-program.md checks it.
// [queue]
#include <atomic>
#include <cassert>
#include <thread>

class queue {
 public:
  bool push(int item) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == size) return false;
    items_[tail % size] = item;
    tail_.store(tail + 1, std::memory_order_relaxed);
    return true;
  }
  bool pop(int& item) {
    const unsigned head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = items_[head % size];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  static constexpr unsigned size = 2;
  int items_[size] = {};
  std::atomic<unsigned> head_{0}, tail_{0};
};

int main() {
  queue q;
  std::thread producer([&] {
    q.push(1);
    q.push(2);
  });
  int item = 0;
  if (q.pop(item)) assert(item == 1);
  producer.join();
}
// [queue]
