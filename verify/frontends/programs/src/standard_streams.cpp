#include "standard_streams.hpp"

#include <cstring>
#include <iostream>

#include "c_library.hpp"
#include "session.hpp"

namespace fencepost::programs {

namespace {

// A stream has no state elsewhere, except for what is refused (std::ios_base::xalloc()).
class kept_stream {
 public:
  explicit kept_stream(std::ostream& s) : stream_(&s) { std::memcpy(kept_, stream_, sizeof kept_); }
  void put_back() const { std::memcpy(stream_, kept_, sizeof kept_); }
  [[nodiscard]] std::span<char> memory() const noexcept {
    return {static_cast<char*>(stream_), sizeof kept_};
  }

 private:
  void* stream_;
  char kept_[sizeof(std::ostream)];
};

std::span<const kept_stream> all_streams() {
  static const kept_stream all[] = {kept_stream(std::cout), kept_stream(std::cerr),
                                    kept_stream(std::clog)};
  return all;
}

}  // namespace

void put_standard_streams_back() {
  for (const kept_stream& s : all_streams()) s.put_back();
}

bool is_standard_stream(const void* p) noexcept {
  const auto in = [p](const auto& s) { return p >= &s && p < &s + 1; };
  return in(std::cout) || in(std::cerr) || in(std::clog);
}

void add_memory_of_streams(std::vector<std::span<char>>& to) {
  for (const kept_stream& s : all_streams()) to.push_back(s.memory());
}

}  // namespace fencepost::programs

using fencepost::programs::entered;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// std::ios_base::Init: constructed once, before the first execution. Executions may construct and
// destroy it unequally often, so they leave the library's count alone.
void _ZNSt8ios_base4InitC1Ev(void* self) {
  if (const entered s; !s) FENCEPOST_BEHIND(_ZNSt8ios_base4InitC1Ev)(self);
}
void _ZNSt8ios_base4InitD1Ev(void* self) {
  if (const entered s; !s) FENCEPOST_BEHIND(_ZNSt8ios_base4InitD1Ev)(self);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
