// What is drawn of an execution, before it is laid out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/verify/drawing.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

struct picture {
  enum class line : std::uint8_t {
    program_order,
    thread,        // its creation, or the wait for its end
    reads,         // reads-from that does not synchronize
    reads_below,   // likewise, from what comes after it (load buffering)
    synchronizes,  // with or without reads-from
    modification,
    from_read,
    unordered,  // between a read and the write that it misses, or a race
  };
  struct box {
    std::size_t step = 0;  // its index
    std::size_t lane = 0;
    bool wrong = false;  // the violation, or what it is about
    std::string text;    // "load acquire ready_ = 1, initial value"
    std::string place;   // "mailbox.hpp:27 receive"
    std::string code;
  };
  struct link {
    line kind = line::program_order;
    std::size_t from = 0;  // indices of boxes
    std::size_t to = 0;
    std::string label;
  };

  std::string title;
  std::vector<std::string> lanes;
  std::vector<box> boxes;  // in the order of the steps
  std::vector<link> links;
  std::vector<std::size_t> left_out;  // steps before each box that are left out

  // `c` is `e` if that is a counterexample, else null.
  picture(const execution& e, const counterexample* c, const drawing_style&);
};

// A name for style sheets: "rf", "sw", "unordered".
std::string_view class_of(picture::line) noexcept;
// What the line means, for the legend.
std::string_view meaning_of(picture::line) noexcept;

}  // namespace fencepost::verify
