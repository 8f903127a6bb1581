// An exploration that was stopped before its end: which parts of the search tree were explored,
// what was found there, and which parts are left. It is a text, with which the exploration can be
// continued later or elsewhere (options::resume); each part that is left is an exploration of its
// own, whose result can be put back.
//
// Only the program that wrote a checkpoint can continue it, with the same scenario and options. The
// text does not say which those were: its user has to keep track.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

struct kept_exploration;

class checkpoint {
 public:
  // Reads the text of options::on_checkpoint. Throws std::invalid_argument, which says what is
  // wrong with it.
  explicit checkpoint(std::string_view text);
  checkpoint(checkpoint&&) noexcept;
  checkpoint& operator=(checkpoint&&) noexcept;
  ~checkpoint();

  [[nodiscard]] std::string text() const;

  // True if all is explored, or all that comes before what ends the exploration: resume it for the
  // result.
  [[nodiscard]] bool is_complete() const;
  // True if a violation was found; there may be others before it, unless the checkpoint is
  // complete.
  [[nodiscard]] bool is_violated() const;
  [[nodiscard]] std::uint64_t executions() const;
  [[nodiscard]] std::uint64_t blocked() const;
  [[nodiscard]] double seconds() const;  // how long it was explored
  // How many executions there are, if that was estimated and not all of them were explored.
  [[nodiscard]] std::optional<estimated> whole() const;

  // The number of parts that are left, and the n-th of them, from 0; throws std::out_of_range.
  [[nodiscard]] std::size_t parts() const;
  [[nodiscard]] checkpoint part(std::size_t n) const;
  // Puts back what became of a part. Throws std::invalid_argument if that is not one of the parts
  // that are left, or was explored knowing something else about the program: then nothing has
  // changed.
  void put(const checkpoint& explored);

 private:
  explicit checkpoint(kept_exploration);

  std::unique_ptr<kept_exploration> kept_;
};

}  // namespace fencepost::verify
