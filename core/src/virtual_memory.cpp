// The one of this system.
#if defined(_WIN32)
#include "virtual_memory_windows.hpp"
#else
#include "virtual_memory_posix.hpp"
#endif
