// A container that is kept at each resume point and put back from it, and mostly has nothing.
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
