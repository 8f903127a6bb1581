// Words that a function of ours keeps while other threads of the program may run. An execution may
// end in between, or be gone on from there once more: so they are in no memory of the function's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mostly_empty.hpp"

namespace fencepost::programs {

// Of one thread: the last list that it has begun is the first one that ends.
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
