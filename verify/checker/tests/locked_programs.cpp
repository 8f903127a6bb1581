#include "locked_programs.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

bool guesses = false;

engine& here() { return *engine::current(); }

// A mutex, or a lock whose lock() guesses that it is free. Another thread may free it as well,
// unless it is declared a mutex.
class either_lock {
 public:
  explicit either_lock(wait_for what = wait_for::mutex) : what_(what) {
    at_ = here().declare(this, sizeof(void*), 0, source_location::current());
  }
  ~either_lock() { here().retire(at_, source_location::current()); }
  either_lock(const either_lock&) = delete;
  either_lock& operator=(const either_lock&) = delete;

  void lock() {
    const auto where = source_location::current();
    if (!guesses)
      here().await_exchange(at_, 0, 1, order::acquire, what_, where);
    else if (!try_lock())
      here().give_up();
  }
  bool try_lock() {
    return here()
        .compare_exchange(word(at_), 0, 1, false, order::acquire, order::relaxed,
                          source_location::current())
        .success;
  }
  int look(order o) {
    return static_cast<int>(here().load(word(at_), o, source_location::current()));
  }
  // Adds a reader, unless the lock is held.
  bool try_share() {
    const auto where = source_location::current();
    const value seen = here().load(word(at_), order::relaxed, where);
    return seen % 2 == 0 && here()
                                .compare_exchange(word(at_), seen, seen + 2, false, order::acquire,
                                                  order::relaxed, where)
                                .success;
  }
  void unshare() {
    here().read_modify_write(word(at_), operation::subtract, 2, sizeof(int), order::release,
                             source_location::current());
  }
  void unlock() { here().store(word(at_), 0, order::release, source_location::current()); }
  void swap_free() {
    here().read_modify_write(word(at_), operation::exchange, 0, sizeof(int), order::acq_rel,
                             source_location::current());
  }

 private:
  location at_ = no_location;
  wait_for what_;
};

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
                     if (i == 0 && x.load(relaxed) == 0) here().give_up();
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

namespace {

struct operation_on_locks {
  unsigned kind, at;
  bool if_changed;  // only if the last read was not 0
};
using code_of_threads = std::vector<std::vector<operation_on_locks>>;

known_program with_locks(std::string name, const code_of_threads& code, wait_for what) {
  return {std::move(name), 0, [code, what] {
            either_lock locks[2] = {either_lock(what), either_lock(what)};
            checked::atomic<int> at[2] = {0, 0};
            in_threads(static_cast<unsigned>(code.size()), [&](unsigned t) {
              bool held[2] = {false, false}, shared[2] = {false, false};
              const auto unlock = [&](unsigned i) {
                locks[i].unlock();
                held[i] = false;
              };
              int last = 1;
              for (const operation_on_locks& o : code[t]) {
                if (o.if_changed && last == 0) continue;
                switch (o.kind) {
                  case 0:
                  case 1:
                  case 2:
                  case 3:
                    if (held[o.at]) {
                      unlock(o.at);
                    } else if (!held[1] && !shared[0] &&
                               !shared[1]) {  // in one order: there is no deadlock
                      locks[o.at].lock();
                      held[o.at] = true;
                    }
                    break;
                  case 4:
                    if (!held[o.at] && !shared[o.at]) held[o.at] = locks[o.at].try_lock();
                    break;
                  case 5:
                  case 6: last = at[o.at].load(relaxed); break;
                  case 7: last = at[o.at].load(acquire); break;
                  case 8: at[o.at].store(static_cast<int>(t) + 1, relaxed); break;
                  case 9: at[o.at].store(static_cast<int>(t) + 1, release); break;
                  case 10: last = at[o.at].fetch_add(1, relaxed); break;
                  case 11:
                    if (last == 0) here().give_up();
                    break;
                  // By any thread: not all writes of the lock are those of lock() and its unlock().
                  case 12: locks[o.at].unlock(); break;
                  case 13: locks[o.at].swap_free(); break;
                  case 14: last = locks[o.at].look(order::relaxed); break;
                  case 15: last = locks[o.at].look(order::acquire); break;
                  default:
                    if (shared[o.at])
                      locks[o.at].unshare();
                    else if (held[o.at])
                      break;
                    shared[o.at] = !shared[o.at] && locks[o.at].try_share();
                }
              }
              for (const unsigned i : {1U, 0U})
                if (held[i]) unlock(i);
              for (const unsigned i : {1U, 0U})
                if (shared[i]) locks[i].unshare();
            });
          }};
}

}  // namespace

known_program random_locks(unsigned seed) {
  std::mt19937 random(seed);
  const auto drawn = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned threads = 3 + drawn(2);
  const unsigned kinds = drawn(3) == 0 ? 14 : 12;
  code_of_threads code(threads);
  for (auto& mine : code) {
    mine.resize(2 + drawn(threads == 3 ? 5 : 3));
    for (operation_on_locks& o : mine) o = {drawn(kinds), drawn(2), drawn(4) == 0};
  }
  return with_locks("random locks " + std::to_string(seed), code,
                    kinds == 12 ? wait_for::mutex : wait_for::wake_up);
}

known_program random_shared_locks(unsigned seed) {
  constexpr unsigned kinds[] = {0, 1, 2, 4, 5, 7, 8, 10, 14, 14, 15, 16, 17, 18};
  std::mt19937 random(seed);
  const auto drawn = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned threads = drawn(4) == 0 ? 4 : 3, locks = 1 + drawn(2);
  code_of_threads code(threads);
  for (auto& mine : code) {
    mine.resize(2 + (threads == 3 ? drawn(3) : 0));
    for (operation_on_locks& o : mine)
      o = {kinds[drawn(std::size(kinds))], drawn(locks), drawn(4) == 0};
  }
  return with_locks("random shared locks " + std::to_string(seed), code, wait_for::mutex);
}

std::string wrong_locks(const known_program& p) {
  graphs guessed, found;
  guesses = true;
  std::string wrong = explore(p, p.bounds, guessed);
  guesses = false;
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
