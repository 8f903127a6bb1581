// Random programs that block, against a reference that shares no code with the checker: all
// interleavings of their steps. Random programs on weak memory, with and without calls that wake
// nobody: these must make no difference.
#include <rapidcheck.h>

#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <ostream>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

// ---- Programs ----

enum class what : std::uint8_t {
  nothing,
  load,  // and record
  store,
  futex_wait,
  timed_futex_wait,  // and record
  futex_wake_one,
  futex_wake_all,
  atomic_wait,
  notify_one,
  notify_all,
  lock_or_unlock,        // one of two mutexes
  condition_wait,        // with the first mutex only
  timed_condition_wait,  // and record
  condition_notify_one,
  condition_notify_all,
};
constexpr int kinds = 15;
constexpr std::array<const char*, kinds> names = {
    "nothing",         "load",           "store",          "futex_wait",
    "timed wait",      "futex_wake one", "futex_wake all", "wait",
    "notify_one",      "notify_all",     "lock or unlock", "condition.wait",
    "condition timed", "condition one",  "condition all"};

struct instruction {
  what kind = what::nothing;
  unsigned word = 0;  // or mutex: 0, 1
  unsigned value = 0;
};

struct program {
  std::vector<std::vector<instruction>> threads;
  unsigned spurious = 0, timeouts = 0;
};

// For rapidcheck's messages, which require this name.
// NOLINTNEXTLINE(readability-identifier-naming)
void showValue(const program& p, std::ostream& out) {
  out << "spurious wake-ups: " << p.spurious << ", time-outs: " << p.timeouts << '\n';
  for (const auto& thread : p.threads) {
    out << "thread:";
    for (const instruction& i : thread)
      out << "  " << names.at(static_cast<std::size_t>(i.kind)) << " w" << i.word << ' ' << i.value;
    out << '\n';
  }
}

// What a program can do: its outcomes, and whether it can hang.
struct behaviour {
  std::set<std::string> outcomes;
  bool hangs = false;
  friend bool operator==(const behaviour&, const behaviour&) = default;
};

std::ostream& operator<<(std::ostream& out, const behaviour& b) {
  for (const std::string& o : b.outcomes) out << '{' << o << "} ";
  return out << (b.hangs ? "hangs" : "");
}

// ---- The reference ----

class interleavings {
 public:
  explicit interleavings(const program& p) : program_(p) {}

  behaviour all() {
    machine start;
    start.threads.resize(program_.threads.size());
    go_on(start);
    return found_;
  }

 private:
  enum class state : std::uint8_t { ready, futex, atomic, condition, relocks };
  struct thread {
    std::size_t next = 0;
    state at = state::ready;
    std::array<bool, 2> holds{};
    bool timed = false;
    unsigned word = 0, version = 0;
    std::string recorded;
    auto operator<=>(const thread&) const = default;
  };
  struct machine {
    std::vector<thread> threads;
    std::array<unsigned, 2> words{}, versions{};
    std::array<bool, 2> locked{};
    unsigned spurious = 0, timeouts = 0;  // spent
    auto operator<=>(const machine&) const = default;
  };

  void go_on(const machine& m) {
    if (!seen_.insert(m).second) return;
    bool any = false;
    for (std::size_t t = 0; t < m.threads.size(); ++t) any = step(m, t) || any;
    if (any) return;
    bool ended = true, timed = false;
    for (std::size_t t = 0; t < m.threads.size(); ++t) {
      const bool done = m.threads[t].at == state::ready &&
                        m.threads[t].next == program_.threads[t].size() &&
                        m.threads[t].holds == std::array<bool, 2>{};
      ended = ended && done;
      timed = timed || (!done && m.threads[t].timed &&
                        (m.threads[t].at == state::futex || m.threads[t].at == state::condition));
    }
    if (ended) {
      std::string text;
      for (const thread& t : m.threads) text += (text.empty() ? "" : "; ") + t.recorded + "-";
      found_.outcomes.insert(text);
    } else if (!timed || program_.timeouts == 0) {
      found_.hangs = true;
    }
  }

  static void record(thread& t, unsigned v) { t.recorded += std::to_string(v); }

  // Explores every next step of the thread; returns true if there is one.
  bool step(const machine& before, std::size_t index) {
    machine m = before;
    thread& t = m.threads[index];
    switch (t.at) {
      case state::futex:
      case state::atomic:
      case state::condition: return false;
      case state::relocks:
        if (m.locked[0]) return false;
        m.locked[0] = t.holds[0] = true;
        t.at = state::ready;
        go_on(m);
        return true;
      case state::ready: break;
    }
    if (t.next == program_.threads[index].size()) {
      for (std::size_t k = 0; k < 2; ++k) {
        if (!t.holds[k]) continue;
        t.holds[k] = m.locked[k] = false;
        go_on(m);
        return true;
      }
      return false;
    }
    const instruction i = program_.threads[index][t.next];
    t.timed = i.kind == what::timed_futex_wait || i.kind == what::timed_condition_wait;
    switch (i.kind) {
      case what::nothing: break;
      case what::load: record(t, m.words[i.word]); break;
      case what::store:
        m.words[i.word] = i.value;
        ++m.versions[i.word];
        break;
      case what::futex_wait:
      case what::timed_futex_wait: return futex_wait(m, t, i);
      case what::futex_wake_one: return wake(m, t, state::futex, i.word, 1);
      case what::futex_wake_all: return wake(m, t, state::futex, i.word, 9);
      case what::atomic_wait:
        if (m.words[i.word] != i.value) break;
        t.at = state::atomic;  // checks again when it is woken
        t.word = i.word;
        t.version = m.versions[i.word];
        go_on(m);
        return true;
      case what::notify_one: return wake(m, t, state::atomic, i.word, 1);
      case what::notify_all: return wake(m, t, state::atomic, i.word, 9);
      case what::lock_or_unlock:
        if (t.holds[i.word] != m.locked[i.word]) return false;
        t.holds[i.word] = m.locked[i.word] = !t.holds[i.word];
        break;
      case what::condition_wait:
      case what::timed_condition_wait: return condition_wait(m, t);
      case what::condition_notify_one: return wake(m, t, state::condition, 0, 1);
      case what::condition_notify_all: return wake(m, t, state::condition, 0, 9);
    }
    ++t.next;
    go_on(m);
    return true;
  }

  bool futex_wait(machine& m, thread& t, const instruction& i) {
    ++t.next;
    const thread before = t;
    if (m.spurious < program_.spurious) {
      ++m.spurious;
      if (t.timed) record(t, 1);
      go_on(m);
      --m.spurious;
      t = before;
    }
    if (m.words[i.word] != i.value) {
      if (t.timed) record(t, 1);
      go_on(m);
      return true;
    }
    if (t.timed && m.timeouts < program_.timeouts) {
      ++m.timeouts;
      record(t, 0);
      go_on(m);
      --m.timeouts;
      t = before;
    }
    t.at = state::futex;
    t.word = i.word;
    go_on(m);
    return true;
  }

  bool condition_wait(machine& m, thread& t) {
    ++t.next;
    if (!t.holds[0]) {
      go_on(m);
      return true;
    }
    t.holds[0] = m.locked[0] = false;
    const thread before = t;
    if (m.spurious < program_.spurious) {
      ++m.spurious;
      t.at = state::relocks;
      if (t.timed) record(t, 1);
      go_on(m);
      --m.spurious;
      t = before;
    }
    if (t.timed && m.timeouts < program_.timeouts) {
      ++m.timeouts;
      t.at = state::relocks;
      record(t, 0);
      go_on(m);
      --m.timeouts;
      t = before;
    }
    t.at = state::condition;
    go_on(m);
    return true;
  }

  bool wake(machine& m, thread& waker, state of, unsigned word, unsigned most) {
    ++waker.next;
    wake_some(m, of, word, most);
    return true;
  }
  void wake_some(const machine& before, state of, unsigned word, unsigned most) {
    bool any = false;
    for (std::size_t i = 0; most > 0 && i < before.threads.size(); ++i) {
      machine m = before;
      thread& t = m.threads[i];
      if (t.at != of || (of != state::condition && t.word != word)) continue;
      if (of == state::atomic && t.version == m.versions[word]) continue;  // not eligible
      any = true;
      t.at = of == state::condition ? state::relocks : state::ready;
      if (!t.timed) {
        wake_some(m, of, word, most - 1);
        continue;
      }
      const std::string recorded = t.recorded;
      record(t, 1);
      wake_some(m, of, word, most - 1);
      if (of != state::condition || m.timeouts == program_.timeouts) continue;
      ++m.timeouts;  // notified, but reports a time-out
      t.recorded = recorded;
      record(t, 0);
      wake_some(m, of, word, most - 1);
    }
    if (!any) go_on(before);
  }

  const program& program_;
  std::set<machine> seen_;
  behaviour found_;
};

// ---- The same under the checker ----

class checked_program {
 public:
  explicit checked_program(const program& p) : program_(p) {}

  void run() {
    in_threads(static_cast<unsigned>(program_.threads.size()), [this](unsigned t) { thread(t); });
  }

 private:
  // Each instruction has a position in one total order, as in an interleaving.
  void thread(unsigned index) {
    std::array<std::unique_lock<checked::mutex>, 2> locks = {
        std::unique_lock(mutexes_[0], std::defer_lock),
        std::unique_lock(mutexes_[1], std::defer_lock)};
    std::string recorded;
    const auto record = [&](std::uint32_t v) { recorded += std::to_string(v); };
    const auto until = std::chrono::steady_clock::time_point{};
    for (const instruction& i : program_.threads[index]) {
      step_.fetch_add(1, acq_rel);
      checked::atomic<std::uint32_t>& w = words_[i.word];
      auto& lock = locks.at(i.kind == what::lock_or_unlock ? i.word : 0);
      switch (i.kind) {
        case what::nothing: break;
        case what::load: record(w.load(acquire)); break;
        case what::store: w.store(i.value, release); break;
        case what::futex_wait: checked::futex_wait(w, i.value); break;
        case what::timed_futex_wait: record(checked::futex_wait(w, i.value, until)); break;
        case what::futex_wake_one: checked::futex_wake(w, 1); break;
        case what::futex_wake_all: checked::futex_wake(w, 9); break;
        case what::atomic_wait: w.wait(i.value, acquire); break;
        case what::notify_one: w.notify_one(); break;
        case what::notify_all: w.notify_all(); break;
        case what::lock_or_unlock:
          if (lock.owns_lock())
            lock.unlock();
          else
            lock.lock();
          break;
        case what::condition_wait:
          if (lock.owns_lock()) condition_.wait(lock);
          break;
        case what::timed_condition_wait:
          if (lock.owns_lock())
            record(condition_.wait_until(lock, until) == std::cv_status::no_timeout);
          break;
        case what::condition_notify_one: condition_.notify_one(); break;
        case what::condition_notify_all: condition_.notify_all(); break;
      }
    }
    step_.fetch_add(1, acq_rel);
    for (auto& lock : locks)
      if (lock.owns_lock()) lock.unlock();
    outcome((recorded + "-").c_str());
  }

  const program& program_;
  checked::mutex mutexes_[2];
  checked::condition_variable condition_;
  checked::atomic<int> step_{0};
  checked::atomic<std::uint32_t> words_[2] = {0U, 0U};
};

behaviour explored(const program& p, const std::vector<unsigned>& priorities, memory_model m) {
  options o;
  o.model = m;
  o.spurious_wakeups = p.spurious;
  o.timeouts = p.timeouts;
  o.keep_going = true;
  o.priorities = priorities;
  const result r = check(o, [&p] { checked_program(p).run(); });
  // No execution is complete if each ends in a wait whose time-outs are used up.
  if (r.outcome == verdict::incomplete && r.limit != "no execution is complete") RC_FAIL(r.limit);
  if (r.violation && r.violation->kind != violation::liveness) RC_FAIL(to_text(r));
  return {outcomes_of(r), r.violation.has_value()};
}

rc::Gen<program> programs(std::vector<int> of_kinds) {
  return rc::gen::exec([of_kinds = std::move(of_kinds)] {
    program p;
    p.threads.resize(static_cast<std::size_t>(*rc::gen::inRange(2, 4)));
    p.spurious = *rc::gen::inRange(0U, 2U);
    p.timeouts = *rc::gen::inRange(0U, 2U);
    const int length = *rc::gen::inRange(2, 9);
    for (int n = 0; n < length; ++n) {
      instruction i;
      i.kind = static_cast<what>(*rc::gen::elementOf(of_kinds));
      i.word = *rc::gen::element(0U, 0U, 1U);
      i.value = *rc::gen::inRange(0U, 2U);
      p.threads[static_cast<std::size_t>(n) % p.threads.size()].push_back(i);
    }
    return p;
  });
}

std::vector<unsigned> any_order() {
  std::vector<unsigned> order = {0, 1, 2, 3};
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  return order;
}

void expect_equal_to_the_reference(const std::vector<int>& of_kinds) {
  const bool ok = rc::check([&] {
    const program p = *programs(of_kinds);
    const memory_model m = *rc::gen::elementOf(
        std::vector<memory_model>(std::begin(all_models), std::end(all_models)));
    const behaviour expected = interleavings(p).all();
    RC_TAG(expected.hangs ? "hangs" : "ends");
    const behaviour got = explored(p, any_order(), m);
    if (!(got == expected)) {
      std::ostringstream text;
      text << "expected " << expected << "\ngot      " << got;
      RC_FAIL(text.str());
    }
  });
  EXPECT_TRUE(ok);
}

TEST(blocking_reference, futexes) { expect_equal_to_the_reference({1, 2, 2, 3, 3, 4, 5, 6}); }
TEST(blocking_reference, waiting_atomics) {
  expect_equal_to_the_reference({1, 2, 2, 2, 7, 7, 7, 8, 8, 9});
}
TEST(blocking_reference, condition_variables) {
  expect_equal_to_the_reference({1, 2, 10, 10, 10, 11, 11, 12, 13, 13, 14});
}
TEST(blocking_reference, mutexes) {
  expect_equal_to_the_reference({1, 1, 2, 10, 10, 10, 10, 10, 10, 10});
}
TEST(blocking_reference, all_of_them) {
  expect_equal_to_the_reference({1, 2, 2, 3, 4, 5, 7, 8, 9, 10, 10, 11, 12, 13, 14});
}

// ---- Weak memory ----

struct weak_instruction {
  int kind = 0;  // load, store, exchange, fence; notifications
  unsigned at = 0;
  int order = 0;
};
constexpr int weak_kinds = 4, first_call = 4, calls = 5;

struct weak_program {
  std::vector<std::vector<weak_instruction>> threads;
};

// NOLINTNEXTLINE(readability-identifier-naming)
void showValue(const weak_program& p, std::ostream& out) {
  static constexpr std::array what = {"load",       "store",      "exchange",   "fence",
                                      "notify_one", "notify_all", "futex_wake", "condition.notify",
                                      "futex_wait"};
  for (const auto& thread : p.threads) {
    out << "\nthread:";
    for (const weak_instruction& i : thread)
      out << "  " << what.at(static_cast<std::size_t>(i.kind)) << " w" << i.at << " (" << i.order
          << ')';
  }
}

std::set<std::string> weak_outcomes(const weak_program& p, memory_model m, bool with_calls) {
  options o = under(m);
  o.spurious_wakeups = 0;
  const result r = check(o, [&] {
    // Threads wait only on words[2], which nobody wakes.
    checked::atomic<std::uint32_t> words[3] = {0U, 0U, 0U};
    checked::condition_variable condition;
    in_threads(static_cast<unsigned>(p.threads.size()), [&](unsigned t) {
      std::string recorded;
      std::uint32_t next = 1 + 10 * t;
      for (const weak_instruction& i : p.threads[t]) {
        static constexpr std::array loads = {relaxed, acquire, seq_cst};
        static constexpr std::array stores = {relaxed, release, seq_cst};
        static constexpr std::array fences = {acquire, release, seq_cst};
        const auto n = static_cast<std::size_t>(i.order);
        switch (i.kind) {
          case 0: recorded += std::to_string(words[i.at].load(loads.at(n))) + ' '; break;
          case 1: words[i.at].store(next++, stores.at(n)); break;
          case 2: recorded += std::to_string(words[i.at].exchange(next++, relaxed)) + ' '; break;
          case 3: checked::fence(fences.at(n)); break;
          default: break;
        }
        if (!with_calls) continue;
        switch (i.kind) {
          case 4: words[i.at].notify_one(); break;
          case 5: words[i.at].notify_all(); break;
          case 6: checked::futex_wake(words[i.at], 1); break;
          case 7: condition.notify_one(); break;
          case 8: checked::futex_wait(words[2], 99); break;
          default: break;
        }
      }
      outcome((recorded + "-").c_str());
    });
  });
  RC_ASSERT(r.outcome == verdict::verified);
  return outcomes_of(r);
}

TEST(blocking_reference, calls_that_wake_nobody_order_nothing) {
  const bool ok = rc::check([] {
    weak_program p;
    p.threads.resize(static_cast<std::size_t>(*rc::gen::inRange(2, 4)));
    const int length = *rc::gen::inRange(4, 9);
    for (int n = 0; n < length; ++n)
      p.threads[static_cast<std::size_t>(n) % p.threads.size()].push_back(
          {*rc::gen::inRange(0, weak_kinds), *rc::gen::inRange(0U, 2U), *rc::gen::inRange(0, 3)});
    const int inserted = *rc::gen::inRange(1, 4);
    for (int n = 0; n < inserted; ++n) {
      auto& thread = p.threads[*rc::gen::inRange<std::size_t>(0, p.threads.size())];
      const auto where = *rc::gen::inRange<std::size_t>(0, thread.size() + 1);
      thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(where),
                    {first_call + *rc::gen::inRange(0, calls), *rc::gen::inRange(0U, 2U), 0});
    }
    std::ostringstream text;
    showValue(p, text);
    RC_LOG() << text.str();
    for (const memory_model m : all_models)
      RC_ASSERT(weak_outcomes(p, m, true) == weak_outcomes(p, m, false));
  });
  EXPECT_TRUE(ok);
}

}  // namespace
}  // namespace fencepost::verify::testing
