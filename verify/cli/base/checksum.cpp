#include "base/checksum.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <ios>
#include <vector>

namespace fencepost::cli {

void checksum::add(std::string_view bytes) {
  add_word(bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), size);
    add_word(word);
    bytes.remove_prefix(size);
  }
}

bool checksum::add_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::vector<char> some(1U << 20U);
  while (file.read(some.data(), static_cast<std::streamsize>(some.size())) || file.gcount() > 0)
    add({some.data(), static_cast<std::size_t>(file.gcount())});
  return true;
}

std::string checksum::text() const { return fmt::format("{:016x}{:016x}", one_, other_); }

void checksum::add_word(std::uint64_t word) noexcept {
  one_ = (one_ ^ word) * 1099511628211U;
  one_ ^= one_ >> 32U;
  other_ = (other_ + word) * 0x9e3779b97f4a7c15U;
  other_ ^= other_ >> 29U;
}

}  // namespace fencepost::cli
