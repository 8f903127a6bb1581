// The program under test while it is explored: the state that its instrumented accesses, its calls
// of the thread library and its allocations share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cells.hpp"
#include "execute/memory.hpp"
#include "execute/thread_pointer.hpp"
#include "exit_calls.hpp"
#include "exploration_state.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"
#include "frame_ends.hpp"
#include "held_locks.hpp"
#include "image.hpp"
#include "kept_words.hpp"
#include "library_state.hpp"
#include "mostly_empty.hpp"
#include "pending_accesses.hpp"
#include "per_thread.hpp"
#include "places.hpp"
#include "plain_loop.hpp"
#include "static_objects.hpp"
#include "thread_keys.hpp"
#include "thread_locals.hpp"
#include "thread_table.hpp"

namespace fencepost::verify {
class fibers;
}

namespace fencepost::programs {

// Where a hook was called from. Must be made in the hook itself, which has a frame pointer.
struct call_site {
  const void* return_address;
  const void* frame;  // the hook's frame, which begins with the address of the caller's
  const void* stack;  // the caller's stack pointer: the lower end of its frame
  const void* registers = nullptr;  // see hook_entry.hpp; null if not entered that way
};
#define FENCEPOST_CALL_SITE                                                        \
  fencepost::programs::call_site {                                                 \
    __builtin_return_address(0), __builtin_frame_address(0), __builtin_dwarf_cfa() \
  }

class session {
 public:
  session(image& program, thread_locals& locals, std::size_t stack_size);

  // To be called on the OS thread that explores the program.
  void begin() noexcept {
    thread_pointer_ = verify::thread_pointer::self();
    in_body_ = &verify::allocation_hook::in_body;
    current_ = this;
  }

  // Begins an execution, on the main thread's stack: restores variables, and declares all cells.
  void begin_execution(const void* top);
  // Begins a thread, whose first frame is `top`.
  void begin_thread(const void* top);

  // allocation_hook::in_body of the OS thread that explores the program: in a shared library,
  // finding a thread_local variable is a call.
  [[nodiscard]] static bool& in_body() noexcept { return *current_->in_body_; }
  // True if the program has called the runtime.
  [[nodiscard]] static bool is_called_by_program() noexcept {
    return current_ != nullptr && current_->is_explored_here() && *current_->in_body_;
  }

  [[nodiscard]] std::string variable_at(const void* p) const { return places_.variable_at(p); }
  source_location place(const call_site& c) {
    thread& t = here();
    t.lowest = reinterpret_cast<std::uintptr_t>(c.stack);
    t.code = c.return_address;
    t.registers = c.registers;
    if (t.library_called_at && places_.is_in_library(c.return_address)) return *t.library_called_at;
    return places_.of(c.return_address, c.frame, t.top, t.exit);
  }
  // The running thread makes this exit call next. Until it ends, a library may have no caller in
  // the program.
  void begin_exit_call(const exit_call& c) { here().exit = c; }
  // The exit call has returned. If its argument is an object, its lifetime ends.
  void end_exit_call();
  // True if this is the guard of a local static.
  [[nodiscard]] bool is_guard(const volatile void* p) { return static_objects_.is_guard(p); }
  // The running thread is in a function of the C++ library, which it has called there. Until it
  // returns, all calls by the library have this place: to find the caller takes long.
  void enter_library(const source_location& from) { here().library_called_at = from; }
  void leave_library() { here().library_called_at.reset(); }

  // Plain accesses, which the program makes when these return. What it writes to an atomic cell
  // becomes an event at its next call.
  void read(const volatile void* p, std::size_t size, const source_location& where) {
    read(p, size, exact(p, size), where);
  }
  void write(const volatile void* p, std::size_t size, const source_location& where) {
    write(p, size, exact(p, size), where);
  }
  // The same for a caller that has looked up the cell of exactly these bytes.
  void read(const volatile void*, std::size_t, const cell*, const source_location&);
  void write(const volatile void*, std::size_t, const cell*, const source_location&);
  [[nodiscard]] const cell* exact(const volatile void* p, std::size_t size) noexcept {
    return cells_.exact(reinterpret_cast<std::uintptr_t>(p), size);
  }
  // A read that the C library makes for the program. Nothing writes to the program's constants.
  void read_for_program(const void* p, std::size_t size, const call_site& c) {
    if (owns(p) && !program_.is_constant(p)) read(p, size, place(c));
  }
  // True if such an access, usually to a variable of a function, makes no difference.
  [[nodiscard, gnu::always_inline]] bool is_nothing(const cell* c) noexcept {
    return c != nullptr && c->at != verify::no_location && is_left_out(*c) &&
           (announces_all_ || !here().loop.goes_on());
  }
  // A write to one range and a read of another, as one.
  void copy(const void* to, const void* from, std::size_t, const source_location&);
  void overwrite(void*, std::size_t, const source_location&);
  // An assertion has failed. What the running thread does next reports it, and is not the
  // program's.
  void describe_failure() {
    take_up_writes();
    here().describes_failure = true;
  }
  [[nodiscard]] bool describes_failure() { return here().describes_failure; }
  // The running thread is in a function of a library, whose accesses are reported for whole objects
  // (library_calls.hpp).
  void begin_library_call() { here().in_library_call = true; }
  void end_library_call() { here().in_library_call = false; }
  [[nodiscard]] bool is_in_library_call() { return here().in_library_call; }
  [[nodiscard]] verify::engine& checker() const noexcept { return *engine_; }
  // The registers with which the running thread has called, for an event that follows from them
  // (compared_call).
  [[nodiscard]] const void* registers() { return here().registers; }
  // Makes events of what the running thread has written since its last call.
  void take_up_writes() { take_up_writes(here()); }
  // Returns the location of an atomic access. If no alignment is given, it is the size, if that is
  // a power of two, or 1.
  verify::location atomic(const volatile void*, std::size_t, const source_location&,
                          std::size_t alignment = 0);
  // What an atomic object in a block or on a stack holds if nothing was written to it. No value of
  // fewer than eight bytes equals this.
  static constexpr verify::value unwritten = ~verify::value{0} / 0xff * verify::arena::usual_fill;
  // Requires that the atomic access that has just read this value did not read memory to which
  // nothing was written.
  void require_written(const volatile void* p, std::size_t size, verify::value read,
                       const source_location& where) {
    // Usually this returns at once. It leaves nothing on the stack, which turns of loops compare.
    if (size <= sizeof read && read != unwritten) return;
    require_not_initial(*cells_.atomic(reinterpret_cast<std::uintptr_t>(p), size), read, where);
  }

  // Lifetimes (storage.cpp). A block of the heap begins.
  void begin_block(const void*, std::size_t);
  // A function of the program, which is the caller, is about to return.
  void leave_function(const call_site& c) {
    thread& t = here();
    t.lowest = frame_ends_.of(c.return_address, *static_cast<const void* const*>(c.frame));
    if (!t.touched.empty()) end_frames(c);
    if (!t.ended.empty()) forget_ended(t);
    if (!locks_.empty()) require_no_locks(c);
  }
  // A block of the program ends, and with it a variable of this block.
  void end_variable(const void* p, std::size_t size, const call_site& c) {
    if (!here().touched.empty()) end_touched(p, size, c);
  }
  // A block is about to be freed.
  void require_no_locks(const void* block, const call_site&);
  // The stack and the thread_local variables of the running thread end.
  void end_storage();
  // The stack exists again, for the variables of the exit calls.
  void begin_storage() { here().is_over = false; }
  // An atomic object ends. What is at its place then has this value.
  void end_object(const void*, std::size_t, verify::value, const source_location&);
  // True if the address is in the program's memory: its code, variables, blocks and stacks.
  [[nodiscard]] bool owns(const volatile void*) const noexcept;
  // True if it is in the part of memory that blocks are allocated in.
  [[nodiscard]] bool is_on_heap(const void* p) const noexcept { return heap_->owns(p); }
  [[nodiscard]] const image& program() const noexcept { return program_; }

  // Ends the execution for a reason that is not the program's fault: the result is incomplete.
  [[noreturn]] void reach_limit(std::string why, const source_location&);
  // Blocks the running thread for good: an assumption of the program does not hold in this
  // execution, which does not count.
  [[noreturn]] void fail_assumption();
  [[nodiscard]] const exploration_state& state() const noexcept { return state_; }
  // True if the exploration must restart, because more is known of the program's memory.
  [[nodiscard]] bool is_to_restart() const noexcept { return cells_.changed(); }
  void begin_exploration() noexcept {
    cells_.begin_exploration();
    state_.begin();
  }
  // For resume points (kept_sessions.cpp).
  struct kept;
  [[nodiscard]] bool can_resume() const noexcept {
    return !cells_.changed() && other_sizes_.empty() && !allocates_elsewhere_;
  }
  void keep(kept&, const verify::fibers&);
  void put_back(const kept&, const verify::fibers&);
  void add_variables(std::vector<std::span<char>>&);
  void add_thread_locals(std::vector<std::span<char>>&);
  // The C library has allocated memory for the program. Resuming would free it more than once.
  void note_allocation_elsewhere() noexcept { allocates_elsewhere_ = true; }
  void note_compared_address() noexcept { state_.note_compared_address(); }
  void note_release() noexcept { state_.note_release(); }
  void note_left_threads() noexcept { state_.note_left_threads(); }
  // To be called by a signal handler.
  static void interrupt() noexcept;

  // The state of an execution that other files keep. A change to it is not in the program's memory:
  // note_change() makes sure that no turn of a loop with such a change is idle.
  void note_change(const source_location&);
  // Numbers operations of threads whose order decides their results.
  unsigned next_in_order(const source_location&);
  // Changes the state of rand() by this operation, and returns the one before (random_numbers.cpp).
  verify::value random_state(verify::operation, verify::value operand, const source_location&);
  [[nodiscard]] thread_table& threads() noexcept { return table_; }
  [[nodiscard]] held_locks& locks() noexcept { return locks_; }
  [[nodiscard]] exit_calls& exits() noexcept { return exits_; }
  [[nodiscard]] thread_keys& keys() noexcept { return keys_; }
  [[nodiscard]] library_state& library() noexcept { return library_; }
  [[nodiscard]] const library_state& library() const noexcept { return library_; }
  // Code of clang announces before a compare-exchange whether it is a weak one, and asks after it
  // whether it has failed spuriously (compare_exchanges.cpp).
  struct weakness {
    bool may_fail = false;
    bool has_failed = false;
  };
  [[nodiscard]] weakness& of_compare_exchange() { return here().weak; }
  [[nodiscard]] kept_list& kept_by_thread() { return here().kept; }
  // Numbers the objects at this address in this execution.
  unsigned next_generation(const void* object) { return ++generations_[object]; }
  [[nodiscard]] bool is_in_library(const call_site& c) {
    return places_.is_in_library(c.return_address);
  }

 private:
  friend class entered;

  struct thread {
    const void* code = nullptr;       // the return address of the last call
    const void* registers = nullptr;  // those of the last call, with the frames above them
    const void* top = nullptr;        // null if it has not begun
    const void* stack_top = nullptr;  // the same, kept from execution to execution
    std::uintptr_t lowest = 0;        // the lower end of the program's frames at its last call
    bool describes_failure = false;
    bool in_library_call = false;
    std::optional<source_location> library_called_at;
    exit_call exit;
    weakness weak;
    bool is_over = false;  // and with it everything on its stack
    // The watched cells of its stack and its thread_local variables whose lifetimes end with these.
    mostly_empty<std::vector<std::uintptr_t>> touched;
    // Variables with such cells whose blocks have ended while their functions continue: the first
    // byte of each, by the end.
    mostly_empty<std::map<std::uintptr_t, std::uintptr_t>> ended;
    mostly_empty<std::vector<pending_write>> writes;
    mostly_empty<std::vector<pending_read>> loads;
    kept_list kept;
    plain_loop loop;
    verify::location changes = verify::no_location;
    std::uint64_t changed = 0;  // numbers the last change that was not made by the thread itself

    void begin_execution();
  };
  // States of a thread with the same version are the same: it changes its state only when it runs,
  // after which fibers::last_resumed(), which is `resumed`, is another number.
  struct version {
    std::uint64_t resumed = 0, changed = 0;
    bool operator==(const version&) const = default;
  };
  [[nodiscard]] version version_of(unsigned thread, const verify::fibers&) const noexcept;
  void reset(thread& t) {
    t.begin_execution();
    t.changed = ++changes_;
  }

  // True if accesses of the thread are not reported now.
  [[nodiscard]] static bool is_unwatched(const thread& t) noexcept {
    return t.describes_failure || t.in_library_call;
  }
  [[nodiscard]] thread& here() noexcept { return threads_[engine_->this_thread()]; }
  // True if the value that was read last is what the cell holds before anything is written to it.
  [[nodiscard]] bool is_unwritten(const cell&, verify::value read) const;
  void declare(cell&);
  // Notes an access to any cell. Most cells belong to no thread.
  void note_access(const cell& c, bool write, const source_location& where) {
    if (c.owner == cell::nobody) return;
    if (c.owner != engine_->this_thread() || c.watched) note_use(c, write, where);
  }
  void note_use(const cell&, bool write, const source_location&);
  // True if an access of the running thread needs no event. A variable of a function or
  // thread_local variable that no other thread has accessed in any execution has no race, and
  // memory has its value, unless it is an atomic object. The first access of another thread is
  // noted, and the exploration restarts. (clang announces all variables of functions, including
  // what it puts into atomic ones at first.)
  [[nodiscard]] bool is_left_out(const cell& c) const noexcept {
    return c.owner == engine_->this_thread() && !c.shared &&
           (!c.atomic || (announces_all_ && c.is_open));
  }
  void require_not_initial(const cell&, verify::value read, const source_location&);
  void settle(const cell&, bool writes_all);
  void begin_object(std::uintptr_t begin, std::size_t size, const source_location&);
  [[nodiscard]] bool is_another_object(std::uintptr_t begin, std::size_t size);
  void take_up_unannounced(const cell&, const source_location&);
  bool begins_again(const pending_write&);
  [[nodiscard]] std::uint8_t owner_of(const cell&) const;
  void require_in_lifetime(const cell&, const source_location&) const;
  void require_block(const cell&, const source_location&) const;
  void end_frames(const call_site&);
  void end_touched(const void*, std::size_t, const call_site&);
  // The variable at this address whose block has ended, or the end of the list.
  static auto find_ended(auto& t, std::uintptr_t at) {
    const auto found = t.ended.upper_bound(at);
    return found != t.ended.end() && found->second <= at ? found : t.ended.end();
  }
  static void begin_variable(thread&, std::uintptr_t);
  static void forget_ended(thread&);
  void require_no_locks(const call_site&);
  void end_lifetime(std::uintptr_t, const source_location&);
  [[nodiscard]] bool is_on_stack(const thread&, std::uintptr_t) const noexcept;
  // True if an access to exactly the bytes of the cell is one of plain data or none at all, and
  // nothing else is to be done before or after it. False if there may be more to it.
  [[nodiscard]] bool is_simple(thread& t, const cell* c) noexcept {
    if (c == nullptr || c->atomic || c->at == verify::no_location || !t.writes.empty())
      return false;
    return (c->owner == cell::nobody || is_left_out(*c)) && !t.loop.goes_on();
  }
  void touch(thread&, std::uintptr_t begin, std::size_t size, bool write, const source_location&);
  void touch_atomic(thread&, const cell&, std::uintptr_t begin, std::size_t size, bool write,
                    const source_location&);
  static void put_loads(thread&);
  void take_up_writes(thread& t) {
    if (!t.writes.empty()) make_events_of_writes(t);
  }
  void make_events_of_writes(thread&);
  void take_up_writes_but_for(thread&, const cell_part& overwritten);
  static bool is_announced(thread&, const cell&, const cell_part& accessed);
  void look_up(thread&, const source_location&);
  [[noreturn]] void stop_here();

  // True if the calling code runs on the OS thread that explores the program. Each of the program's
  // threads may have a thread pointer of its own.
  [[nodiscard]] bool is_explored_here() const noexcept {
    const char* const p = verify::thread_pointer::self();
    return p == thread_pointer_ || locals_.contains(p);
  }

  static session* current_;

  verify::engine* engine_ = nullptr;  // of the execution
  const char* thread_pointer_ = nullptr;
  // Of the OS thread; see begin().
  bool* in_body_ = nullptr;                        // allocation_hook::in_body
  const verify::allocation_hook* heap_ = nullptr;  // allocation_hook::current, in an execution
  image& program_;
  thread_locals& locals_;
  std::size_t stack_size_;
  cells cells_;
  places places_;
  frame_ends frame_ends_;
  static_objects static_objects_;
  per_thread<thread> threads_;
  std::uint64_t changes_ = 0;               // see thread::changed
  std::vector<std::span<char>> variables_;  // with the thread_local ones of threads that have begun
  // By the bytes of a write to where atomic objects of another size are: the code that makes it.
  std::map<std::pair<std::uintptr_t, std::size_t>, const void*> other_sizes_;
  bool announces_all_;  // including variables that no other thread can access
  mostly_empty<std::map<const void*, unsigned>> generations_;
  verify::location order_ = verify::no_location;
  verify::location random_state_ = verify::no_location;
  thread_table table_;
  held_locks locks_;
  exit_calls exits_;
  thread_keys keys_;
  library_state library_;
  exploration_state state_;
  bool allocates_elsewhere_ = false;
  bool has_streams_;  // of the library, such as std::cout
  bool has_options_;  // getopt()'s variables
};

// The session, for a function of the runtime that the program has called. While this lives, nothing
// that happens is the program's. Null if the checker's own code is running, before the checker
// begins, and if the object that the function is called for is not the program's.
class entered {
 public:
  [[gnu::always_inline]] entered() noexcept {
    if (!session::is_called_by_program()) return;
    session_ = session::current_;
    *session_->in_body_ = false;
  }
  explicit entered(const void* object) noexcept : entered() {
    if (session_ == nullptr || session_->owns(object)) return;
    *session_->in_body_ = true;
    session_ = nullptr;
  }
  ~entered() {
    if (session_ == nullptr) return;
    session_->engine_->clear_frames();
    *session_->in_body_ = true;
  }
  entered(const entered&) = delete;
  entered& operator=(const entered&) = delete;

  explicit operator bool() const noexcept { return session_ != nullptr; }
  session& operator*() const noexcept { return *session_; }
  session* operator->() const noexcept { return session_; }

 private:
  session* session_ = nullptr;
};

}  // namespace fencepost::programs
