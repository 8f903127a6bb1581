// The readings of the C++ memory model.
#pragma once

#include <cstdint>
#include <string_view>

namespace fencepost::verify {

// Which reading of the C++ memory model is explored; all but xc20 forbid cycles of program order
// and reads-from. See docs/guide/memory-model.md.
enum class memory_model : std::uint8_t {
  rc20,   // RC11's psc, C++20's release sequences: what holds here holds in the next two as well
  rc11,   // RC11 as published: C++11's release sequences
  cpp20,  // the text of C++20: one total order S
  xc20,   // rc20, and load buffering: see options::reexecutions
};

constexpr std::string_view to_string(memory_model m) noexcept {
  switch (m) {
    case memory_model::rc20: return "rc20";
    case memory_model::rc11: return "rc11";
    case memory_model::cpp20: return "c++20";
    case memory_model::xc20: return "xc20";
  }
  return "?";
}

}  // namespace fencepost::verify
