// What a step is, and what its thread and function are called.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// The checker's own: what runs a scenario creates and joins its threads.
bool is_runner(const step&);
bool reads(step_kind) noexcept;
bool writes(step_kind) noexcept;
bool is_plain(step_kind) noexcept;
// __builtin_FUNCTION gives a bare name; others give whole signatures.
std::string function_name(const char* function);
bool is_lambda(const std::string& function);
std::string thread_name(unsigned thread);
// The explorer numbers the threads; here the first one has a name.
std::string with_main(std::string text);
// Does the step read what is written further down, by load buffering?
bool reads_from_below(const execution&, std::size_t index) noexcept;
// The two steps of a data race, if that is clear: what happened last, and the last conflicting
// access that does not happen before.
std::optional<std::pair<std::size_t, std::size_t>> racing_steps(const counterexample&);

}  // namespace fencepost::verify
