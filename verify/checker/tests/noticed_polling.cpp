// Programs in which another thread may notice that a thread has polled under a mutex, or has
// changed something for a moment.
#include <array>
#include <chrono>
#include <mutex>

#include "polling_loops.hpp"
#include "polling_programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using plain = checked::plain<int>;
using mutex = checked::mutex;

// The first turns of a loop may leave other dead values in its frames than the later ones. They are
// then not idle and could be noticed, so the programs let nobody notice them. All turns do the
// same.
constexpr int first_turns = 3;

class beginning {
 public:
  // Called by the polling thread in each turn. True once the first turns are over.
  bool is_over() {
    const int last = left_ == 1 ? 1 : 0;
    left_ -= left_ > 0 ? 1 : 0;
    return over_.fetch_or(last, release) == 1;
  }
  void wait() {
    if (over_.load(acquire) == 0) engine::current()->give_up();
  }

 private:
  int left_ = first_turns;
  integer over_{0};
};

// True if the condition holds in one turn, not after it, and again in another one.
template <class IsSo>
bool comes_and_goes(IsSo is_so) {
  return is_so() && !is_so() && is_so();
}
// The same in four turns: one in which something changes for a moment is explored in any case, and
// where the first turns end there may be another.
template <class IsSo>
bool comes_often(IsSo is_so) {
  return comes_and_goes(is_so) && !is_so() && comes_and_goes(is_so);
}

template <class Lock>
bool is_held(Lock& m) {
  const bool free = m.try_lock();
  if (free) m.unlock();
  return !free;
}

// Polls under the lock in each turn.
template <class By, class Lock>
void poll(Lock& m, integer& done, beginning& first) {
  By::until([&] {
    const bool is_done = under(m, [&] { return done.load(relaxed) == 1; })();
    const bool is_over = first.is_over();
    return is_over && is_done;
  });
}

// Adds to a number in each turn but the last, and subtracts the same.
template <class By>
void grow_and_shrink(integer& count, integer& done, beginning& first) {
  bool is_over = false;
  By::until([&] {
    if (is_over && done.load(relaxed) == 1) return true;
    count.fetch_add(1, relaxed);
    count.fetch_sub(1, relaxed);
    is_over = first.is_over();
    return false;
  });
}

// The thread that sets what is polled for has found the mutex held.
template <class By, class Lock, class Take>
void is_noticed(Take take) {
  Lock m;
  integer done{0};
  beginning first;
  bool noticed = false;
  concurrently(
      [&] {
        first.wait();
        noticed = comes_and_goes([&] { return is_held(m); });
        const std::lock_guard guard(m);
        done.store(1, relaxed);
      },
      [&] {
        By::until([&] {
          if (!take(m)) return false;
          bool is_done;
          {
            const std::lock_guard guard(m, std::adopt_lock);
            is_done = done.load(relaxed) == 1;
          }
          const bool is_over = first.is_over();
          return is_over && is_done;
        });
      });
  outcome(noticed);
}
template <class By, class Lock>
void a_lock_is_noticed() {
  is_noticed<By, Lock>([](Lock& m) {
    m.lock();
    return true;
  });
}
template <class By>
void a_try_is_noticed() {
  is_noticed<By, mutex>([](mutex& m) { return m.try_lock(); });
}

// A thread that takes the lock after the poller does not synchronize with the one before, whose
// fence it would synchronize with if it had come right after it.
template <class By>
void a_relaxed_lock_is_noticed() {
  relaxed_lock m;
  integer data{0}, says{0}, done{0};
  beginning first;
  bool noticed = false;
  concurrently(
      [&] {
        first.wait();
        data.store(1, relaxed);
        const std::lock_guard lock(m);
        says.store(1, relaxed);
        checked::fence(release);
      },
      [&] { poll<By>(m, done, first); },
      [&] {
        const bool after = under(m, [&] { return says.load(relaxed) == 1; })();
        checked::fence(acquire);
        noticed = after && data.load(relaxed) == 0;
        const std::lock_guard lock(m);
        done.store(1, relaxed);
      });
  outcome(noticed);
}

// A writer finds that there is a reader.
template <class By>
void a_reader_is_noticed() {
  as_reader m;
  integer done{0};
  beginning first;
  bool noticed = false;
  concurrently(
      [&] {
        first.wait();
        noticed = comes_and_goes([&] { return is_held(m.of()); });
        done.store(1, relaxed);
      },
      [&] { poll<By>(m, done, first); });
  outcome(noticed);
}

// Sets the data in the middle of each turn; it has its old value again when the turn is over.
template <class By, class Says, class Lock>
void says_that_it_looks(Says& says, beginning& first, Lock& m, integer& done) {
  By::until([&] {
    bool is_done;
    {
      const std::lock_guard lock(m);
      is_done = done.load(relaxed) == 1;
      says.set(1);
    }
    {
      const std::lock_guard lock(m);
      says.set(0);
    }
    const bool is_over = first.is_over();
    return is_over && is_done;
  });
}
template <class Says, class Lock, class Poll>
void is_seen(Poll poll) {
  Lock m;
  integer done{0};
  beginning first;
  Says* says = nullptr;
  bool noticed = false;
  concurrently(
      [&] {
        first.wait();
        noticed = comes_and_goes([&] {
          const std::lock_guard lock(m);
          return says->get() == 1;
        });
        const std::lock_guard lock(m);
        done.store(1, relaxed);
      },
      [&] { poll(says, first, m, done); });
  outcome(noticed);
}
template <class By, class Says, class Lock = mutex>
void data_are_seen() {
  Says in_memory{0};
  is_seen<Says, Lock>([&](Says*& says, auto&... rest) {
    says = &in_memory;
    says_that_it_looks<By>(in_memory, rest...);
  });
}
template <class By, class Says>
void data_in_the_stack_are_seen() {
  is_seen<Says, mutex>([](Says*& says, auto&... rest) {
    Says in_stack{0};
    says = &in_stack;
    says_that_it_looks<By>(in_stack, rest...);
  });
}
// A number grows in each turn, and shrinks again, until this thread has seen what it looks for.
template <class By, class Sees>
void a_number_is_seen(Sees sees) {
  integer count{0}, done{0};
  beginning first;
  bool noticed = false;
  concurrently(
      [&] {
        first.wait();
        noticed = comes_often([&] { return sees(count); });
        done.store(1, relaxed);
      },
      [&] { grow_and_shrink<By>(count, done, first); });
  outcome(noticed);
}
template <class By>
void a_number_is_loaded() {
  a_number_is_seen<By>([](integer& count) { return count.load(relaxed) == 1; });
}
template <class By>
void a_number_is_compared() {
  a_number_is_seen<By>([](integer& count) {
    int zero = 0;
    return !count.compare_exchange_strong(zero, 0, relaxed);
  });
}
// The number in the middle of a turn is the source of a write here, so the turn is explored.
template <class By>
void a_number_is_changed() {
  a_number_is_seen<By>([](integer& count) { return count.fetch_add(0, relaxed) == 1; });
}
// The numbers are old ones: the loop has ended.
template <class Polls, class Sees>
void is_seen_afterwards(Polls polls, Sees sees) {
  integer count{0}, done{0}, over{0};
  beginning first;
  bool noticed = false;
  concurrently([&] { done.store(1, relaxed); },
               [&] {
                 polls(count, done, first);
                 over.store(1, relaxed);
               },
               [&] {
                 if (over.load(relaxed) == 0) return;
                 first.wait();
                 noticed = sees(count);
               });
  outcome(noticed);
}
template <class By>
void a_number_is_loaded_afterwards() {
  is_seen_afterwards(grow_and_shrink<By>, [](integer& count) {
    return comes_often([&] { return count.load(relaxed) == 1; });
  });
}
// A lock whose unlock() is a store; the writes come between its two.
template <class By>
void a_number_is_added_to_afterwards() {
  is_seen_afterwards(
      [](integer& count, integer& done, beginning& first) {
        By::until([&] {
          count.exchange(1, relaxed);
          const bool is_done = done.load(relaxed) == 1;
          count.store(0, relaxed);
          const bool is_over = first.is_over();
          return is_over && is_done;
        });
      },
      [](integer& count) {
        const auto is_so = [&] { return count.fetch_add(1, relaxed) == 1; };
        return is_so() && is_so() && is_so() && is_so();
      });
}

// The other thread does not go on until it has found the number in the middle of a turn.
template <class By>
void a_number_is_awaited() {
  integer count{0}, done{0};
  concurrently(
      [&] {
        while (count.load(relaxed) == 0) {
        }
        done.store(1, relaxed);
      },
      [&] {
        By::until([&] {
          count.exchange(1, relaxed);
          const bool is_done = done.load(relaxed) == 1;
          count.store(0, relaxed);
          return is_done;
        });
      });
  outcome(1);
}

// The same in more turns than stay, beside a thread that is blocked until then.
template <class By, class Block>
void a_number_is_awaited_beside(Block block) {
  integer count{0}, asked{0}, done{0};
  mutex m;
  checked::condition_variable changed;
  bool noticed = false;
  concurrently(
      [&] {
        asked.store(1, relaxed);
        std::unique_lock<mutex> lock(m);
        block(done, changed, lock);
      },
      [&] {
        if (asked.load(relaxed) == 1) {
          for (const int value : {1, 0, 1, 0, 1, 0, 1, 0, 1}) {
            while (count.load(relaxed) != value) {
            }
          }
          noticed = true;
        }
        const std::lock_guard lock(m);
        done.store(1, relaxed);
        changed.notify_all();
      },
      [&] {
        By::until([&] {
          count.fetch_add(1, relaxed);
          count.fetch_sub(1, relaxed);
          return done.load(relaxed) == 1;
        });
      });
  outcome(noticed);
}
// It might always time out once more, but not within the bound.
template <class By>
void a_number_is_awaited_beside_a_timed_wait() {
  a_number_is_awaited_beside<By>([](integer& done, auto& changed, auto& lock) {
    while (done.load(relaxed) == 0) changed.wait_for(lock, std::chrono::seconds(1));
  });
}
template <class By>
void a_number_is_awaited_beside_who_gives_up() {
  a_number_is_awaited_beside<By>([](integer& done, auto&, auto&) {
    if (done.load(relaxed) == 0) engine::current()->give_up();
  });
}

// A number grows in each turn, and does not shrink.
template <class By>
void turns_are_counted() {
  integer count{0}, done{0};
  concurrently([&] { done.store(1, relaxed); },
               [&] {
                 By::until([&] {
                   count.fetch_add(1, relaxed);
                   return done.load(relaxed) == 1;
                 });
               });
  outcome(count.load(relaxed) == first_turns + 5);
}

// Data whose accesses the checker is not told of.
class bare {
 public:
  explicit bare(int value) : value_(value) {}
  void set(int value) { value_ = value; }
  [[nodiscard]] int get() const { return value_; }

 private:
  volatile int value_;
};

// A mutex whose holder is known only from the writes to its location.
class bare_mutex : lock_word {
 public:
  void lock() {
    engine::current()->await_exchange(at_, 0, 1, order::acquire, wait_for::mutex,
                                      source_location::current());
  }
  void try_lock() {
    engine::current()->is_lock(at_, lock_kind::mutex);
    engine::current()->compare_exchange(word(at_), 0, 1, false, order::acquire, order::relaxed,
                                        source_location::current());
  }
};

// The waiting thread takes a mutex in each turn, from some turn on the last one, and keeps them.
void keeps_a_mutex() {
  std::array<bare_mutex, first_turns + 1> mutexes;
  integer done{0};
  concurrently([&] { done.store(1, relaxed); },
               [&] {
                 std::size_t turn = 0;
                 while (done.load(relaxed) == 0) {
                   mutexes[turn].try_lock();
                   turn += turn + 1 < mutexes.size() ? 1 : 0;
                 }
               });
  mutexes.back().lock();
}

}  // namespace

std::vector<noticed_polling> noticed_polling_programs() {
  using some = in_turns<first_turns + 3>;
  using more = in_turns<first_turns + 5>;
  return {
      {"a lock", a_lock_is_noticed<by_polling, mutex>, a_lock_is_noticed<some, mutex>},
      {"a spinlock", a_lock_is_noticed<by_polling, spinlock>, a_lock_is_noticed<some, spinlock>},
      {"a number that is loaded", a_number_is_loaded<by_polling>, a_number_is_loaded<more>},
      {"a number that is compared", a_number_is_compared<by_polling>, a_number_is_compared<more>},
      {"a number that is changed", a_number_is_changed<by_polling>, a_number_is_changed<more>},
      {"a number that is loaded afterwards", a_number_is_loaded_afterwards<by_polling>,
       a_number_is_loaded_afterwards<more>},
      {"a number that is added to afterwards", a_number_is_added_to_afterwards<by_polling>,
       a_number_is_added_to_afterwards<more>},
      {"a number that is waited for", a_number_is_awaited<by_polling>, a_number_is_awaited<more>},
      {"a number that is waited for beside a timed wait",
       a_number_is_awaited_beside_a_timed_wait<by_polling>,
       a_number_is_awaited_beside_a_timed_wait<some>},
      {"a number that is waited for beside one who gives up",
       a_number_is_awaited_beside_who_gives_up<by_polling>,
       a_number_is_awaited_beside_who_gives_up<some>},
      {"a number of turns", turns_are_counted<by_polling>, turns_are_counted<more>},
      {"a try", a_try_is_noticed<by_polling>, a_try_is_noticed<some>},
      {"a relaxed lock", a_relaxed_lock_is_noticed<by_polling>, a_relaxed_lock_is_noticed<some>},
      {"a reader", a_reader_is_noticed<by_polling>, a_reader_is_noticed<some>},
      {"data", data_are_seen<by_polling, plain>, data_are_seen<some, plain>, true},
      {"data in the stack", data_in_the_stack_are_seen<by_polling, plain>,
       data_in_the_stack_are_seen<some, plain>, true},
      {"data under a spinlock", data_are_seen<by_polling, plain, spinlock>,
       data_are_seen<some, plain, spinlock>, true},
      {"data under a tested spinlock", data_are_seen<by_polling, plain, tested_spinlock>,
       data_are_seen<some, plain, tested_spinlock>, true},
      {"bare data", data_are_seen<by_polling, bare>, data_are_seen<some, bare>, true},
      {"bare data in the stack", data_in_the_stack_are_seen<by_polling, bare>,
       data_in_the_stack_are_seen<some, bare>, true},
  };
}

std::string wrong_polling() {
  const auto polling = polling_programs(), bounded = polling_programs_of_two_turns();
  options few;
  few.max_events = 600;
  for (const std::vector<unsigned>& first : {std::vector<unsigned>{}, {0}}) {
    few.priorities = first;  // reads are postponed, or not
    for (std::size_t i = 0; i < polling.size(); ++i) {
      const result is = check(few, polling[i].body), expected = check(few, bounded[i].body);
      if (is.outcome != verdict::verified || outcomes_of(is) != outcomes_of(expected))
        return polling[i].name + ": other outcomes than with two turns";
    }
    // A thread that requests a mutex that is not free is blocked.
    if (const result r = check(few, polling.back().body); r.blocked > r.executions)
      return polling.back().name + ": blocked " + std::to_string(r.blocked) + " times";
  }
  few.max_executions = 2'000;  // each of the many turns is a source
  for (const noticed_polling& n : noticed_polling_programs()) {
    for (const std::vector<unsigned>& first :
         {std::vector<unsigned>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}}) {
      few.priorities = first;
      const result expected = check(few, n.of_some_turns), is = check(few, n.polls);
      if (outcomes_of(expected).count("1") == 0) return n.name + ": it is not noticed";
      if (is.outcome == verdict::verified && outcomes_of(is) != outcomes_of(expected))
        return n.name + ": it is verified, but what is noticed is left out";
      if (is.violation || (n.has_end && is.outcome != verdict::verified))
        return n.name + ": it is not verified";
    }
  }
  return check(few, keeps_a_mutex).violation ? "" : "a mutex that is kept: it is not found";
}

}  // namespace fencepost::verify::testing
