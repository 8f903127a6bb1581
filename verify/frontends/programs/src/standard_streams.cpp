#include "standard_streams.hpp"

#include <cstring>
#include <iostream>

namespace fencepost::programs {

namespace {

// Nothing of their state is elsewhere, but for what is refused (std::ios_base::xalloc()).
class kept_stream {
 public:
  explicit kept_stream(std::ostream& s) : stream_(&s) { std::memcpy(kept_, stream_, sizeof kept_); }
  void put_back() const { std::memcpy(stream_, kept_, sizeof kept_); }

 private:
  void* stream_;
  char kept_[sizeof(std::ostream)];
};

}  // namespace

void put_standard_streams_back() {
  static const kept_stream all[] = {kept_stream(std::cout), kept_stream(std::cerr),
                                    kept_stream(std::clog)};
  for (const kept_stream& s : all) s.put_back();
}

}  // namespace fencepost::programs
