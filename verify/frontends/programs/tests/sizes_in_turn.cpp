// Atomic objects of different sizes that follow each other at one address on a stack.
// The first argument names the case.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <new>
#include <thread>

#include "named_program.hpp"

namespace {

template <class T>
[[gnu::noinline]] void pass(std::memory_order released) {
  T data{};
  std::atomic<T> full{};
  std::thread other([&] {
    data = 1;
    full.store(1, released);
  });
  if (full.load(std::memory_order_acquire) == T{1}) assert(data == T{1});
  other.join();
}
template <class... T>
void pass_each(std::memory_order released) {
  (pass<T>(released), ...);
}
void functions() {
  pass_each<std::uint8_t, std::int16_t, std::uint32_t, std::int64_t, float>(
      std::memory_order_release);
}
void functions_and_back() {
  pass_each<std::int64_t, std::uint8_t, std::int64_t, std::int16_t>(std::memory_order_release);
}
void functions_relaxed() {
  pass_each<std::uint8_t, std::int16_t, std::int64_t>(std::memory_order_relaxed);
}

// A variable in which one atomic object after another begins.
struct place {
  alignas(8) unsigned char bytes[8];
  template <class T>
  std::atomic<T>& begin(T value) {
    return *new (bytes) std::atomic<T>(value);
  }
};
void count_in(auto& number) {
  both([&] { number.fetch_add(1); }, [&] { number.fetch_add(1); });
  assert(number.load() == 3);
}
void one_place() {
  place p;
  count_in(p.begin<long>(1));
  count_in(p.begin<short>(1));
  count_in(p.begin<int>(1));
  count_in(p.begin<long>(1));
}
// Calls `go_on` when another thread has called `use`; `how` tells whether the two are ordered.
std::atomic<bool> is_used{false};
void use_before(const auto& use, std::memory_order how, const auto& go_on) {
  std::thread other([&] {
    use();
    is_used.store(true, how);
  });
  while (!is_used.load(std::memory_order_acquire)) std::this_thread::yield();
  go_on();
  other.join();
}
void begins_after_a_use(std::memory_order how) {
  place p;
  count_in(p.begin<short>(1));
  count_in(p.begin<long>(1));
  count_in(p.begin<short>(1));
  auto& number = p.begin<long>(1);
  use_before([&] { number.fetch_add(1); }, how, [&] { p.begin<short>(1).fetch_add(1); });
}
void begins_after_a_use_acquired() { begins_after_a_use(std::memory_order_release); }
void begins_after_a_use_relaxed() { begins_after_a_use(std::memory_order_relaxed); }
void begins_where_data_is_read(std::memory_order how) {
  place p;
  count_in(p.begin<short>(1));
  count_in(p.begin<long>(1));
  p.begin<short>(1).fetch_add(1);
  p.bytes[6] = 1;
  use_before([&] { assert(p.bytes[6] == 1); }, how, [&] { p.begin<long>(1).fetch_add(1); });
}
void begins_after_a_read_acquired() { begins_where_data_is_read(std::memory_order_release); }
void begins_after_a_read_relaxed() { begins_where_data_is_read(std::memory_order_relaxed); }
void used_where_another_is() {
  place p;
  count_in(p.begin<short>(1));
  auto& number = p.begin<long>(1);
  number.fetch_add(1);
  p.begin<short>(1).fetch_add(1);
  std::thread([&] { number.fetch_add(1); }).join();
}

constexpr named tests[] = {FENCEPOST_NAMED(functions),
                           FENCEPOST_NAMED(functions_and_back),
                           FENCEPOST_NAMED(functions_relaxed),
                           FENCEPOST_NAMED(one_place),
                           FENCEPOST_NAMED(begins_after_a_use_acquired),
                           FENCEPOST_NAMED(begins_after_a_use_relaxed),
                           FENCEPOST_NAMED(begins_after_a_read_acquired),
                           FENCEPOST_NAMED(begins_after_a_read_relaxed),
                           FENCEPOST_NAMED(used_where_another_is)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
