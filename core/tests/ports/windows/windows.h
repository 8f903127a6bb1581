// A fake of Windows's header: what the ports use of it, so that they compile elsewhere. The test
// defines the functions.
#pragma once

#include <cstddef>
#include <cstdint>

using BOOL = int;
using DWORD = std::uint32_t;
using SIZE_T = std::size_t;
using LPVOID = void*;
using PVOID = void*;
using HANDLE = void*;

#define __stdcall  // NOLINT(bugprone-reserved-identifier): a keyword there

struct SYSTEM_INFO {
  DWORD dwPageSize;
};

constexpr DWORD INFINITE = 0xffff'ffff;
constexpr DWORD ERROR_TIMEOUT = 1460;
constexpr DWORD WAIT_OBJECT_0 = 0;
constexpr DWORD WAIT_ABANDONED_0 = 0x80;
constexpr DWORD WAIT_TIMEOUT = 258;
constexpr DWORD WAIT_FAILED = 0xffff'ffff;
constexpr DWORD MAXIMUM_WAIT_OBJECTS = 64;
constexpr BOOL FALSE = 0;
constexpr DWORD STACK_SIZE_PARAM_IS_A_RESERVATION = 0x10000;
constexpr DWORD MEM_COMMIT = 0x1000;
constexpr DWORD MEM_RESERVE = 0x2000;
constexpr DWORD MEM_DECOMMIT = 0x4000;
constexpr DWORD MEM_RELEASE = 0x8000;
constexpr DWORD PAGE_NOACCESS = 0x01;
constexpr DWORD PAGE_READWRITE = 0x04;

extern "C" {
DWORD GetLastError();

DWORD GetCurrentThreadId();
DWORD WaitForSingleObject(HANDLE handle, DWORD timeout);
DWORD WaitForMultipleObjects(DWORD count, const HANDLE* handles, BOOL all, DWORD timeout);
BOOL CloseHandle(HANDLE handle);

BOOL WaitOnAddress(volatile void* at, PVOID compare, SIZE_T size, DWORD timeout);
void WakeByAddressSingle(PVOID at);
void WakeByAddressAll(PVOID at);

void GetSystemInfo(SYSTEM_INFO* info);
LPVOID VirtualAlloc(LPVOID at, SIZE_T size, DWORD type, DWORD protection);
BOOL VirtualFree(LPVOID at, SIZE_T size, DWORD type);
}
