// The event that ends a wait for objects: see wake_event.hpp.
#include <system_error>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/wake_event.hpp"
#include "windows_api.hpp"

namespace fencepost {

// It stays signalled until clear(), as an eventfd stays readable.
wake_event::wake_event() : read_(CreateEventW(nullptr, /*manual reset*/ TRUE, FALSE, nullptr)) {
  if (read_ == nullptr) {
    detail::raise<std::system_error>(static_cast<int>(GetLastError()), std::system_category(),
                                     "fencepost::wake_event: no event object to end a wait with");
  }
}

wake_event::~wake_event() { CloseHandle(read_); }

void wake_event::signal() noexcept { SetEvent(read_); }
void wake_event::clear() noexcept { ResetEvent(read_); }

}  // namespace fencepost
