// The handle to a task that was spawned and is not yet synced: for the worker that spawned it.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "fencepost/runtime/fork_join_features.hpp"
#include "fencepost/runtime/fork_join_task.hpp"

namespace fencepost {

template <class P, fork_join_features Features>
class basic_fork_join_worker;

template <class F, class Worker>
class [[nodiscard]] spawned {
 public:
  using result = detail::task_result<F, Worker>;

  spawned(spawned&& other) noexcept
      : owner_{std::exchange(other.owner_, nullptr)}, at_{other.at_}, boxed_{other.boxed_} {}
  spawned& operator=(spawned&&) = delete;
  ~spawned() {
    if (owner_ != nullptr) [[unlikely]] {
      owner_->template abandon<F>(at_, boxed_);
    }
  }

 private:
  template <class P, fork_join_features Features>
  friend class basic_fork_join_worker;

  static constexpr bool in_slot = Worker::task::template holds<F>;
  using in_slot_type = std::conditional_t<in_slot, F, detail::scratch_call<F, Worker>>;
  using boxed_type = std::conditional_t<in_slot, std::monostate, detail::scratch_task<F, result>*>;

  spawned(Worker* owner, const void* at, boxed_type boxed) noexcept
      : owner_{owner}, at_{at}, boxed_{boxed} {}

  Worker* owner_;   // null: it has been synced, dropped or moved from
  const void* at_;  // the end of its slot
  [[no_unique_address]] boxed_type boxed_;
};

}  // namespace fencepost
