// Waiting on a word: the futex of this system, or a table of condition variables where there is
// none. FENCEPOST_PORTABLE_FUTEX selects the table even where there is a futex, as the tests do.
#include <atomic>
#include <cstdint>

#include "fencepost/atomics/std_atomics.hpp"

#if defined(__linux__) && !defined(FENCEPOST_PORTABLE_FUTEX)
#include "futex_linux.hpp"
namespace port = fencepost::detail::linux_futex;

#elif defined(__FreeBSD__) && !defined(FENCEPOST_PORTABLE_FUTEX)
#include "futex_freebsd.hpp"
namespace port = fencepost::detail::freebsd_futex;

// Selected by the oldest macOS that the program is built for. Apple's other systems have neither
// the one nor, for programs that are to be published, the other.
#elif defined(__ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__) && !defined(FENCEPOST_PORTABLE_FUTEX)
#if __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__ >= 140400
#include "futex_macos.hpp"
namespace port = fencepost::detail::macos_futex;
#else
#include "futex_macos_ulock.hpp"
namespace port = fencepost::detail::macos_ulock_futex;
#endif

#elif defined(_WIN32) && !defined(FENCEPOST_PORTABLE_FUTEX)
#include "futex_windows.hpp"
namespace port = fencepost::detail::windows_futex;

#else
#include "futex_portable.hpp"
namespace port = fencepost::detail::portable_futex;
#endif

namespace fencepost::detail {

bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  return port::wait(word, expected, until);
}

void futex_wake(std::atomic<std::uint32_t>& word, unsigned n) { port::wake(word, n); }

}  // namespace fencepost::detail
