// Numbers and places in sentences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fencepost/verify/result.hpp"
#include "fencepost/verify/text.hpp"

namespace fencepost::verify {

// "1 thread", "2 threads".
inline std::string counted(std::uint64_t count, std::string_view what) {
  return grouped(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

// "mailbox.hpp:21".
inline std::string place(const source_location& at) {
  const std::string_view file = at.file;
  return std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(at.line);
}

}  // namespace fencepost::verify
