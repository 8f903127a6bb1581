#include "settings.hpp"

#include <sys/mman.h>

#include <atomic>
#include <charconv>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

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

void apply(std::string_view word, settings& s) {
  verify::options& o = s.exploration;
  constexpr std::uint64_t unsigned_most = ~0U;
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) refuse(word);
  const std::string_view name = word.substr(0, equals);
  const std::string_view text = word.substr(equals + 1);
  if (name == "model") {
    o.model = model(text, word);
  } else if (name == "spurious_failures") {
    o.spurious_failures = static_cast<unsigned>(number(text, word, unsigned_most));
  } else if (name == "spurious_wakeups") {
    o.spurious_wakeups = static_cast<unsigned>(number(text, word, unsigned_most));
  } else if (name == "timeouts") {
    o.timeouts = static_cast<unsigned>(number(text, word, unsigned_most));
  } else if (name == "reuse") {
    const std::uint64_t whose = number(text, word, 2);
    o.reuse_addresses = whose == 1;
    o.reuse_across_threads = whose == 2;
  } else if (name == "max_executions") {
    o.max_executions = number(text, word, ~std::uint64_t{0});
  } else if (name == "reexecutions") {
    o.reexecutions = static_cast<unsigned>(number(text, word, unsigned_most));
  } else if (name == "max_events") {
    o.max_events = number(text, word, unsigned_most);
  } else if (name == "timeout") {
    o.timeout = std::chrono::milliseconds(number(text, word, unsigned_most));
  } else if (name == "from_beginning") {
    o.resume_points = number(text, word, 1) == 0;
  } else if (name == "jobs") {
    o.jobs = static_cast<unsigned>(number(text, word, unsigned_most));
  } else if (name == "jobs_file") {
    s.jobs_file = static_cast<int>(number(text, word, std::numeric_limits<int>::max()));
  } else if (name == "jobs_number") {
    s.jobs_number = number(text, word, unsigned_most);
  } else if (name == "is_looked_at") {
    s.is_looked_at = number(text, word, 1) == 1;
  } else if (name == "recheck") {
    o.recheck = number(text, word, 1) == 1;
  } else if (name == "expects_violation") {
    s.expects_violation = number(text, word, 1) == 1;
  } else if (name == "lists_tests") {
    s.lists_tests = number(text, word, 1) == 1;
  } else if (name == "shorten") {
    o.shorten = number(text, word, ~std::uint64_t{0});
  } else if (name == "shorten_within") {
    o.shorten_within = std::chrono::milliseconds(number(text, word, unsigned_most));
  } else if (name == "examples") {
    o.examples = number(text, word, unsigned_most);
  } else if (name == "sequentially_consistent") {
    if (number(text, word, 1) == 1) o.changes = verify::all_sequentially_consistent();
  } else if (name == "steps") {
    s.steps = number(text, word, ~std::size_t{0});
  } else if (name == "replays") {
    s.replays = number(text, word, 1) == 1;
  } else if (name == "report") {
    s.report = static_cast<int>(number(text, word, std::numeric_limits<int>::max()));
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
