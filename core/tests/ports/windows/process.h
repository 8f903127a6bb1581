// A fake of Windows's header: what the ports use of it. The test defines the function.
#pragma once

#include <cstdint>

extern "C" std::uintptr_t _beginthreadex(void* security, unsigned stack_size,
                                         unsigned(__stdcall* start)(void*), void* argument,
                                         unsigned flags, unsigned* id);
