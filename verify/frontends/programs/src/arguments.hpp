// The arguments of the program. Since it may change them, each execution starts with a fresh copy.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace fencepost::programs {

class arguments {
 public:
  explicit arguments(std::span<char*> given) {
    for (const char* const a : given) {
      offsets_.push_back(original_.size());
      original_.insert(original_.end(), a, a + std::strlen(a) + 1);
    }
    bytes_.resize(original_.size());
    pointers_.resize(given.size() + 1);
  }
  char** for_execution() {
    std::memcpy(bytes_.data(), original_.data(), original_.size());
    for (std::size_t i = 0; i < offsets_.size(); ++i) pointers_[i] = bytes_.data() + offsets_[i];
    pointers_.back() = nullptr;
    return pointers_.data();
  }
  // The memory that an execution may change.
  [[nodiscard]] std::span<char> bytes() noexcept { return bytes_; }
  [[nodiscard]] std::span<char> pointers() noexcept {
    return {reinterpret_cast<char*>(pointers_.data()), pointers_.size() * sizeof(char*)};
  }
  [[nodiscard]] int count() const noexcept { return static_cast<int>(offsets_.size()); }

 private:
  std::vector<char> original_, bytes_;
  std::vector<std::size_t> offsets_;
  std::vector<char*> pointers_;
};

}  // namespace fencepost::programs
