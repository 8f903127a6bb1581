// Functions of the runtime for the headers here that wait (waits.cpp).
#ifndef FENCEPOST_STD_WAITS_H
#define FENCEPOST_STD_WAITS_H

#pragma GCC system_header

extern "C" {
// Waits until the object holds the value, and acquires what was released with it.
void __fencepost_await(const void* object, __SIZE_TYPE__ size, const void* value) noexcept;
// Waits while the object holds the expected value, which the thread has read. Then it reads again.
void __fencepost_wait_while(const void* object, __SIZE_TYPE__ size, const void* expected) noexcept;
// The same. Returns false if so many nanoseconds have passed.
bool __fencepost_wait_for(const void* object, __SIZE_TYPE__ size, const void* expected,
                          long long how_long) noexcept;
// Uses only the address of the object, which may have ended: another thread may destroy a future as
// soon as it is ready.
void __fencepost_notify(const void* object, bool all) noexcept;
// Notes a call of a member function that accesses nothing of the object.
void __fencepost_use(const void* object, __SIZE_TYPE__ size) noexcept;
[[noreturn]] void __fencepost_misuse(const char* what) noexcept;
}

#endif
