#include "evidence/certificate_links.hpp"

#include "base/this_program.hpp"
#include "evidence/certificate.hpp"

namespace fencepost::cli {

std::string link_or_text(std::string_view text, std::string_view to) {
  return this_program().is_fencepost ? link(text, to) : std::string(text);
}

std::string command_named(std::string_view arguments) {
  return code(this_program().name + " " + std::string(arguments));
}

}  // namespace fencepost::cli
