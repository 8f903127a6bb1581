#include "kept_sessions.hpp"

#include <algorithm>
#include <string_view>

#include "execute/fibers.hpp"
#include "program_options.hpp"
#include "standard_streams.hpp"
#include "tests.hpp"

namespace fencepost::programs {

struct session::kept {
  struct kept_thread {
    version is;
    thread state;
  };
  std::vector<kept_thread> threads;
  std::size_t variables = 0;  // number of ranges
  mostly_empty<std::map<const void*, unsigned>> generations;
  cells::states of_cells;
  thread_table::saved table;
  held_locks locks;
  exit_calls::saved exits;
  thread_keys::saved keys;
  library_state::saved library;
  tests::progress of_tests;
};

session::version session::version_of(unsigned t, const verify::fibers& f) const noexcept {
  return {f.last_resumed(t), threads_[t].changed};
}

void session::keep(kept& k, const verify::fibers& f) {
  const std::size_t threads = table_.size();
  k.threads.resize(threads);
  for (unsigned t = 0; t < threads; ++t) {
    kept::kept_thread& to = k.threads[t];
    if (to.is == version_of(t, f)) continue;  // kept here before, for a point that is gone
    to.is = version_of(t, f);
    to.state = threads_[t];
  }
  k.variables = variables_.size();
  k.generations = generations_;
  cells_.save(k.of_cells);
  table_.save(k.table);
  k.locks = locks_;
  exits_.save(k.exits, threads);
  keys_.save(k.keys, threads);
  library_.save(k.library, threads);
  k.of_tests = tests::now();
}

void session::put_back(const kept& k, const verify::fibers& f) {
  const std::size_t used = table_.size();
  for (unsigned t = 0; t < k.threads.size(); ++t)
    if (k.threads[t].is != version_of(t, f)) threads_[t] = k.threads[t].state;
  for (std::size_t t = k.threads.size(); t < used; ++t) reset(threads_[static_cast<unsigned>(t)]);
  variables_.resize(k.variables);
  verify::program_variables::all = variables_;
  generations_ = k.generations;
  cells_.put_back(k.of_cells);
  table_.put_back(k.table);
  locks_ = k.locks;
  exits_.put_back(k.exits, used);
  keys_.put_back(k.keys, used);
  library_.put_back(k.library, used);
  tests::put_back(k.of_tests);
}

void session::add_variables(std::vector<std::span<char>>& to) {
  to.insert(to.end(), program_.variables().begin(), program_.variables().end());
}

// Adds the thread_local variables of the program and of libraries, for each thread that has begun.
void session::add_thread_locals(std::vector<std::span<char>>& to) {
  if (locals_.empty()) return;
  for (unsigned t = 0; t < table_.size(); ++t)
    if (threads_[t].top != nullptr) to.push_back(locals_.all_of(t));
}

kept_sessions::kept_sessions(session& s, arguments& given) : session_(s) {
  session_.add_variables(always_);
  if (s.program().imports_any(names_of_streams)) add_memory_of_streams(always_);
  if (s.program().imports_any(names_of_options)) add_memory_of_options(always_);
  always_.push_back(given.bytes());
  always_.push_back(given.pointers());
  std::erase_if(always_, [](const std::span<char> m) { return m.empty(); });
  current = this;
}

kept_sessions::~kept_sessions() { current = nullptr; }

std::span<const std::span<char>> kept_sessions::memory() {
  memory_ = always_;
  session_.add_thread_locals(memory_);
  return memory_;
}

void kept_sessions::keep(std::size_t number, const verify::fibers& f) {
  while (all_.size() <= number) all_.push_back(std::make_unique<session::kept>());
  session_.keep(*all_[number], f);
}

void kept_sessions::put_back(std::size_t number, const verify::fibers& f) {
  session_.put_back(*all_[number], f);
  forget_place_in_options();
}

// An interrupt is no reason here: the process that divides the work receives it as well.
std::optional<std::string> kept_sessions::why_over() const {
  if (session_.is_to_restart()) return "more is known of the program's memory";
  if (!session_.state().limit().empty()) return session_.state().limit();
  return {};
}

// A thread that is not detached was to be joined. The thread of main() never counts as detached.
bool kept_sessions::end_with_program(std::uint64_t waiting) {
  if (!session_.threads().are_detached(waiting)) return false;
  session_.note_left_threads();
  return true;
}

}  // namespace fencepost::programs
