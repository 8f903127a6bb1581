// What a step is, and what its thread and function are called.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// True for a step of the checker's own: the code that runs a scenario creates and joins its
// threads.
bool is_runner(const step&);
bool reads(step_kind) noexcept;
bool writes(step_kind) noexcept;
bool is_plain(step_kind) noexcept;
// __builtin_FUNCTION gives a bare name; others give whole signatures.
std::string function_name(const char* function);
bool is_lambda(const std::string& function);
std::string thread_name(unsigned thread);
// Replaces "thread 0", as the explorer calls it, with "main".
std::string with_main(std::string text);
// True if the step reads what is written further down, by load buffering.
bool reads_from_below(const execution&, std::size_t index) noexcept;
// Returns the two steps of a data race, if they can be determined. The second is the thread's last
// access, the first the last conflicting access that does not happen before it.
std::optional<std::pair<std::size_t, std::size_t>> racing_steps(const counterexample&);

}  // namespace fencepost::verify
