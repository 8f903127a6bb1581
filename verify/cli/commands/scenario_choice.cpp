#include "commands/scenario_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/usage.hpp"

namespace fencepost::cli {

namespace {

// "2/4"
std::optional<shard> parse_shard(const std::string& text) {
  shard s;
  const char* const end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, s.number);
  if (error != std::errc() || slash == end || *slash != '/') return {};
  const auto [rest, error_after] = std::from_chars(slash + 1, end, s.count);
  if (error_after != std::errc() || rest != end) return {};
  if (s.number < 1 || s.number > s.count) return {};
  return s;
}

}  // namespace

std::string in_words(const shard& s) {
  return s.count == 1 ? "" : fmt::format(" (shard {} of {})", s.number, s.count);
}

std::vector<const entry*> of_today(bool nightly, const std::vector<std::string>& patterns,
                                   std::vector<const entry*> all) {
  std::erase_if(all, [&](const entry* e) {
    return e->about.nightly && !nightly &&
           std::find(patterns.begin(), patterns.end(), e->about.name) == patterns.end();
  });
  if (all.empty()) {
    throw usage_error(
        "verify: only larger scenarios match, each of which may take minutes; add --nightly to run "
        "them");
  }
  return all;
}

// Deals the scenarios out in turn, so that neighbours, which have similar costs, go to different
// shards.
std::vector<const entry*> of_shard(const shard& s, const std::vector<const entry*>& all) {
  std::vector<const entry*> mine;
  for (std::size_t i = s.number - 1; i < all.size(); i += s.count) mine.push_back(all[i]);
  if (mine.empty()) {
    throw usage_error("verify: --shard " + std::to_string(s.number) + "/" +
                      std::to_string(s.count) + " would be empty: there " +
                      (all.size() == 1 ? "is only 1 scenario"
                                       : "are only " + std::to_string(all.size()) + " scenarios") +
                      " to share");
  }
  return mine;
}

argument shard_option(shard& s) {
  argument a{"--shard", "K/N",
             "Run only the K-th of N parts of the scenarios; the N parts together are all of them",
             argument::values::one,
             [&s](const std::vector<std::string>& given) { s = *parse_shard(given.front()); }};
  a.check = [](const std::string& text) {
    return parse_shard(text) ? std::string()
                             : "'" + text + "' is not K/N with K from 1 to N, as in 2/4";
  };
  return a;
}

}  // namespace fencepost::cli
