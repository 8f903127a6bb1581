// The calls of <stdatomic.h> that a litmus test may make.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fencepost/litmus/program.hpp"
#include "lexer.hpp"

namespace fencepost::litmus {

struct atomic_call {
  enum class kind : std::uint8_t { load, store, modify, compare_exchange, fence };
  kind what = kind::load;
  rmw_operation op = rmw_operation::exchange;
  bool weak = false;
  bool explicit_order = false;
};

std::optional<atomic_call> atomic_call_named(std::string_view name);

// Reads a memory order for `function`; `release` and `acquire` say which orders it may have.
access_order take_order(lexer&, const std::string& function, bool release, bool acquire);

}  // namespace fencepost::litmus
