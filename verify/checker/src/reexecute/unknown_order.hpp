// What the explorer misses of a run's happens-before, since it does not know what promised reads
// read from.
#pragma once

namespace fencepost::verify {

class unknown_order {
 public:
  void clear() noexcept { *this = {}; }

  // Events that the explorer takes for unordered may be ordered.
  void lose(bool some) noexcept { loses_ = loses_ || some; }
  // The program was told that one operation is not before another.
  void deny() noexcept { denies_ = true; }
  // Plain data was accessed that the explorer takes for unordered, or for not constructed: another
  // order of the run may have other data there.
  void doubt_data() noexcept { doubts_data_ = true; }

  [[nodiscard]] bool loses_some() const noexcept { return loses_; }
  // True if the program was told this where it may be wrong.
  [[nodiscard]] bool denies_some() const noexcept { return denies_ && loses_; }
  [[nodiscard]] bool doubts_data() const noexcept { return doubts_data_; }

 private:
  bool loses_ = false;
  bool denies_ = false;
  bool doubts_data_ = false;
};

}  // namespace fencepost::verify
