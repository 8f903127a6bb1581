#include "pages.hpp"

#include <algorithm>

namespace fencepost::cli {
namespace {

shown_option shown(const argument& a) {
  shown_option s;
  for (std::size_t begin = 0; begin <= a.names.size();) {
    const std::size_t end = std::min(a.names.find(',', begin), a.names.size());
    s.names.push_back(a.names.substr(begin, end - begin));
    begin = end + 1;
  }
  s.value = a.type;
  s.text = a.text;
  if (!a.shown_default.empty()) s.text += "; default: " + a.shown_default;
  return s;
}

}  // namespace

bool shown_option::takes_file() const {
  return value.starts_with("FILE") || value == "FOLDER" || value == "PLACE";
}

std::vector<std::string> shown_option::words() const {
  std::vector<std::string> all;
  if (takes_file() || value.find('|') == std::string::npos) return all;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    all.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

std::vector<shown_option> options_of(const application& all) {
  std::vector<shown_option> options;
  for (const argument& a : all.arguments) options.push_back(shown(a));
  return options;
}

std::vector<shown_command> commands_of(const application& all) {
  std::vector<shown_command> commands;
  for (const command& c : all.commands) {
    shown_command s{c.name,
                    c.text,
                    {},
                    {},
                    {shown(all.arguments.back())},
                    c.footer.empty() ? all.footer : c.footer};
    for (const argument& a : c.arguments) {
      if (!a.is_positional()) {
        s.options.push_back(shown(a));
        continue;
      }
      const std::string many = a.takes == argument::values::listed ? "..." : "";
      s.arguments = a.required ? a.type + many : "[" + a.type + many + "]";
      s.about_arguments = a.text;
      s.takes_scenarios = a.type == "PATTERN" && a.text.starts_with("Names of sc");
      s.takes_files = a.type == "FILE";
    }
    commands.push_back(std::move(s));
  }
  return commands;
}

}  // namespace fencepost::cli
