// Relacy's interface on this checker: a Relacy test that includes this header instead of
// relacy/relacy.hpp is explored exhaustively. docs/guide/relacy-tests.md is the long form.
//
//   #include "fencepost/compat/relacy.hpp"
//
//   struct message_passing : rl::test_suite<message_passing, 2> {
//     rl::atomic<int> ready{0};
//     rl::var<int> data;
//     void thread(unsigned index) {
//       if (index == 0) {
//         data($) = 42;
//         ready($).store(1, rl::mo_release);
//       } else if (ready($).load(rl::mo_acquire) == 1) {
//         RL_ASSERT(data($) == 42);
//       }
//     }
//   };
//
//   int main() { return rl::simulate<message_passing>() ? 0 : 1; }
//
// Include it after every other header: like Relacy's, it defines short macros ($, VAR, assert,
// malloc, errno, pthread_create, CreateEvent, …). FENCEPOST_RELACY_KEEP_C leaves the names of the C
// library, of POSIX and of Windows alone.
// fencepost/compat/relacy_std.hpp is the counterpart of relacy/relacy_std.hpp.
//
// The interface follows Relacy's documentation and use; Relacy is Dmitry Vyukov's,
// https://github.com/dvyukov/relacy.
#pragma once

#include <cassert>
#include <cerrno>
#include <cstdlib>

#include "fencepost/compat/relacy/atomic.hpp"
#include "fencepost/compat/relacy/base.hpp"
#include "fencepost/compat/relacy/condition_variable.hpp"
#include "fencepost/compat/relacy/mutex.hpp"
#include "fencepost/compat/relacy/pthread.hpp"
#include "fencepost/compat/relacy/simulate.hpp"
#include "fencepost/compat/relacy/thread.hpp"
#include "fencepost/compat/relacy/var.hpp"
#include "fencepost/compat/relacy/windows.hpp"

#if !defined(FENCEPOST_RELACY_KEEP_C)
// NOLINTBEGIN(readability-identifier-naming): the C library's names
#undef assert
#undef errno
#define assert RL_ASSERT
#define errno (::rl::get_errno())
#define malloc(size) ::rl::rl_malloc((size), $)
#define calloc(count, size) ::rl::rl_calloc((count), (size), $)
#define free(pointer) ::rl::rl_free((pointer), $)
// NOLINTEND(readability-identifier-naming)
#endif
