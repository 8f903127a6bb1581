#include "pages.hpp"

namespace fencepost::cli {
namespace {

shown_option shown(const CLI::Option& o) {
  shown_option s;
  for (const std::string& name : o.get_snames()) s.names.push_back("-" + name);
  for (const std::string& name : o.get_lnames()) s.names.push_back("--" + name);
  if (o.get_items_expected_max() != 0) s.value = o.get_type_name();
  s.text = o.get_description();
  if (const std::string value = o.get_default_str(); !value.empty() && !s.value.empty()) {
    s.text += "; default: " + value;
  }
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

std::vector<shown_option> options_of(const CLI::App& app) {
  std::vector<shown_option> all;
  for (const CLI::Option* o : app.get_options()) {
    if (!o->get_positional()) all.push_back(shown(*o));
  }
  return all;
}

std::vector<shown_command> commands_of(const CLI::App& app) {
  std::vector<shown_command> all;
  for (const CLI::App* a : app.get_subcommands({})) {
    shown_command c{a->get_name(), a->get_description(), {}, {}, options_of(*a), a->get_footer()};
    for (const CLI::Option* o : a->get_options()) {
      if (!o->get_positional()) continue;
      const std::string type = o->get_type_name();
      const std::string many = o->get_items_expected_max() > 1 ? "..." : "";
      c.arguments = o->get_required() ? type + many : "[" + type + many + "]";
      c.about_arguments = o->get_description();
      c.takes_scenarios = type == "PATTERN" && o->get_description().starts_with("Names of sc");
      c.takes_files = type == "FILE";
    }
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace fencepost::cli
