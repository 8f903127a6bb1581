#include "settings.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace fencepost::programs {

namespace {

[[noreturn]] void refuse(std::string_view word) {
  throw std::invalid_argument("FENCEPOST_CHECK: \"" + std::string(word) + "\" is not understood");
}

std::uint64_t number(std::string_view text, std::string_view word, std::uint64_t most) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n > most) refuse(word);
  return n;
}

verify::memory_model model(std::string_view text, std::string_view word) {
  for (const verify::memory_model m : {verify::memory_model::rc20, verify::memory_model::rc11,
                                       verify::memory_model::cpp20, verify::memory_model::xc20})
    if (to_string(m) == text) return m;
  refuse(word);
}

// A setting that is a number, and is kept as it is.
struct numeric_setting {
  std::string_view name;
  std::uint64_t most;
  void (*set)(settings&, std::uint64_t);
};

template <auto Option>
void set_option(settings& s, std::uint64_t n) {
  auto& option = s.exploration.*Option;
  option = static_cast<std::remove_reference_t<decltype(option)>>(n);
}

template <auto Member>
void set_member(settings& s, std::uint64_t n) {
  auto& member = s.*Member;
  member = static_cast<std::remove_reference_t<decltype(member)>>(n);
}

constexpr std::uint64_t most_of_int = std::numeric_limits<int>::max();
constexpr std::uint64_t most_of_unsigned = std::numeric_limits<unsigned>::max();
constexpr std::uint64_t most_of_all = std::numeric_limits<std::uint64_t>::max();

using verify::options;
constexpr numeric_setting numeric_settings[] = {
    {"spurious_failures", most_of_unsigned, &set_option<&options::spurious_failures>},
    {"spurious_wakeups", most_of_unsigned, &set_option<&options::spurious_wakeups>},
    {"timeouts", most_of_unsigned, &set_option<&options::timeouts>},
    {"max_executions", most_of_all, &set_option<&options::max_executions>},
    {"max_events", most_of_unsigned, &set_option<&options::max_events>},
    {"reexecutions", most_of_unsigned, &set_option<&options::reexecutions>},
    {"timeout", most_of_unsigned, &set_option<&options::timeout>},
    {"jobs", most_of_unsigned, &set_option<&options::jobs>},
    {"recheck", 1, &set_option<&options::recheck>},
    {"shorten", most_of_all, &set_option<&options::shorten>},
    {"shorten_within", most_of_unsigned, &set_option<&options::shorten_within>},
    {"examples", most_of_unsigned, &set_option<&options::examples>},
    {"jobs_file", most_of_int, &set_member<&settings::jobs_file>},
    {"jobs_number", most_of_unsigned, &set_member<&settings::jobs_number>},
    {"is_examined", 1, &set_member<&settings::is_examined>},
    {"expects_violation", 1, &set_member<&settings::expects_violation>},
    {"lists_tests", 1, &set_member<&settings::lists_tests>},
    {"steps", most_of_all, &set_member<&settings::steps>},
    {"replays", 1, &set_member<&settings::replays>},
    {"report", most_of_int, &set_member<&settings::report>},
};

void apply(std::string_view word, settings& s) {
  verify::options& o = s.exploration;
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) refuse(word);
  const std::string_view name = word.substr(0, equals);
  const std::string_view text = word.substr(equals + 1);
  const auto* const numeric =
      std::find_if(std::begin(numeric_settings), std::end(numeric_settings),
                   [&](const numeric_setting& one) { return one.name == name; });
  if (numeric != std::end(numeric_settings)) {
    numeric->set(s, number(text, word, numeric->most));
  } else if (name == "model") {
    o.model = model(text, word);
  } else if (name == "reuse") {
    const std::uint64_t whose = number(text, word, 2);
    o.reuse_addresses = whose == 1;
    o.reuse_across_threads = whose == 2;
  } else if (name == "from_beginning") {
    o.resume_points = number(text, word, 1) == 0;
  } else if (name == "sequentially_consistent") {
    if (number(text, word, 1) == 1) o.changes = verify::all_sequentially_consistent();
  } else {
    refuse(word);
  }
}

using processes = std::atomic<unsigned>;

const processes* map_processes(int file, std::size_t number) {
  const std::size_t size = (number + 1) * sizeof(processes);
  void* const at = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) refuse("jobs_file=" + std::to_string(file));
  return static_cast<const processes*>(at) + number;
}

}  // namespace

settings settings_from(std::string_view text) {
  settings s;
  verify::options& o = s.exploration;
  o.resume_points = true;
  o.check_leaks = false;                 // blocks that variables refer to at the end are no leaks
  o.stack_size = std::size_t{8} << 20U;  // as large as without the checker
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (!word.empty()) apply(word, s);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  if (s.jobs_file >= 0) o.jobs_now = map_processes(s.jobs_file, s.jobs_number);
  return s;
}

}  // namespace fencepost::programs
