// Time, as the program sees it: it stands still, but for what a thread waits or sleeps, and for
// what it finds to have passed when it looks at a clock.
#pragma once

#include <ctime>

#include "session.hpp"

namespace fencepost::programs {

using nanoseconds = long long;
inline constexpr nanoseconds second = 1'000'000'000;

// Of a clock of POSIX, for the thread that is running.
nanoseconds now(const session&, clockid_t);
nanoseconds as_nanoseconds(const timespec&);
// How long it is until then.
nanoseconds until(const session&, clockid_t, const timespec&);

// Of what may happen or not, such as a time-out: both are explored, within the budget.
bool by_chance(verify::budget, const source_location&);

}  // namespace fencepost::programs
