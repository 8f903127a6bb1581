// A first-in, first-out queue of fixed capacity, for one thread.
//
// Threads: one thread at a time. Costs: push and pop move an item; the constructor allocates the
// memory.
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace fencepost {

template <class T, std::size_t Capacity>
class ring {
  static_assert(std::has_single_bit(Capacity), "the capacity is a power of two");
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                "an item whose move throws would be lost: make its move noexcept");

 public:
  // Throws std::bad_alloc.
  ring() : cells_(std::make_unique_for_overwrite<cell[]>(Capacity)) {}
  ~ring() {
    while (!empty()) static_cast<void>(pop());
  }
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;

  [[nodiscard]] bool empty() const noexcept { return first_ == end_; }
  [[nodiscard]] bool full() const noexcept { return end_ - first_ == Capacity; }
  // The ring must not be full.
  void push(T&& item) noexcept { std::construct_at(at(end_++), std::move(item)); }
  // The ring must not be empty.
  [[nodiscard]] T pop() noexcept {
    T* const item = std::launder(at(first_++));
    T out{std::move(*item)};
    std::destroy_at(item);
    return out;
  }

 private:
  struct cell {
    alignas(T) std::byte bytes[sizeof(T)];
  };
  T* at(std::size_t number) noexcept {
    return reinterpret_cast<T*>(cells_[number % Capacity].bytes);
  }

  std::unique_ptr<cell[]> cells_;
  std::size_t first_ = 0, end_ = 0;
};

}  // namespace fencepost
