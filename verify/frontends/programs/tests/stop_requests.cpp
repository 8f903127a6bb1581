// Stop requests: callbacks and threads that wait for a request, right and wrong.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "named_program.hpp"

namespace {

int plain = 0;

void calls_what_is_registered() {
  std::stop_source source;
  int calls = 0;
  std::jthread other([&] {
    plain = 1;
    assert(source.request_stop());
  });
  {
    const std::stop_callback call(source.get_token(), [&] {
      assert(plain == 1);
      ++calls;
    });
  }
  assert(calls <= 1);
}
void writes_after_its_request() {
  std::stop_source source;
  std::jthread other([&] {
    source.request_stop();
    plain = 1;
  });
  if (source.stop_requested()) assert(plain == 1);
}
void reads_what_was_requested() {
  std::stop_source source;
  std::jthread other([&] {
    plain = 1;
    source.request_stop();
  });
  if (source.get_token().stop_requested()) assert(plain == 1);
}

using call_of_any = std::stop_callback<std::function<void()>>;
void ends_after_the_call() {
  std::stop_source source;
  int calls = 0;
  std::jthread other([&] { source.request_stop(); });
  std::optional<call_of_any> call(std::in_place, source.get_token(), [&] { ++calls; });
  call.reset();
  ++calls;
}
void goes_on_during_the_call() {
  std::stop_source source;
  int calls = 0;
  std::jthread other([&] { source.request_stop(); });
  const call_of_any call(source.get_token(), [&] { ++calls; });
  ++calls;
}
// Each is called once: by the thread that requests the stop, or by the one that registers it later.
void calls_each_of_two() {
  std::stop_source source;
  std::atomic<int> calls = 0;
  std::optional<call_of_any> first(std::in_place, source.get_token(), [&] { ++calls; });
  std::jthread other([&] { source.request_stop(); });
  {
    const call_of_any second(source.get_token(), [&] { ++calls; });
  }
  other.join();
  assert(calls >= 1 && calls <= 2);
  const call_of_any late(source.get_token(), [&] { calls = 7; });
  assert(calls == 7);
}
void destroys_itself_in_the_call() {
  std::stop_source source;
  std::unique_ptr<call_of_any> call;
  call = std::make_unique<call_of_any>(source.get_token(), [&] { call.reset(); });
  std::jthread([&] { source.request_stop(); }).join();
  assert(call == nullptr);
}

void waits_with_a_token() {
  std::mutex m;
  std::condition_variable_any c;
  std::jthread waiter([&](const std::stop_token& token) {
    std::unique_lock lock(m);
    assert(!c.wait(lock, token, [] { return false; }) && token.stop_requested());
  });
}
void waits_without_a_token() {
  std::mutex m;
  std::condition_variable_any c;
  std::jthread waiter([&](const std::stop_token&) {
    std::unique_lock lock(m);
    c.wait(lock, [] { return false; });
  });
}
void looks_for_a_request() {
  std::jthread waiter([](const std::stop_token& token) {
    while (!token.stop_requested()) std::this_thread::yield();
  });
}
void looks_for_another_request() {
  std::stop_source other;
  std::jthread waiter([token = other.get_token()] {
    while (!token.stop_requested()) std::this_thread::yield();
  });
}

void last_owner_ends_it() {
  std::optional<std::stop_source> source(std::in_place);
  std::jthread other([token = source->get_token()]() mutable {
    assert(!token.stop_requested());
    token = {};
  });
  source.reset();
}
void last_source_orders_nothing() {
  std::optional<std::stop_source> source(std::in_place);
  const std::stop_token token = source->get_token();
  std::jthread other([&] {
    plain = 1;
    source.reset();
  });
  if (!token.stop_possible()) assert(plain == 1);
}

void tokens_and_sources() {
  std::stop_token none;
  const std::stop_source empty(std::nostopstate);
  assert(!none.stop_possible() && !empty.stop_possible() && none == empty.get_token());
  {
    std::stop_source source;
    std::stop_source copy(source), other;
    none = copy.get_token();
    assert(none.stop_possible() && none == source.get_token() && source == copy && copy != other);
    swap(copy, other);
    assert(source == other && !none.stop_requested());
    other = std::move(copy);
    assert(!copy.stop_possible() && other != source);
  }
  assert(!none.stop_possible());  // nobody can request it any more
  bool called = false;
  const std::stop_callback never(none, [&] { called = true; });
  std::stop_source last;
  assert(last.request_stop() && !last.request_stop() && last.get_token().stop_requested());
  assert(!called);
}

constexpr named tests[] = {
    FENCEPOST_NAMED(calls_what_is_registered),    FENCEPOST_NAMED(writes_after_its_request),
    FENCEPOST_NAMED(reads_what_was_requested),    FENCEPOST_NAMED(ends_after_the_call),
    FENCEPOST_NAMED(goes_on_during_the_call),     FENCEPOST_NAMED(calls_each_of_two),
    FENCEPOST_NAMED(destroys_itself_in_the_call), FENCEPOST_NAMED(waits_with_a_token),
    FENCEPOST_NAMED(waits_without_a_token),       FENCEPOST_NAMED(looks_for_a_request),
    FENCEPOST_NAMED(looks_for_another_request),   FENCEPOST_NAMED(last_owner_ends_it),
    FENCEPOST_NAMED(last_source_orders_nothing),  FENCEPOST_NAMED(tokens_and_sources)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
