// A fake of FreeBSD's header: what the port uses of it, so that it compiles elsewhere. The test
// defines the function.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <ctime>

enum { UMTX_OP_WAKE = 3, UMTX_OP_WAIT_UINT_PRIVATE = 15, UMTX_OP_WAKE_PRIVATE = 16 };
enum { UMTX_ABSTIME = 1 };

struct _umtx_time {
  timespec _timeout;
  std::uint32_t _flags;
  std::uint32_t _clockid;
};

extern "C" int _umtx_op(void* object, int operation, u_long value, void* first, void* second);
