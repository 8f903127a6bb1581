// The interface between a front end (the atomics policy, the litmus reader) and the explorer: the
// events of a program under test, and the explorer's answers.
//
// All calls are made from inside a model thread, between the beginning and the end of one
// execution. A call returns when the event is part of the execution graph. It does not return at
// all when the execution ends there (a violation, or a thread that waits for something that happens
// in another execution): the model thread is abandoned, and its stack is not unwound.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/verify/orders.hpp"

namespace fencepost::verify {

using value = std::uint64_t;
using wide_value = std::array<std::uint64_t, 2>;  // an atomic of 9 to 16 bytes, followed by zeros
using location = std::uint32_t;
inline constexpr location no_location = ~location{0};

enum class operation : std::uint8_t { exchange, add, subtract, bit_and, bit_or, bit_xor, custom };

// The event that a thread waits for: determines the text of a counterexample, and whether it is an
// error to wait forever. The event that frees a mutex depends on the one that has taken it; the
// explorer relies on that.
enum class wait_for : std::uint8_t { nothing, mutex, wake_up, wake_up_or_timeout };

// How a location is locked by other operations than await_exchange().
//
//   mutex         compare_exchange() may take it, too. The thread that has taken it gives it back
//                 by a store, and no other thread writes to it.
//   shared_mutex  counts its readers: each adds one by a read_modify_write() and subtracts it by
//                 another. No thread learns from these how many there are.
enum class lock_kind : std::uint8_t { none, mutex, shared_mutex };

// The bound that a nondeterministic choice counts towards (see the bounds in options).
enum class budget : std::uint8_t { none, spurious_wakeup, timeout, address };

// A location, or a word of two fields (low, high) of 32 bits each, accessed whole.
struct word {
  location fields[2] = {no_location, no_location};

  word() = default;
  explicit word(location single) : fields{single, no_location} {}
  word(location low, location high) : fields{low, high} {}
  [[nodiscard]] bool whole() const noexcept { return fields[1] != no_location; }
};

struct exchanged {  // The result of a compare-exchange.
  value old = 0;
  bool success = false;
};

namespace detail {
struct waiter;
}

// The threads that block at an address, in the order in which they came, and the hidden location
// that orders additions to the list and removals from it.
struct wait_list {
  location lock = no_location;
  detail::waiter* first = nullptr;
};

// The documentation that a look follows: it reads nothing older than the writes that a wake before
// it guarantees.
enum class look_for : std::uint8_t {
  nothing,  // an ordinary load
  notify,   // ISO C++: the writes that happen before the notification
  futex,    // Linux: also the writes that the waker has read
};

class order_table;

class engine {
 public:
  // The engine of the execution that the calling OS thread is in, or null.
  static engine* current() noexcept { return current_; }

  // The lifetime of an object. `initial` is written by the calling thread, non-atomically.
  virtual location declare(const void* address, std::size_t size, value initial,
                           source_location where) = 0;
  // The same if the object's initial value is found out later: begins_with() gives it before the
  // first access. If the graph already has an access, from an earlier run, the initial value of
  // that run stays.
  virtual location declare_unknown(const void* address, std::size_t size,
                                   source_location where) = 0;
  virtual void begins_with(location, value initial) = 0;
  virtual void retire(location, source_location where) = 0;
  // An object that exists before the check and after it: in each execution its initial value is
  // `initial`, its construction comes before everything else, and its lifetime never ends.
  location of_static(const void* address, std::size_t size, value initial, source_location where) {
    return on_static(address, size, initial, where.file, where.function, place_of(where));
  }

  // A value that is too wide for `value` is represented by a number: equal bytes have equal
  // numbers, and zeros have the number 0.
  virtual value number_of(const wide_value&) = 0;
  virtual wide_value numbered(value) = 0;

  value load(word w, order o, source_location where) {
    clear_frames();
    return on_load(w, o, where.file, where.function, place_of(where));
  }
  void store(word w, value v, order o, source_location where) {
    clear_frames();
    on_store(w, v, o, where.file, where.function, place_of(where));
  }
  // The arithmetic is truncated to `size` bytes. `custom` computes the new value from the old one.
  value read_modify_write(word w, operation op, value operand, std::size_t size, order o,
                          source_location where,
                          value (*custom)(value old, value operand) = nullptr) {
    clear_frames();
    return on_read_modify_write(w, {op, static_cast<std::uint8_t>(size), o}, operand, where.file,
                                where.function, place_of(where), custom);
  }
  exchanged compare_exchange(word w, value expected, value desired, bool weak, order success,
                             order failure, source_location where) {
    clear_frames();
    return on_compare_exchange(w, expected, desired, {weak, success, failure}, where.file,
                               where.function, place_of(where));
  }
  void fence(order o, source_location where) {
    clear_frames();
    on_fence(o, where.file, where.function, place_of(where));
  }

  // A hint that the caller waits in a loop; it changes nothing.
  virtual void spin_pause() = 0;
  // Waits until the location holds `expected`; await_exchange() also exchanges it for `desired`.
  virtual void await(location, value expected, order, wait_for, source_location where) = 0;
  virtual void await_exchange(location, value expected, value desired, order, wait_for,
                              source_location where) = 0;
  virtual void is_lock(location, lock_kind) = 0;
  // Blocks the thread for good, without this being an error: the execution does not count.
  virtual void give_up() = 0;
  // Returns one of 0 … alternatives-1; each is explored, those after 0 within the budget.
  virtual unsigned choose(unsigned alternatives, budget, source_location where) = 0;

  // Plain memory: the value stays in the object, and the engine checks for races and lifetime. The
  // value of a scalar is also compared: the same execution must read the same when it is run again.
  virtual location declare_plain(const void* address, std::size_t size, bool scalar,
                                 source_location where) = 0;
  // The object has just been created, without a value: a read is a misuse until something is
  // written to it.
  virtual void begins_without_value(location) = 0;
  void plain_read(location l, source_location where) {
    clear_frames();
    on_plain_read(l, where.file, where.function, place_of(where));
  }
  void plain_write(location l, source_location where) {
    clear_frames();
    on_plain_write(l, where.file, where.function, place_of(where));
  }

  // The same for a front end that clears the frames itself before the program continues.
  void plain_access(location l, bool writes, const source_location& where) {
    if (writes)
      on_plain_write(l, where.file, where.function, place_of(where));
    else
      on_plain_read(l, where.file, where.function, place_of(where));
  }

  // A hidden location, zero at first. It is the front end's own: it orders the accesses to it, and
  // nothing else synchronizes through them, whatever the orders and fences.
  virtual location declare_hidden(source_location where) = 0;
  // The threads that wait at this address in this execution.
  virtual wait_list& waiters_at(const void* address) = 0;
  // Reads the location for a wait, right after the lock of its list was taken: reads no write older
  // than those that any wake guarantees that had the lock before. Synchronizes with nothing.
  virtual value look(location, look_for, source_location where) = 0;
  // The last event of this thread.
  virtual std::uint64_t last_event() = 0;
  // True if a write that happens before this point is later in modification order than the one that
  // this look has read.
  virtual bool replaced(std::uint64_t look) = 0;

  // An access to the object that is not an event: it must be within the object's lifetime, like any
  // other. One that may still go on when the lifetime ends is only checked against earlier events.
  virtual void use(location, bool may_outlast, source_location where) = 0;
  // The latest value of the location among the writes that happen before this point.
  virtual value known(location) = 0;
  // True if the last event of this thread has read the initial value of its location.
  virtual bool read_initial() = 0;
  // Ends the lifetime of plain data, as retire() does, and begins that of the next object at the
  // address, which has the same location.
  virtual void renew_plain(location, source_location where) = 0;

  // Creates `count` threads at once, the i-th of them with arguments[i]; ids[i] is its number.
  virtual void create(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
                      source_location where) = 0;
  virtual void join(const unsigned* ids, unsigned count, source_location where) = 0;

  unsigned create(void (*entry)(void*), void* argument, source_location where) {
    unsigned id = 0;
    create(entry, &argument, &id, 1, where);
    return id;
  }
  void join(unsigned thread, source_location where) { join(&thread, 1, where); }

  [[nodiscard]] unsigned this_thread() const noexcept { return *running_; }

  // For counterexamples: the events that follow are this operation of the program ("unlock"), on
  // the object at the address. An operation whose place is in the standard library is shown at its
  // caller.
  virtual void begin_operation(const char* what, const void* object, source_location where) = 0;
  // For counterexamples: a change has removed a fence of this order.
  virtual void fence_removed(order, source_location where) = 0;

  // Numbers the runs of the program: state that a front end keeps beside the graph (such as which
  // threads wait on a futex) is stale when this has changed.
  virtual std::uint64_t run_number() = 0;

  // Returns the access or fence to perform where the program asks for this one (options::changes).
  // A front end calls it for the operations of the program, not for its own, such as the fences of
  // a futex.
  asked_for done_instead(asked_for asked, const source_location& where) {
    return orders_ == nullptr ? asked : look_up(asked, where.file, where.function, place_of(where));
  }

  // Ends the execution with a violation.
  [[noreturn]] virtual void fail(violation, std::string_view message, source_location where) = 0;
  // The same, but only when the calling thread reaches its next event or its end: for a caller that
  // holds a lock and cannot be abandoned. `file` need not outlive the call. Returns false, and does
  // nothing, if no code under test is running.
  virtual bool fail_later(violation, std::string_view message, std::string_view file,
                          unsigned line) = 0;
  virtual void record_outcome(std::string_view text) = 0;

  // Where a thread waits in a loop, its state at its reads is compared byte by byte. Earlier calls
  // have left bytes below the caller's frame, which later frames contain wherever nothing is
  // written to them. This clears those bytes, as far down as such calls go. It is called before
  // each event, for the frames between the caller's and the engine's.
  void clear_frames() const noexcept {
    if (frames_are_compared_) clear_below();
  }
  // At its next event, the stack of the calling thread is compared from `frame` up: the bytes below
  // follow from those. Null: from where the thread calls the engine.
  void compare_from(const void* frame) noexcept { *compared_from_ = frame; }

 protected:
  // A place in the source is passed in registers. Otherwise it would lie in the frame of the
  // caller, which would then have changed when a loop comes round for the first time.
  struct change_of {
    operation op;
    std::uint8_t size;
    order how;
  };
  // How a compare-exchange is done.
  struct orders_of {
    bool weak;
    order success, failure;
  };
  static constexpr std::uint64_t place_of(const source_location& where) noexcept {
    return std::uint64_t{where.line} << 32U | where.column;
  }
  static constexpr source_location at(const char* file, const char* function,
                                      std::uint64_t place) noexcept {
    return {file, function, static_cast<std::uint32_t>(place >> 32U),
            static_cast<std::uint32_t>(place)};
  }
  virtual location on_static(const void* address, std::size_t size, value initial, const char* file,
                             const char* function, std::uint64_t place) = 0;
  virtual value on_load(word, order, const char* file, const char* function,
                        std::uint64_t place) = 0;
  virtual void on_store(word, value, order, const char* file, const char* function,
                        std::uint64_t place) = 0;
  virtual value on_read_modify_write(word, change_of, value operand, const char* file,
                                     const char* function, std::uint64_t place,
                                     value (*custom)(value, value)) = 0;
  virtual exchanged on_compare_exchange(word, value expected, value desired, orders_of,
                                        const char* file, const char* function,
                                        std::uint64_t place) = 0;
  virtual void on_fence(order, const char* file, const char* function, std::uint64_t place) = 0;
  virtual void on_plain_read(location, const char* file, const char* function,
                             std::uint64_t place) = 0;
  virtual void on_plain_write(location, const char* file, const char* function,
                              std::uint64_t place) = 0;

  static void clear_below() noexcept;

  engine() = default;
  ~engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  static constinit thread_local engine* current_;
  const unsigned* running_ = nullptr;  // the number of the thread that is running
  const void** compared_from_ = nullptr;
  bool frames_are_compared_ = false;
  order_table* orders_ = nullptr;  // null: nothing is changed, and no places are listed

 private:
  asked_for look_up(asked_for, const char* file, const char* function, std::uint64_t place);
};

}  // namespace fencepost::verify
