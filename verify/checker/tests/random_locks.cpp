// Random programs with locks: steps that are drawn, and what performs them.
#include <iterator>
#include <random>
#include <utility>

#include "either_lock.hpp"
#include "locked_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

enum class kind : unsigned char {
  lock_or_unlock,
  try_lock,
  load,
  acquiring_load,
  store,
  releasing_store,
  add,
  give_up_if_zero,  // if the last read was 0
  unlock_by_any,    // so that not all writes of the lock are those of lock() and its unlock()
  exchange_by_any,
  load_lock,
  acquiring_load_of_lock,
  share_or_unshare,
};

struct step {
  kind what;
  unsigned at;      // the index of the lock or of the integer
  bool if_changed;  // only if the last read was not 0
};
using code_of_threads = std::vector<std::vector<step>>;

struct shared_objects {
  explicit shared_objects(wait_for what) : locks{either_lock(what), either_lock(what)} {}
  either_lock locks[2];
  checked::atomic<int> integers[2] = {0, 0};
};

// Runs the code of one thread. A thread takes its locks in one order, so that there is no deadlock.
class interpreter {
 public:
  interpreter(shared_objects& with, unsigned thread) : with_(with), thread_(thread) {}

  void run(const std::vector<step>& code) {
    for (const step& s : code)
      if (!s.if_changed || last_ != 0) make(s);
    for (const unsigned i : {1U, 0U})
      if (held_[i]) unlock(i);
    for (const unsigned i : {1U, 0U})
      if (shared_[i]) with_.locks[i].unshare();
  }

 private:
  void make(const step& s) {
    either_lock& lock = with_.locks[s.at];
    checked::atomic<int>& integer = with_.integers[s.at];
    const int own = static_cast<int>(thread_) + 1;
    switch (s.what) {
      case kind::lock_or_unlock: lock_or_unlock(s.at); break;
      case kind::try_lock:
        if (!held_[s.at] && !shared_[s.at]) held_[s.at] = lock.try_lock();
        break;
      case kind::load: last_ = integer.load(relaxed); break;
      case kind::acquiring_load: last_ = integer.load(acquire); break;
      case kind::store: integer.store(own, relaxed); break;
      case kind::releasing_store: integer.store(own, release); break;
      case kind::add: last_ = integer.fetch_add(1, relaxed); break;
      case kind::give_up_if_zero:
        if (last_ == 0) engine::current()->give_up();
        break;
      case kind::unlock_by_any: lock.unlock(); break;
      case kind::exchange_by_any: lock.exchange_free(); break;
      case kind::load_lock: last_ = lock.load(order::relaxed); break;
      case kind::acquiring_load_of_lock: last_ = lock.load(order::acquire); break;
      case kind::share_or_unshare: share_or_unshare(s.at); break;
    }
  }

  void lock_or_unlock(unsigned i) {
    if (held_[i]) {
      unlock(i);
    } else if (!held_[1] && !shared_[0] && !shared_[1]) {
      with_.locks[i].lock();
      held_[i] = true;
    }
  }
  void unlock(unsigned i) {
    with_.locks[i].unlock();
    held_[i] = false;
  }
  void share_or_unshare(unsigned i) {
    if (shared_[i])
      with_.locks[i].unshare();
    else if (held_[i])
      return;
    shared_[i] = !shared_[i] && with_.locks[i].try_share();
  }

  shared_objects& with_;
  unsigned thread_;
  bool held_[2] = {false, false}, shared_[2] = {false, false};
  int last_ = 1;  // what the thread has read last
};

known_program with_locks(std::string name, const code_of_threads& code, wait_for what) {
  return {std::move(name), 0, [code, what] {
            shared_objects objects(what);
            in_threads(static_cast<unsigned>(code.size()),
                       [&](unsigned t) { interpreter(objects, t).run(code[t]); });
          }};
}

// Kinds of steps, to draw from: those that occur several times are more probable.
constexpr kind of_mutexes[] = {
    kind::lock_or_unlock,
    kind::lock_or_unlock,
    kind::lock_or_unlock,
    kind::lock_or_unlock,
    kind::try_lock,
    kind::load,
    kind::load,
    kind::acquiring_load,
    kind::store,
    kind::releasing_store,
    kind::add,
    kind::give_up_if_zero,
    kind::unlock_by_any,
    kind::exchange_by_any,  // the last two only if the lock is no mutex
};
constexpr kind of_shared_locks[] = {
    kind::lock_or_unlock,
    kind::lock_or_unlock,
    kind::lock_or_unlock,
    kind::try_lock,
    kind::load,
    kind::acquiring_load,
    kind::store,
    kind::add,
    kind::load_lock,
    kind::load_lock,
    kind::acquiring_load_of_lock,
    kind::share_or_unshare,
    kind::share_or_unshare,
    kind::share_or_unshare,
};

}  // namespace

known_program random_locks(unsigned seed) {
  std::mt19937 random(seed);
  const auto drawn = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned threads = 3 + drawn(2);
  const unsigned all = std::size(of_mutexes);
  const unsigned kinds = drawn(3) == 0 ? all : all - 2;
  code_of_threads code(threads);
  for (auto& mine : code) {
    mine.resize(2 + drawn(threads == 3 ? 5 : 3));
    for (step& s : mine) s = {of_mutexes[drawn(kinds)], drawn(2), drawn(4) == 0};
  }
  return with_locks("random locks " + std::to_string(seed), code,
                    kinds == all ? wait_for::wake_up : wait_for::mutex);
}

known_program random_shared_locks(unsigned seed) {
  std::mt19937 random(seed);
  const auto drawn = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned threads = drawn(4) == 0 ? 4 : 3, locks = 1 + drawn(2);
  code_of_threads code(threads);
  for (auto& mine : code) {
    mine.resize(2 + (threads == 3 ? drawn(3) : 0));
    for (step& s : mine)
      s = {of_shared_locks[drawn(std::size(of_shared_locks))], drawn(locks), drawn(4) == 0};
  }
  return with_locks("random shared locks " + std::to_string(seed), code, wait_for::mutex);
}

}  // namespace fencepost::verify::testing
