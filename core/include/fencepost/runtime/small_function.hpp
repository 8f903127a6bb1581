// A callable that can be moved and not copied, kept in place if it is small: a task.
//
// In place: a callable of at most `Capacity` bytes, no more aligned than a pointer, that moves
// without exceptions. Any other is allocated. Moving is a copy of the bytes where the callable is
// trivially copyable or allocated.
//
// Threads: one thread at a time. Costs: a call is one indirect call. 8 bytes beside the
// callable.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "fencepost/runtime/empty_callable.hpp"

namespace fencepost {

// A callable that does nothing once it has been stopped: it has a type drops_itself, and stopped().
template <class F>
concept drops_itself = requires(const F& f) {
  typename F::drops_itself;
  { f.stopped() }
  noexcept->std::same_as<bool>;
};

template <class Signature, std::size_t Capacity = 48>
class small_function;

template <class R, class... Args, std::size_t Capacity>
class small_function<R(Args...), Capacity> {
 public:
  template <class F>
  static constexpr bool in_place =
      sizeof(F) <= Capacity &&
      alignof(F) <= alignof(void*) && std::is_nothrow_move_constructible_v<F>;

  // An empty function, which must not be called.
  small_function() = default;
  small_function(std::nullptr_t) noexcept {}
  // Empty if `f` is an empty callable. Throws what copying or moving `f` throws, and std::bad_alloc
  // if it is not kept in place.
  // NOLINTBEGIN(bugprone-forwarding-reference-overload): the constraint excludes this class
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, small_function> &&
           std::is_invocable_r_v<R, std::decay_t<F>&, Args...>) small_function(F&& f) {
    using callable = std::decay_t<F>;
    if (is_empty_callable(f)) return;
    if constexpr (in_place<callable>) {
      ::new (static_cast<void*>(storage_)) callable(std::forward<F>(f));
    } else {
      ::new (static_cast<void*>(storage_)) callable*(new callable(std::forward<F>(f)));
    }
    operations_ = &operations_of<callable>;
  }
  // NOLINTEND(bugprone-forwarding-reference-overload)
  // A function that was moved from is empty.
  small_function(small_function&& other) noexcept { take(other); }
  small_function& operator=(small_function&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  small_function(const small_function&) = delete;
  small_function& operator=(const small_function&) = delete;
  ~small_function() { reset(); }

  [[nodiscard]] explicit operator bool() const noexcept { return operations_ != nullptr; }

  // It must not be empty.
  R operator()(Args... args) { return operations_->call(storage_, std::forward<Args>(args)...); }

  // Whether a call would do nothing, because the callable is one that drops itself and has been
  // stopped.
  [[nodiscard]] bool stopped() const noexcept {
    return operations_ != nullptr && operations_->stopped != nullptr &&
           operations_->stopped(storage_);
  }

  // Destroys the callable.
  void reset() noexcept {
    if (operations_ == nullptr) return;
    const operations* const was = std::exchange(operations_, nullptr);
    if (was->destroy != nullptr) was->destroy(storage_);
  }

 private:
  struct operations {
    R (*call)(void* storage, Args&&... args);
    void (*move)(void* to, void* from) noexcept;  // and destroys; null: copying the bytes suffices
    void (*destroy)(void* storage) noexcept;      // null: nothing to do
    bool (*stopped)(const void* storage) noexcept;  // null: never
  };

  template <class F>
  static F& in(void* storage) noexcept {
    if constexpr (in_place<F>) {
      return *std::launder(static_cast<F*>(storage));
    } else {
      return **std::launder(static_cast<F**>(storage));
    }
  }
  template <class F>
  static R call(void* storage, Args&&... args) {
    if constexpr (std::is_void_v<R>) {
      in<F>(storage)(std::forward<Args>(args)...);
    } else {
      return in<F>(storage)(std::forward<Args>(args)...);
    }
  }
  template <class F>
  static void move(void* to, void* from) noexcept {
    F& f = in<F>(from);
    ::new (to) F(std::move(f));
    std::destroy_at(&f);
  }
  template <class F>
  static void destroy(void* storage) noexcept {
    if constexpr (in_place<F>) {
      std::destroy_at(&in<F>(storage));
    } else {
      delete &in<F>(storage);
    }
  }
  template <class F>
  static constexpr auto stopped_of() noexcept -> bool (*)(const void*) noexcept {
    if constexpr (drops_itself<F>) {
      return
          [](const void* storage) noexcept { return in<F>(const_cast<void*>(storage)).stopped(); };
    } else {
      return nullptr;
    }
  }
  template <class F>
  static constexpr operations operations_of{
      &call<F>, in_place<F> && !std::is_trivially_copyable_v<F> ? &move<F> : nullptr,
      in_place<F>&& std::is_trivially_destructible_v<F> ? nullptr : &destroy<F>, stopped_of<F>()};

  // Moves the callable out of `other`. This function must be empty.
  void take(small_function& other) noexcept {
    operations_ = std::exchange(other.operations_, nullptr);
    if (operations_ == nullptr) return;
    if (operations_->move == nullptr) {
      std::memcpy(storage_, other.storage_, Capacity);
    } else {
      operations_->move(storage_, other.storage_);
    }
  }

  static_assert(Capacity >= sizeof(void*), "an allocated callable is kept by its address");

  const operations* operations_ = nullptr;
  alignas(void*) std::byte storage_[Capacity];
};

}  // namespace fencepost
