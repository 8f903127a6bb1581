// Memory resources; the first argument names the case.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "named_program.hpp"

namespace {

using std::pmr::monotonic_buffer_resource;
using std::pmr::unsynchronized_pool_resource;

// A resource of the program's own, from which others take their memory.
class counting final : public std::pmr::memory_resource {
 public:
  int allocations = 0, bytes = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    ++allocations;
    bytes += static_cast<int>(size);
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* p, std::size_t size, std::size_t alignment) override {
    bytes -= static_cast<int>(size);
    std::pmr::new_delete_resource()->deallocate(p, size, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

void use(std::pmr::memory_resource& r) {
  std::pmr::vector<int> numbers(&r);
  for (int i = 0; i < 20; ++i) numbers.push_back(i);
  std::pmr::map<int, std::pmr::string> words(&r);
  words[1] = "a word that is longer than fifteen characters";
  assert(numbers[19] == 19 && words.at(1).size() == 45 && words.at(1).get_allocator() == &r);
}

void monotonic_of_each_thread() {
  both(
      [] {
        std::array<std::byte, 100> first;
        monotonic_buffer_resource r(first.data(), first.size());
        use(r);
        r.release();
        use(r);
      },
      [] {
        monotonic_buffer_resource r;
        use(r);
      });
}
void pool_of_each_thread() {
  const auto body = [] {
    unsynchronized_pool_resource r;
    use(r);
    r.release();
    use(r);
  };
  both(body, body);
}
void memory_of_another_resource() {
  counting c;
  {
    monotonic_buffer_resource r(&c);
    use(r);
    unsynchronized_pool_resource pool(&r);
    use(pool);
  }
  assert(c.allocations > 1 && c.bytes == 0);
}
void memory_of_none() {
  std::array<std::byte, 100> first;
  monotonic_buffer_resource r(first.data(), first.size(), std::pmr::null_memory_resource());
  try {
    use(r);
    assert(false);
  } catch (const std::bad_alloc&) {
    assert(r.is_equal(r) && !r.is_equal(*std::pmr::get_default_resource()));
  }
}

alignas(16) std::byte memory[2000];
monotonic_buffer_resource shared(memory, sizeof memory);
unsynchronized_pool_resource shared_pool;
std::mutex mutex;
void allocate_of(std::pmr::memory_resource& r) { static_cast<void>(r.allocate(8)); }

void both_allocate() {
  both([] { allocate_of(shared); }, [] { allocate_of(shared); });
}
void both_allocate_of_a_pool() {
  both([] { allocate_of(shared_pool); }, [] { allocate_of(shared_pool); });
}
void one_gives_back_to_a_pool() {
  void* const p = shared_pool.allocate(8);
  both([] { allocate_of(shared_pool); }, [=] { shared_pool.deallocate(p, 8); });
}
void guarded_by_a_mutex() {
  const auto body = [] {
    const std::lock_guard<std::mutex> lock(mutex);
    allocate_of(shared);
    allocate_of(shared_pool);
  };
  both(body, body);
}
void one_releases_what_the_other_reads() {
  monotonic_buffer_resource r;
  auto* const number = new (r.allocate(sizeof(int))) int(5);
  both([=] { assert(*number == 5); }, [&] { r.release(); });
}
void used_after_it_was_given_back() {
  std::pmr::memory_resource& r = *std::pmr::new_delete_resource();
  auto* const number = new (r.allocate(sizeof(int))) int(5);
  r.deallocate(number, sizeof(int));
  assert(*number == 5);
}
void hand_over(std::memory_order released) {
  std::atomic<bool> ready{false};
  monotonic_buffer_resource r;
  both(
      [&] {
        allocate_of(r);
        ready.store(true, released);
      },
      [&] {
        if (ready.load(std::memory_order_acquire)) allocate_of(r);
      });
}
void handed_over() { hand_over(std::memory_order_release); }
void handed_over_relaxed() { hand_over(std::memory_order_relaxed); }

// Has atomics at addresses where other functions have their resources.
void atomics_there() {
  std::atomic<long> all[60] = {};
  both(
      [&] {
        for (auto& a : all) a.store(1, std::memory_order_relaxed);
      },
      [&] { all[59].load(std::memory_order_relaxed); });
}
void resources_where_atomics_are() {
  atomics_there();
  memory_of_another_resource();
  atomics_there();
  memory_of_none();
}

constexpr named tests[] = {FENCEPOST_NAMED(monotonic_of_each_thread),
                           FENCEPOST_NAMED(pool_of_each_thread),
                           FENCEPOST_NAMED(memory_of_another_resource),
                           FENCEPOST_NAMED(memory_of_none),
                           FENCEPOST_NAMED(both_allocate),
                           FENCEPOST_NAMED(both_allocate_of_a_pool),
                           FENCEPOST_NAMED(one_gives_back_to_a_pool),
                           FENCEPOST_NAMED(guarded_by_a_mutex),
                           FENCEPOST_NAMED(one_releases_what_the_other_reads),
                           FENCEPOST_NAMED(used_after_it_was_given_back),
                           FENCEPOST_NAMED(handed_over),
                           FENCEPOST_NAMED(handed_over_relaxed),
                           FENCEPOST_NAMED(resources_where_atomics_are)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
