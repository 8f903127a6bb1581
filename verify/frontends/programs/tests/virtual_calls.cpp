// Calls of virtual functions while an object is constructed or destroyed: constructors and
// destructors write the pointer by which the compiler knows its type.
// The first argument names the case.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "named_program.hpp"

namespace {

class job {
 public:
  virtual ~job() = default;
  void finish() {
    const std::lock_guard lock(mutex_);
    work();
    is_done_ = true;
    done_.notify_one();
  }

 protected:
  void await() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return is_done_; });
  }

 private:
  virtual void work() {}

  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
};

// The destructor waits for the call of the thread before the type changes.
class awaited_at_once : public job {
 public:
  ~awaited_at_once() override { await(); }

 private:
  void work() override { ++works_; }
  int works_ = 0;
};

class awaiting_base : public job {
 public:
  ~awaiting_base() override { await(); }
};
class awaited_by_its_base : public awaiting_base {
 public:
  ~awaited_by_its_base() override { works_ = 0; }

 private:
  void work() override { ++works_; }
  int works_ = 0;
};

template <class Job>
void destroyed_while_it_works() {
  auto* const j = new Job;
  std::thread worker([j] { j->finish(); });
  delete j;
  worker.join();
}
void awaited_in_the_destructor() { destroyed_while_it_works<awaited_at_once>(); }
void awaited_in_the_destructor_of_the_base() { destroyed_while_it_works<awaited_by_its_base>(); }

class square {
 public:
  virtual ~square() = default;
  [[nodiscard]] virtual int sides() const { return 4; }
};
alignas(square) unsigned char room[sizeof(square)];

// The object is constructed where another one of the same type was before.
void called_while_it_is_made() {
  auto* s = new (room) square;
  s->~square();
  std::thread other([] { assert(reinterpret_cast<const square*>(room)->sides() == 4); });
  s = new (room) square;
  other.join();
  s->~square();
}

// As above, for dynamic_cast: the library reads the type.
class coloured {
 public:
  virtual ~coloured() = default;
};
class coloured_square : public square, public coloured {};
alignas(coloured_square) unsigned char coloured_room[sizeof(coloured_square)];
void cast_while_it_is_made() {
  auto* s = new (coloured_room) coloured_square;
  coloured* const part = s;
  s->~coloured_square();
  std::thread other([part] { assert(dynamic_cast<square*>(part) != nullptr); });
  s = new (coloured_room) coloured_square;
  other.join();
  s->~coloured_square();
}
void cast_when_it_is_made() {
  coloured* const part = new (coloured_room) coloured_square;
  std::thread other([part] { assert(dynamic_cast<square*>(part) != nullptr); });
  assert(dynamic_cast<square*>(part) != nullptr);
  other.join();
  part->~coloured();
}

class begun_too_early {
 public:
  begun_too_early() : other_([this] { kind(); }) {}
  virtual ~begun_too_early() { other_.join(); }
  [[nodiscard]] virtual int kind() const { return 1; }

 private:
  std::thread other_;
};
class with_a_thread : public begun_too_early {
 public:
  [[nodiscard]] int kind() const override { return 2; }
};
void called_in_the_constructor_of_the_base() { const with_a_thread object; }

constexpr named tests[] = {FENCEPOST_NAMED(awaited_in_the_destructor),
                           FENCEPOST_NAMED(awaited_in_the_destructor_of_the_base),
                           FENCEPOST_NAMED(called_while_it_is_made),
                           FENCEPOST_NAMED(cast_while_it_is_made),
                           FENCEPOST_NAMED(cast_when_it_is_made),
                           FENCEPOST_NAMED(called_in_the_constructor_of_the_base)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
