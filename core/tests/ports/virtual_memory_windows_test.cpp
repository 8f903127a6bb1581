// Virtual memory on Windows: what the port asks of functions that the test defines.
#include "../../src/virtual_memory.hpp"

#include <gtest/gtest.h>
#include <windows.h>

#include <array>
#include <vector>

namespace {

struct call {
  void* at;
  std::size_t size;
  DWORD type, protection;
  friend bool operator==(const call&, const call&) = default;
};

std::vector<call> calls;
bool refuses = false;
std::array<std::byte, 16> memory;

}  // namespace

extern "C" {
DWORD GetLastError() { return 8; }
void GetSystemInfo(SYSTEM_INFO* info) { info->dwPageSize = 4096; }
LPVOID VirtualAlloc(LPVOID at, SIZE_T size, DWORD type, DWORD protection) {
  calls.push_back({at, size, type, protection});
  return refuses ? nullptr : memory.data();
}
BOOL VirtualFree(LPVOID at, SIZE_T size, DWORD type) {
  calls.push_back({at, size, type, 0});
  return refuses ? 0 : 1;
}
}

namespace fencepost::detail::virtual_memory {
namespace {

struct virtual_memory_on_windows : testing::Test {
  virtual_memory_on_windows() {
    calls.clear();
    refuses = false;
  }
};

TEST_F(virtual_memory_on_windows, address_space_is_reserved_without_access) {
  EXPECT_EQ(reserve(8192), memory.data());
  EXPECT_EQ(calls, (std::vector<call>{{nullptr, 8192, MEM_RESERVE, PAGE_NOACCESS}}));
}

TEST_F(virtual_memory_on_windows, parts_of_it_are_committed_and_decommitted) {
  EXPECT_TRUE(commit(memory.data(), 4096));
  EXPECT_TRUE(decommit(memory.data(), 4096));
  EXPECT_EQ(calls, (std::vector<call>{{memory.data(), 4096, MEM_COMMIT, PAGE_READWRITE},
                                      {memory.data(), 4096, MEM_DECOMMIT, 0}}));
}

TEST_F(virtual_memory_on_windows, it_is_released_whole_which_is_said_by_no_size) {
  release(memory.data(), 8192);
  EXPECT_EQ(calls, (std::vector<call>{{memory.data(), 0, MEM_RELEASE, 0}}));
}

TEST_F(virtual_memory_on_windows, a_refusal_is_said) {
  refuses = true;
  EXPECT_EQ(reserve(8192), nullptr);
  EXPECT_FALSE(commit(memory.data(), 4096));
  EXPECT_FALSE(decommit(memory.data(), 4096));
  EXPECT_EQ(system_error(), 8);
}

TEST_F(virtual_memory_on_windows, a_page_is_the_systems) { EXPECT_EQ(page_size(), 4096u); }

}  // namespace
}  // namespace fencepost::detail::virtual_memory
