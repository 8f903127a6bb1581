// Waiting loops, choices, threads that a test starts itself, and memory.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <tuple>
#include <utility>

#include "fencepost/compat/relacy/base.hpp"

namespace rl {

// Ends a turn of a loop that waits; how long the wait is makes no difference.
inline void yield(unsigned /*count*/ = 1, debug_info_param /*info*/ = debug_info::current()) {
  detail::checked_atomics::spin_pause();
}

template <unsigned Factor, unsigned Addend>
class backoff_t {
 public:
  void yield(debug_info_param info = debug_info::current()) { rl::yield(1, info); }
};
using backoff = backoff_t<1, 0>;
using linear_backoff = backoff_t<1, 1>;
using exp_backoff = backoff_t<2, 0>;

// Returns one of 0 … limit-1; each of them is explored.
inline unsigned rand(unsigned limit, debug_info_param info = debug_info::current()) {
  return limit < 2 ? 0 : detail::here().choose(limit, fencepost::verify::budget::none, info);
}

// Returns the index of the test's thread(index); 0 in before() and after().
inline thread_id_t thread_index() {
  const unsigned id = detail::here().this_thread();
  return id == 0 ? 0 : static_cast<thread_id_t>(id - 1);
}

// NOLINTBEGIN(readability-identifier-naming): Relacy's names
struct context {
  struct thread_info {
    thread_id_t index_ = 0;
  };
  thread_info self{thread_index()};
  thread_info* threadx_ = &self;

  context() = default;
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  static thread_id_t current_thread() { return thread_index(); }
};
// NOLINTEND(readability-identifier-naming)
inline context ctx() { return {}; }

// The hash of an address is the same in every execution.
inline std::size_t hash_ptr(const void* p, std::size_t size) {
  return static_cast<std::size_t>(
             (reinterpret_cast<std::uintptr_t>(p) >> 4U) * 0x9e3779b97f4a7c15U >> 32U) %
         size;
}

namespace detail {

// A thread and its result, owned by the object that started it.
struct started_thread {
  std::function<void*()> body;
  void* result = nullptr;
  unsigned id = 0;

  static void run(void* self) {
    auto* t = static_cast<started_thread*>(self);
    t->result = t->body();
  }
  void start(debug_info_param info) { id = here().create(&run, this, info); }
  void join(debug_info_param info) {
    if (id == 0)
      fail(test_result_other_violation, violation::misuse, "join of a thread that is not joinable",
           info);
    here().join(std::exchange(id, 0U), info);
  }
};

}  // namespace detail

class dyn_thread {
 public:
  void start(void* (*function)(void*), void* argument,
             debug_info_param info = debug_info::current()) {
    thread_.body = [function, argument] { return function(argument); };
    thread_.start(info);
  }
  void join(debug_info_param info = debug_info::current()) { thread_.join(info); }

 private:
  detail::started_thread thread_;
};

// std::thread. The last argument may be a source location.
class thread {
 public:
  class id {
   public:
    id() = default;
    explicit id(unsigned number) : number_(number) {}
    friend auto operator<=>(const id&, const id&) = default;
    [[nodiscard]] std::size_t hash() const { return number_; }

   private:
    unsigned number_ = 0;
  };

  thread() = default;
  template <class F, class... Arguments>
  requires(!std::is_same_v<std::remove_cvref_t<F>, thread>) explicit thread(
      F&& f, Arguments&&... arguments)
      : thread_(std::make_unique<detail::started_thread>()) {
    ((started_ = place(arguments, started_)), ...);
    auto all = std::make_tuple(std::decay_t<F>(std::forward<F>(f)),
                               std::decay_t<Arguments>(std::forward<Arguments>(arguments))...);
    thread_->body = [all = std::move(all)]() mutable -> void* {
      std::apply([](auto& g, auto&... each) { call(g, each...); }, all);
      return nullptr;
    };
    thread_->start(started_);
    id_ = id(thread_->id + 1);
  }
  ~thread() { require_joined(); }
  thread(thread&& other) noexcept
      : thread_(std::move(other.thread_)),
        id_(std::exchange(other.id_, id())),
        started_(other.started_) {}
  thread& operator=(thread&& other) noexcept {
    require_joined();
    thread_ = std::move(other.thread_);
    id_ = std::exchange(other.id_, id());
    started_ = other.started_;
    return *this;
  }

  [[nodiscard]] bool joinable() const noexcept { return thread_ != nullptr; }
  void join(debug_info_param info = debug_info::current()) {
    if (thread_ == nullptr) detail::started_thread().join(info);
    thread_->join(info);
    thread_.reset();
    id_ = id();
  }
  [[nodiscard]] id get_id() const noexcept { return id_; }
  static unsigned hardware_concurrency() noexcept { return 1; }

 private:
  static debug_info place(const debug_info& given, const debug_info&) { return given; }
  template <class T>
  static debug_info place(const T&, const debug_info& otherwise) {
    return otherwise;
  }
  template <class F, class... Arguments>
  static void call(F& f, Arguments&... arguments) {
    if constexpr (std::is_invocable_v<F, Arguments...>)
      std::invoke(f, std::move(arguments)...);
    else
      call_without_last(f, std::forward_as_tuple(arguments...),
                        std::make_index_sequence<sizeof...(arguments) - 1>());
  }
  template <class F, class Tuple, std::size_t... I>
  static void call_without_last(F& f, [[maybe_unused]] Tuple arguments, std::index_sequence<I...>) {
    std::invoke(f, std::move(std::get<I>(arguments))...);
  }
  void require_joined() const {
    if (thread_ != nullptr)
      detail::fail(test_result_other_violation, detail::violation::misuse,
                   "a thread is destroyed that was not joined; it was started here", started_);
  }

  std::unique_ptr<detail::started_thread> thread_;
  id id_;
  debug_info started_;  // unknown, unless given
};

namespace this_thread {
inline thread::id get_id() { return thread::id(detail::here().this_thread() + 1); }
inline void yield(debug_info_param info = debug_info::current()) { rl::yield(1, info); }
template <class Duration>
void sleep_for(const Duration&, debug_info_param info = debug_info::current()) {
  rl::yield(1, info);
}
}  // namespace this_thread

// The checker tracks memory from these as it tracks memory from new.
inline void* rl_malloc(std::size_t size, debug_info_param = debug_info::current()) {
  return ::operator new(size == 0 ? 1 : size);
}
inline void* rl_calloc(std::size_t count, std::size_t size,
                       debug_info_param = debug_info::current()) {
  if (size != 0 && count > SIZE_MAX / size) return nullptr;
  void* p = rl_malloc(count * size);
  std::memset(p, 0, count * size);
  return p;
}
inline void rl_free(void* p, debug_info_param = debug_info::current()) { ::operator delete(p); }

inline int& get_errno() {
  static thread_local int outside = 0;
  if (detail::current_session == nullptr) return outside;
  return detail::current_session->errors[detail::here().this_thread()];
}

}  // namespace rl

template <>
struct std::hash<rl::thread::id> {
  std::size_t operator()(const rl::thread::id& i) const noexcept { return i.hash(); }
};

#define RL_NEW new
#define RL_DELETE(pointer) delete (pointer)
#define RL_NEW_ARR(type, count) new type[count]  // NOLINT(bugprone-macro-parentheses)
#define RL_DELETE_ARR(pointer) delete[](pointer)
