// Threads under the checker.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "fencepost/verify/checked/policy.hpp"

namespace fencepost {

// std::thread. The checker reports a thread that is destroyed before it was joined.
class checked_atomics::thread {
 public:
  thread() noexcept = default;
  template <class F>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): never for a thread
  requires(!std::is_same_v<std::remove_cvref_t<F>, thread>) explicit thread(
      F&& f, source_location where = source_location::current()) {
    using body = std::decay_t<F>;
    auto owned = std::make_unique<body>(std::forward<F>(f));
    id_ = verify::detail::here().create(
        [](void* p) {
          const std::unique_ptr<body> mine(static_cast<body*>(p));
          (*mine)();
        },
        owned.get(), where);
    static_cast<void>(owned.release());
  }
  ~thread() { require_joined(); }
  thread(thread&& other) noexcept : id_(std::exchange(other.id_, 0u)) {}
  thread& operator=(thread&& other) noexcept {
    require_joined();
    id_ = std::exchange(other.id_, 0u);
    return *this;
  }

  bool joinable() const noexcept { return id_ != 0; }
  void join(source_location where = source_location::current()) {
    if (!joinable())
      verify::detail::here().fail(violation::misuse, "join() of a thread that is not joinable",
                                  where);
    verify::detail::here().join(std::exchange(id_, 0u), where);
  }

 private:
  void require_joined() {
    if (joinable())
      verify::detail::here().fail(violation::misuse, "a thread is destroyed that was not joined",
                                  {});
  }
  unsigned id_ = 0;
};

}  // namespace fencepost
