// What the headers here that wait call in the checker (waits.cpp).
#ifndef FENCEPOST_STD_WAITS_H
#define FENCEPOST_STD_WAITS_H

#pragma GCC system_header

extern "C" {
// Waits until the object holds that value, and acquires what was released with it.
void __fencepost_await(const void* object, __SIZE_TYPE__ size, const void* value) noexcept;
// Waits while the object holds what is expected, which the thread has read; it reads again.
void __fencepost_wait_while(const void* object, __SIZE_TYPE__ size, const void* expected) noexcept;
// The same. False: so many nanoseconds have passed.
bool __fencepost_wait_for(const void* object, __SIZE_TYPE__ size, const void* expected,
                          long long how_long) noexcept;
// The object is an address to it, which may be gone: that a future is ready happens before what
// another thread does then.
void __fencepost_notify(const void* object, bool all) noexcept;
// A function of the object that accesses nothing of it is called.
void __fencepost_use(const void* object, __SIZE_TYPE__ size) noexcept;
[[noreturn]] void __fencepost_misuse(const char* what) noexcept;
}

#endif
