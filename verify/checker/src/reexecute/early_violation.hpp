// What goes wrong in a thread while a promised write is missing. It is a violation only if the
// write follows; otherwise there is no such execution.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "execute/explorer.hpp"
#include "execute/memory.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class early_violation {
 public:
  void clear() noexcept { first_.reset(); }
  [[nodiscard]] bool any() const noexcept { return first_.has_value(); }
  // The first one of a run counts.
  void add(violation kind, std::string_view text, unsigned thread, source_location where) {
    const engine_scope scope;
    if (!first_) first_ = found{kind, std::string(text), thread, where};
  }
  // To be called when no promised write is missing any more.
  void report_to(explorer& e) const {
    if (!first_) return;
    const engine_scope scope;
    e.fail_at_end(first_->thread, first_->kind, first_->text, first_->where);
  }

 private:
  struct found {
    violation kind;
    std::string text;
    unsigned thread;
    source_location where;
  };
  std::optional<found> first_;
};

}  // namespace fencepost::verify
