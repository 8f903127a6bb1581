#include "commands/command.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/names.hpp"

namespace fencepost::cli {

value_check file_name() {
  return [](const std::string& text) {
    return text.empty() ? "the file name is empty" : std::string();
  };
}

value_check positive_seconds() {
  return [](const std::string& text) {
    char* rest = nullptr;
    const double value = std::strtod(text.c_str(), &rest);
    if (!text.empty() && *rest == '\0' && std::isfinite(value) && value >= 0.001 && value <= 1e9) {
      return std::string();
    }
    return "'" + text + "' is not a number of seconds, such as 30 or 0.5";
  };
}

value_check whole_number(std::uint64_t least, std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  return [=](const std::string& text) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end && value >= least && value <= most) {
      return std::string();
    }
    return "'" + text + "' is not a whole number from " + range;
  };
}

void assign(std::string& value, const std::string& text) { value = text; }
void assign(double& value, const std::string& text) { value = std::strtod(text.c_str(), nullptr); }
std::uint64_t number_in(const std::string& text) {
  return std::strtoull(text.c_str(), nullptr, 10);
}

argument& command::add(argument a) {
  arguments.push_back(std::move(a));
  return arguments.back();
}

argument& command::flag(std::string names, bool& on, std::string about) {
  return flag(
      std::move(names), [&on] { on = true; }, std::move(about));
}

argument& command::flag(std::string names, std::function<void()> given, std::string about) {
  return add({std::move(names), "", std::move(about), argument::values::none,
              [given = std::move(given)](const std::vector<std::string>&) { given(); }});
}

argument& command::option(std::string names, std::vector<std::string>& values, std::string type,
                          std::string about) {
  return add({std::move(names), std::move(type), std::move(about), argument::values::listed,
              [&values](const std::vector<std::string>& given) { values = given; }});
}

argument& command::file(std::string names, std::string& path, std::string about) {
  argument& a = option(std::move(names), path, "FILE", std::move(about));
  a.check = file_name();
  return a;
}

argument& command::choice(std::string names, const std::vector<std::string>& words,
                          std::function<void(std::size_t)> set, std::string about) {
  std::string type;
  for (const std::string& word : words) type += (type.empty() ? "" : "|") + word;
  const auto index_of = [words](const std::string& given) {
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), given) - words.begin());
  };
  argument& a = add({std::move(names), type, std::move(about), argument::values::one,
                     [set = std::move(set), index_of](const std::vector<std::string>& given) {
                       set(index_of(given.front()));
                     }});
  a.check = [words, type, index_of](const std::string& given) {
    if (index_of(given) != words.size()) return std::string();
    if (words.size() == 1)
      return "'" + given + "' is not '" + type + "', which is the only possible value";
    return "'" + given + "' is not one of " + type +
           did_you_mean(given, {words.begin(), words.end()});
  };
  return a;
}

}  // namespace fencepost::cli
