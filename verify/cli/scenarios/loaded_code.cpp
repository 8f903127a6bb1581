#include "scenarios/loaded_code.hpp"

#include <fmt/format.h>
#if defined(__linux__)
#include <link.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

namespace fencepost::cli {
namespace {

bool is_of_the_system(std::string_view path) {
  for (const std::string_view folder : {"/lib/", "/lib32/", "/lib64/", "/usr/lib/", "/usr/lib64/"})
    if (path.starts_with(folder)) return true;
  return path.find('/') == std::string_view::npos;  // the kernel's
}

// Detects accidental changes. Adds words rather than bytes, since programs have tens of megabytes.
class checksum {
 public:
  bool add_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return false;
    std::vector<char> some(1U << 20U);
    while (file.read(some.data(), static_cast<std::streamsize>(some.size())) || file.gcount() > 0)
      add({some.data(), static_cast<std::size_t>(file.gcount())});
    return true;
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", one_, other_); }

 private:
  void add(std::string_view bytes) {
    add(bytes.size());
    while (!bytes.empty()) {
      std::uint64_t word = 0;
      const std::size_t size = std::min(bytes.size(), sizeof word);
      std::memcpy(&word, bytes.data(), size);
      add(word);
      bytes.remove_prefix(size);
    }
  }
  void add(std::uint64_t word) {
    one_ = (one_ ^ word) * 1099511628211U;
    one_ ^= one_ >> 32U;
    other_ = (other_ + word) * 0x9e3779b97f4a7c15U;
    other_ ^= other_ >> 29U;
  }

  std::uint64_t one_ = 14695981039346656037U;
  std::uint64_t other_ = 0;
};

}  // namespace

std::string digest_of_loaded_code() {
  std::vector<std::string> files{"/proc/self/exe"};
#if defined(__linux__)
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        if (!is_of_the_system(info->dlpi_name))
          static_cast<std::vector<std::string>*>(all)->emplace_back(info->dlpi_name);
        return 0;
      },
      &files);
#endif
  checksum sum;
  for (const std::string& file : files) {
    if (!sum.add_file(file)) return {};
  }
  return sum.text();
}

}  // namespace fencepost::cli
