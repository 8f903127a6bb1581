// Who called whom: taken inside a body or a signal handler, named afterwards.
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

  // To be called before the first take(), which allocates nothing then.
  static void prepare() noexcept;
  void take() noexcept;
  void clear() noexcept { count_ = 0; }
  [[nodiscard]] std::vector<void*> addresses() const { return {at_, at_ + count_}; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

  // The innermost first, without those of the checker.
  [[nodiscard]] std::vector<call> calls() const;
  // Without parameters and outer scopes.
  [[nodiscard]] static std::string name_of(const call&);
  // Rather than of the system or of the policy.
  [[nodiscard]] static bool is_of_the_body(const call&);

 private:
  static constexpr int most = 48;
  void* at_[most];
  int count_ = 0;
};

}  // namespace fencepost::verify
