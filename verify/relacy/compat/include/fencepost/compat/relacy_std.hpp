// relacy.hpp for tests of code that uses std::atomic, std::mutex, std::thread: after this include
// these names mean the checker's, and all other names of std mean the standard library's.
//
// `std` is a macro from here on. A standard header that is included later would not compile: those
// that this header includes are harmless, any other must come before it. The same is true of
// `namespace std {` in the code itself.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "fencepost/compat/relacy.hpp"

namespace rl::std_names {

using namespace ::std;  // NOLINT: a name that stands below comes before one of std

using rl::memory_order;
using rl::memory_order_acq_rel;
using rl::memory_order_acquire;
using rl::memory_order_consume;
using rl::memory_order_relaxed;
using rl::memory_order_release;
using rl::memory_order_seq_cst;
using rl::mo_acq_rel;
using rl::mo_acquire;
using rl::mo_consume;
using rl::mo_relaxed;
using rl::mo_release;
using rl::mo_seq_cst;

using rl::atomic;
using rl::atomic_bool;
using rl::atomic_char;
using rl::atomic_flag;
using rl::atomic_int;
using rl::atomic_intptr_t;
using rl::atomic_llong;
using rl::atomic_long;
using rl::atomic_ptrdiff_t;
using rl::atomic_schar;
using rl::atomic_short;
using rl::atomic_signal_fence;
using rl::atomic_size_t;
using rl::atomic_thread_fence;
using rl::atomic_uchar;
using rl::atomic_uint;
using rl::atomic_uintptr_t;
using rl::atomic_ullong;
using rl::atomic_ulong;
using rl::atomic_ushort;
using rl::atomic_wchar_t;

using rl::condition_variable;
using rl::condition_variable_any;
using rl::lock_guard;
using rl::mutex;
using rl::recursive_mutex;
using rl::scoped_lock;
using rl::thread;
using rl::unique_lock;

namespace this_thread = rl::this_thread;

}  // namespace rl::std_names

#undef ATOMIC_FLAG_INIT
#define ATOMIC_FLAG_INIT RL_ATOMIC_FLAG_INIT

// NOLINTNEXTLINE(readability-identifier-naming)
#define std rl::std_names
