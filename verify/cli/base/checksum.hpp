// A checksum of texts and files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fencepost::cli {

// Detects accidental changes. Adds words rather than bytes, since programs have tens of megabytes.
class checksum {
 public:
  void add(std::string_view bytes);
  // Returns false if the file cannot be opened.
  bool add_file(const std::string& path);
  [[nodiscard]] std::string text() const;  // 32 hexadecimal digits

 private:
  void add_word(std::uint64_t word) noexcept;

  std::uint64_t one_ = 14695981039346656037U;
  std::uint64_t other_ = 0;
};

}  // namespace fencepost::cli
