// A container that is copied to each resume point and back, and is empty most of the time.
#pragma once

namespace fencepost::programs {

template <class Container>
class mostly_empty : public Container {
 public:
  mostly_empty() = default;
  ~mostly_empty() = default;
  mostly_empty(const mostly_empty&) = default;
  mostly_empty(mostly_empty&&) noexcept = default;
  mostly_empty& operator=(const mostly_empty& other) {
    if (!this->empty() || !other.empty()) Container::operator=(other);
    return *this;
  }
  mostly_empty& operator=(mostly_empty&&) noexcept = default;
};

}  // namespace fencepost::programs
