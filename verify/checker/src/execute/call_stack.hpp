// A call stack: taken inside a body or a signal handler, turned into names afterwards.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fencepost::verify {

class call_stack {
 public:
  struct call {
    std::string function;  // "" where it is not known
    std::string file;      // "" where there is no debug information
    unsigned line = 0;
  };

  // To be called before the first take(), so that take() allocates nothing.
  static void prepare() noexcept;
  void take() noexcept;
  void clear() noexcept { count_ = 0; }
  [[nodiscard]] std::vector<void*> addresses() const { return {at_, at_ + count_}; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

  // The calls, innermost first, without the checker's.
  [[nodiscard]] std::vector<call> calls() const;
  // The function's name without parameters and outer scopes.
  [[nodiscard]] static std::string name_of(const call&);
  // True if the call is in the body's code, not in the system's or the policy's.
  [[nodiscard]] static bool is_of_the_body(const call&);

 private:
  static constexpr int most = 48;
  void* at_[most];
  int count_ = 0;
};

}  // namespace fencepost::verify
