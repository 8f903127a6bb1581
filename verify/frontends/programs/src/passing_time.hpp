// Time, as the program observes it. It passes only while a thread waits or sleeps, and by what a
// thread may find to have passed when it reads a clock.
#pragma once

#include <ctime>

#include "session.hpp"

namespace fencepost::programs {

using nanoseconds = long long;
inline constexpr nanoseconds second = 1'000'000'000;

// The time of a POSIX clock, for the running thread.
nanoseconds now(const session&, clockid_t);
nanoseconds as_nanoseconds(const timespec&);
// How long it is until then.
nanoseconds until(const session&, clockid_t, const timespec&);

// Whether something happens that may happen, such as a time-out. Both are explored, within the
// budget.
bool by_chance(verify::budget, const source_location&);

}  // namespace fencepost::programs
