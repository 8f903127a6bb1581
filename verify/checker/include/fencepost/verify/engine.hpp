// The events of a program under test: what a front end (the atomics policy, the litmus reader)
// tells the explorer, and what the explorer answers.
//
// All calls are made from inside a model thread, between the beginning and the end of one
// execution. A call returns when the event is part of the execution graph; it does not return at
// all when the execution ends there (a violation, a thread that waits for what comes elsewhere):
// the model thread is abandoned, its stack is not unwound.
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
using wide_value = std::array<std::uint64_t, 2>;  // the bytes of an atomic of 9 to 16, then zeros
using location = std::uint32_t;
inline constexpr location no_location = ~location{0};

enum class operation : std::uint8_t { exchange, add, subtract, bit_and, bit_or, bit_xor, custom };

// What a thread waits for: decides what a counterexample says, and whether it is an error to wait
// forever. What frees a mutex depends on what has taken it; the explorer relies on that.
enum class wait_for : std::uint8_t { nothing, mutex, wake_up, wake_up_or_timeout };

// What a nondeterministic choice is charged to (see the bounds in options).
enum class budget : std::uint8_t { none, spurious_wakeup, timeout, address };

// A location, or a word of two fields (low, high) of 32 bits each, accessed whole.
struct word {
  location fields[2] = {no_location, no_location};

  word() = default;
  explicit word(location single) : fields{single, no_location} {}
  word(location low, location high) : fields{low, high} {}
  [[nodiscard]] bool whole() const noexcept { return fields[1] != no_location; }
};

struct exchanged {  // What a compare-exchange comes back with.
  value old = 0;
  bool success = false;
};

namespace detail {
struct waiter;
}

// Those that block at an address, in the order in which they came, and the hidden location that
// orders who adds to the list and who takes from it.
struct wait_list {
  location lock = no_location;
  detail::waiter* first = nullptr;
};

// By which documentation a look compares: what a wake has made sure of before it.
enum class look_for : std::uint8_t {
  nothing,  // an ordinary load
  notify,   // ISO C++: the writes that happen before the notification
  futex,    // Linux: also what the waker has read
};

class order_table;

class engine {
 public:
  // The engine of the execution that the calling OS thread is in, or null.
  static engine* current() noexcept { return current_; }

  // The lifetime of an object. `initial` is written, not atomically, by the calling thread.
  virtual location declare(const void* address, std::size_t size, value initial,
                           source_location where) = 0;
  // The same where what the object holds at first is found out later: begins_with() says it before
  // the first access. If an access is there already, from the run before, it is what it was then.
  virtual location declare_unknown(const void* address, std::size_t size,
                                   source_location where) = 0;
  virtual void begins_with(location, value initial) = 0;
  virtual void retire(location, source_location where) = 0;
  // An object that is there before the check and after it: in each execution it begins with
  // `initial`, its construction comes before everything, and its lifetime never ends.
  location of_static(const void* address, std::size_t size, value initial, source_location where) {
    return on_static(address, size, initial, where.file, where.function, place_of(where));
  }

  // What is too wide for a value goes by a number: equal bytes have equal numbers, and zeros are 0.
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
  // `size` in bytes truncates the arithmetic. `custom` computes the new value from the old one.
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
  // Waits until the location holds `expected`; with `acquire`, also exchanges it for `desired`.
  virtual void await(location, value expected, order, wait_for, source_location where) = 0;
  virtual void await_exchange(location, value expected, value desired, order, wait_for,
                              source_location where) = 0;
  // The location is a mutex, which compare_exchange() may also take: who has taken it gives it back
  // by a store, and nobody else writes to it.
  virtual void is_mutex(location) = 0;
  // Blocks the thread for good, without this being an error: the execution does not count.
  virtual void give_up() = 0;
  // One of 0 … alternatives-1; each is explored, those after 0 within the budget.
  virtual unsigned choose(unsigned alternatives, budget, source_location where) = 0;

  // Plain memory: the value stays in the object, the engine checks for races and lifetime. That of
  // a scalar is looked at: the same execution must read the same when it is run again.
  virtual location declare_plain(const void* address, std::size_t size, bool scalar,
                                 source_location where) = 0;
  // It was made just now, without a value: a read is a misuse until something is written to it.
  virtual void begins_without_value(location) = 0;
  void plain_read(location l, source_location where) {
    clear_frames();
    on_plain_read(l, where.file, where.function, place_of(where));
  }
  void plain_write(location l, source_location where) {
    clear_frames();
    on_plain_write(l, where.file, where.function, place_of(where));
  }

  // A hidden location, zero at first. It is the front end's own: it orders the accesses to it, and
  // nothing else synchronizes by them, with whatever orders or fences.
  virtual location declare_hidden(source_location where) = 0;
  // Those that wait at this address in this execution.
  virtual wait_list& waiters_at(const void* address) = 0;
  // Reads the location for a wait, right after the lock of its list was taken: no older value than
  // what any wake that has had the lock before has made sure of. Synchronizes with nothing.
  virtual value look(location, look_for, source_location where) = 0;
  // The last event of this thread.
  virtual std::uint64_t last_event() = 0;
  // Does a write that happens before this point come later than what that look has read?
  virtual bool replaced(std::uint64_t look) = 0;

  // An access to the object that is no event: it must be within its lifetime, as any other. One
  // that may go on when the lifetime ends is only checked against what came before.
  virtual void use(location, bool may_outlast, source_location where) = 0;
  // The latest value of the location among those that happen before this point.
  virtual value known(location) = 0;
  // Has the last event of this thread read what its location held at first?
  virtual bool read_initial() = 0;
  // The lifetime of plain data ends, as retire() has it, and that of the next object at the address
  // begins, which has the same location.
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
  // the object at the address. One whose place is in the standard library is shown at its caller.
  virtual void begin_operation(const char* what, const void* object, source_location where) = 0;
  // For counterexamples: a change has removed a fence of this order.
  virtual void fence_removed(order, source_location where) = 0;

  // Numbers the runs of the program: state that a front end keeps beside the graph (who waits on
  // a futex) is stale when this has changed.
  virtual std::uint64_t run_number() = 0;

  // What is to be done where the program asks for this (options::changes). A front end calls it
  // for what stands in the program, not for what it does on its own account, such as the fences of
  // a futex.
  asked_for done_instead(asked_for asked, const source_location& where) {
    return orders_ == nullptr ? asked : look_up(asked, where.file, where.function, place_of(where));
  }

  // Ends the execution with a violation.
  [[noreturn]] virtual void fail(violation, std::string_view message, source_location where) = 0;
  // The same when the calling thread comes to its next event or its end, for a caller that holds a
  // lock and cannot be abandoned. `file` need not last. False, and nothing is done, where no code
  // under test is running.
  virtual bool fail_later(violation, std::string_view message, std::string_view file,
                          unsigned line) = 0;
  virtual void record_outcome(std::string_view text) = 0;

  // The state of a thread at its reads is compared byte by byte, where it waits in a loop. What was
  // called before has left something below the caller's frame, which frames to come have in bytes
  // that nothing is written to: it is cleared, as far as such calls go. Before each event, for the
  // frames between the caller's and the engine.
  void clear_frames() const noexcept {
    if (frames_are_compared_) clear_below();
  }
  // The stack of the calling thread is compared from there up at its next event: what is below is
  // what follows from that. Null: from where it calls the engine.
  void compare_from(const void* frame) noexcept { *compared_from_ = frame; }

 protected:
  // A place in the source is handed on in registers. It would lie in the frame of the caller
  // otherwise, which would not be what it was when a loop comes round for the first time.
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
  order_table* orders_ = nullptr;  // null: nothing is changed, and nobody wants to know

 private:
  asked_for look_up(asked_for, const char* file, const char* function, std::uint64_t place);
};

}  // namespace fencepost::verify
