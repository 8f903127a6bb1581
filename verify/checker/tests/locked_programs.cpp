#include "locked_programs.hpp"

#include <algorithm>
#include <numeric>

#include "either_lock.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

using graphs = std::vector<std::uint64_t>;

std::string explore(const known_program& p, const options& asked, graphs& found) {
  found.clear();
  options o = asked;
  o.name = p.name;
  o.max_executions = 1'000'000;
  o.on_graph = [&](std::uint64_t graph) { found.push_back(graph); };
  o.on_restart = [&] { found.clear(); };
  const result r = check(o, p.body);
  const bool none = r.limit.find("no execution is complete") != std::string::npos;
  if (r.outcome != verdict::verified && !none) return to_text(r);
  std::sort(found.begin(), found.end());
  return std::adjacent_find(found.begin(), found.end()) == found.end() ? ""
                                                                       : "a graph is visited twice";
}

}  // namespace

std::vector<known_program> programs_of_locks() {
  using integer = checked::atomic<int>;
  std::vector<known_program> all;
  all.push_back({"locks", 0, [] {
                   either_lock m;
                   in_threads(4, [&](unsigned) {
                     m.lock();
                     m.unlock();
                   });
                 }});
  all.push_back({"a lock that is taken twice", 0, [] {
                   either_lock m;
                   in_threads(3, [&](unsigned) {
                     m.lock();
                     m.unlock();
                     m.lock();
                     m.unlock();
                   });
                 }});
  // A write outside the critical section depends on a write inside, and revisits a read that comes
  // before the turn of a displaced waiter.
  for (const bool before : {true, false}) {
    all.push_back({before ? "a word that is known while the lock is held"
                          : "a word that is known after the lock was held",
                   0, [before] {
                     either_lock m;
                     integer x{0}, y{0};
                     in_threads(4, [&](unsigned i) {
                       if (i == 0) {
                         static_cast<void>(y.load(relaxed));
                         m.lock();
                         m.unlock();
                       } else if (i == 1) {
                         m.lock();
                         if (before) x.store(1, relaxed);
                         m.unlock();
                         if (!before) x.store(1, relaxed);
                       } else if (i == 2) {
                         m.lock();
                         m.unlock();
                       } else if (x.load(relaxed) == 1) {
                         y.store(1, relaxed);
                       }
                     });
                   }});
  }
  all.push_back({"a lock that its holder never gives back", 0, [] {
                   either_lock m;
                   integer x{0};
                   in_threads(3, [&](unsigned i) {
                     m.lock();
                     if (i == 0 && x.load(relaxed) == 0) engine::current()->give_up();
                     x.store(static_cast<int>(i), relaxed);
                     m.unlock();
                   });
                 }});
  all.push_back({"locks that are tried", 0, [] {
                   either_lock m;
                   integer x{0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 1 ? !m.try_lock() : (m.lock(), false)) return;
                     x.fetch_add(1, relaxed);
                     m.unlock();
                   });
                 }});
  all.push_back({"a lock within a lock", 0, [] {
                   either_lock outer, inner;
                   in_threads(3, [&](unsigned i) {
                     if (i < 2) outer.lock();
                     inner.lock();
                     if (i < 2) outer.unlock();
                     inner.unlock();
                   });
                 }});
  return all;
}

std::string wrong_locks(const known_program& p) {
  graphs guessed, found;
  either_lock::guesses() = true;
  std::string wrong = explore(p, p.bounds, guessed);
  either_lock::guesses() = false;
  if (!wrong.empty()) return p.name + ", guessed: " + wrong;
  std::vector<unsigned> priorities(5);
  std::iota(priorities.begin(), priorities.end(), 0U);
  for (int order = 0; order < 4; ++order) {
    options o = p.bounds;
    if (order != 0) o.priorities = priorities;
    o.resume_points = order == 0;
    std::string where = p.name + ", priorities";
    for (const unsigned t : o.priorities) where += " " + std::to_string(t);
    wrong = explore(p, o, found);
    if (!wrong.empty()) return where + ": " + wrong;
    if (found != guessed)
      return where + ": " + std::to_string(found.size()) + " graphs instead of " +
             std::to_string(guessed.size()) + ", or other ones";
    if (order == 1)
      std::reverse(priorities.begin(), priorities.end());
    else
      std::rotate(priorities.begin(), priorities.begin() + 2, priorities.end());
  }
  return "";
}

}  // namespace fencepost::verify::testing
