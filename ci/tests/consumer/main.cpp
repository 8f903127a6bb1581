// The workers of Fencepost's fork-join pool post into the project's own inbox.
#include <cstdint>
#include <cstdio>
#include <deque>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "inbox.hpp"

int main() {
  std::deque<inbox<std::uint64_t>::message> messages;
  for (std::uint64_t i = 1; i <= 1000; ++i) messages.emplace_back(i);

  inbox<std::uint64_t> box;
  fencepost::fork_join pool;
  pool.run([&](fencepost::fork_join_worker& me) {
    fencepost::parallel_for(me, messages, [&](auto& message) { box.post(message); });
  });

  std::uint64_t sum = 0;
  for (const auto* m = box.take_all(); m != nullptr; m = m->older()) sum += m->value();
  std::printf("the sum of the messages is %llu\n", static_cast<unsigned long long>(sum));
  return sum == 500500 ? 0 : 1;
}
