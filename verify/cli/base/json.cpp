#include "base/json.hpp"

#include <nlohmann/json.hpp>

#include "base/usage.hpp"

#if !defined(FENCEPOST_VERSION)
#define FENCEPOST_VERSION "0"
#endif

namespace fencepost::cli {

std::uint64_t whole_number_from(const json& j, std::uint64_t most) {
  if (j.is_number_unsigned() && j.get<std::uint64_t>() <= most) return j.get<std::uint64_t>();
  throw usage_error(j.dump() + " is not a whole number from 0 to " + std::to_string(most));
}

json document(std::string_view command) {
  return {{"format", format_version}, {"fencepost", FENCEPOST_VERSION}, {"command", command}};
}

std::string dump(const json& j, int indent) {
  return j.dump(indent, ' ', false, json::error_handler_t::replace);
}

std::string valid_text(const std::string& text) {
  return json::parse(dump(json(text), -1)).get<std::string>();
}

void write_json(output_files& files, const json& j) {
  if (files.wanted("--json")) files.write("--json", dump(j, 2));
}

}  // namespace fencepost::cli
