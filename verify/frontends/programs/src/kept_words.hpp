// Words that a function of the runtime keeps while other threads of the program may run. The
// execution may end in between, or be resumed from there more than once, so the function's own
// memory must not hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mostly_empty.hpp"

namespace fencepost::programs {

// The words of one thread. The list that begins last ends first.
using kept_list = mostly_empty<std::vector<std::uintptr_t>>;

class kept_words {
 public:
  explicit kept_words(kept_list& of_thread) noexcept : all_(of_thread), begin_(of_thread.size()) {}
  ~kept_words() { all_.resize(begin_); }
  kept_words(const kept_words&) = delete;
  kept_words& operator=(const kept_words&) = delete;

  void add(std::uintptr_t word) { all_.push_back(word); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size() - begin_; }
  [[nodiscard]] std::uintptr_t operator[](std::size_t n) const noexcept { return all_[begin_ + n]; }

 private:
  kept_list& all_;
  const std::size_t begin_;
};

}  // namespace fencepost::programs
