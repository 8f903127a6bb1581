#include <array>
#include <cstdint>

#include "graph/graph.hpp"
#include "graph/mix.hpp"

namespace fencepost::verify {

// Equal for equal graphs, in whatever order their events were added: threads are named by their
// creators, locations by the threads that constructed them.
std::uint64_t graph::fingerprint() const {
  std::array<std::uint64_t, max_threads> name{};
  name[0] = 1;
  // A creator may have a greater number than its child (numbers are reused).
  for (unsigned round = 0; round < threads_; ++round) {
    for (unsigned t = 0; t < threads_; ++t) {
      if (name[t] == 0) continue;
      for (unsigned i = 1; i <= logs_[t].length(); ++i) {
        const event& e = logs_[t].events[i];
        if (e.kind != event_kind::create) continue;
        unsigned nth = 0;
        for (unsigned child = 0; child < threads_; ++child)
          if (e.concerns(child)) name[child] = mix(mix(name[t], i), ++nth);
      }
    }
  }
  const auto event_name = [&](event_id id) {
    return id == initial_write ? 0 : mix(name[thread_of(id)], index_of(id));
  };
  const auto location_name = [&](location l) {
    if (l == no_location) return std::uint64_t{0};
    return mix(mix(name[histories_[l].owner], histories_[l].ordinal), 0x10c);
  };
  std::uint64_t sum = 0;  // over threads and locations, in any order
  for (unsigned t = 0; t < threads_; ++t) {
    if (t != 0 && logs_[t].length() == 0) continue;
    std::uint64_t h = name[t];
    for (unsigned i = 1; i <= logs_[t].length(); ++i) {
      const event& e = logs_[t].events[i];
      h = mix(h, static_cast<std::uint64_t>(e.kind) << 8 | static_cast<unsigned>(e.effective()));
      for (unsigned k = 0; k < e.fields(); ++k) {
        h = mix(h, location_name(e.loc[k]));
        if (e.reads()) h = mix(h, event_name(e.rf[k]));
      }
      h = mix(h, e.read);
      h = mix(h, e.writes() ? e.written : 0);
      h = mix(h, e.spurious);
    }
    sum += mix(h, 1);
  }
  for (location l = 0; l < locations(); ++l) {
    if (histories_[l].mo.size() < 2) continue;
    std::uint64_t h = location_name(l);
    for (const event_id w : histories_[l].mo) h = mix(h, event_name(w));
    sum += mix(h, 2);
  }
  return mix(sum, 3);
}

}  // namespace fencepost::verify
