// What the checker cannot know of an execution of a program: kept here for its resume points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "execute/front_end_state.hpp"
#include "program_options.hpp"
#include "session.hpp"

namespace fencepost::programs {

// The kept states of an exploration. Lives as long as the exploration.
class kept_sessions final : public verify::front_end_state {
 public:
  kept_sessions(session& s, arguments& given);
  ~kept_sessions();
  kept_sessions(const kept_sessions&) = delete;
  kept_sessions& operator=(const kept_sessions&) = delete;

  [[nodiscard]] bool can_resume() const override {
    return session_.can_resume() && !are_options_being_read();
  }
  [[nodiscard]] std::span<const std::span<char>> memory() override;
  void keep(std::size_t number, const verify::fibers&) override;
  void put_back(std::size_t number, const verify::fibers&) override;
  [[nodiscard]] bool is_foreign(const void* p) const noexcept override {
    return session_.program().is_of_library(p);
  }
  [[nodiscard]] bool runs_on_stacks() const noexcept override {
    return session_.program().runs_on_stacks();
  }
  [[nodiscard]] bool end_with_program(std::uint64_t waiting) override;
  [[nodiscard]] std::optional<std::string> why_over() const override;

 private:
  session& session_;
  std::vector<std::unique_ptr<session::kept>> all_;
  std::vector<std::span<char>> always_;  // its addresses do not change
  std::vector<std::span<char>> memory_;
};

}  // namespace fencepost::programs
