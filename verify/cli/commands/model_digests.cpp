#include "commands/model_digests.hpp"

#include <map>

namespace fencepost::cli {

std::string_view digest_of_model(std::string_view component) {
  static const std::map<std::string_view, std::string_view> digests{
#include "digests.inc"
  };
  const auto found = digests.find(component);
  return found == digests.end() ? std::string_view() : found->second;
}

}  // namespace fencepost::cli
