// The model threads of an exploration as fibers, all on one OS thread: the scheduler resumes one,
// which runs until it yields. Each has a stack of its own, and the engine works for it on another.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "execute/fiber_stack.hpp"
#include "graph/clock.hpp"

namespace fencepost::verify {

// The exceptions of a thread, as the C++ runtime keeps them; swapped with the fiber.
struct exception_state {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

class fibers {
 public:
  // Each fiber runs program(self), which must not return.
  fibers(void (*program)(void*), void* self) noexcept : program_(program), self_(self) {}

  // To be called on the OS thread that resumes the fibers.
  void adopt_os_thread() noexcept;
  // The reference stays valid: see engine::this_thread().
  [[nodiscard]] const unsigned& running() const noexcept { return running_; }
  // allocation_hook::in_body of the OS thread.
  [[nodiscard]] bool& in_body() const noexcept { return *in_body_; }
  // The start of the compared part for the next call of apart(); see engine::compare_from().
  [[nodiscard]] const void*& compared_from() noexcept { return compared_from_; }

  // Reserves the thread's stacks, unless it has them.
  void reserve(unsigned thread, std::size_t stack_size);
  // Begins the thread's next run, with a new frame at the top of its stack.
  void start(unsigned thread);
  // Clears what an earlier run left on the stack, as far down as frames were ever compared.
  void clear_stack(unsigned thread) noexcept;
  // True if all frames of the running thread, whose work is done apart, are in the part of its
  // stack that clear_stack() clears. Otherwise an earlier run may have left bytes in them.
  [[nodiscard]] bool are_frames_cleared() const noexcept {
    const fiber& f = all_[running_];
    return f.live >= f.cleared;
  }
  // Extends that part to the running thread's frames, for the runs to come.
  void clear_frames_from_now_on() noexcept;
  void fill_stack(unsigned thread, unsigned char byte) noexcept;

  // Called by the scheduler; returns when the thread yields.
  void resume(unsigned thread);
  // Called by the running thread; returns when the scheduler resumes it.
  void yield();

  // Does the work on the second stack. The thread's own stack then has nothing of the engine on it,
  // and the thread's registers are saved there: apart from memory, the thread's state is one range
  // of bytes.
  template <class F>
  auto apart(F&& work) {
    using answer = std::invoke_result_t<F>;
    using function = std::remove_reference_t<F>;
    if constexpr (std::is_void_v<answer>) {
      run_apart([](void* w) { (*static_cast<function*>(w))(); }, &work);
    } else {
      struct call {
        function* work;
        answer value{};
      } c{&work};
      run_apart([](void* w) { static_cast<call*>(w)->value = (*static_cast<call*>(w)->work)(); },
                &c);
      return c.value;
    }
  }

  // For a debugger: calls violation_here() on the stack of the thread.
  void show_violation(unsigned thread);

  [[nodiscard]] const fiber_stack& stack(unsigned thread) const noexcept {
    return all_[thread].stack;
  }
  // True if the pointer points into the stack of a thread.
  [[nodiscard]] bool on_a_stack(const void*) const noexcept;
  // Where the frames begin of a thread that is not running, or whose work is done apart.
  [[nodiscard]] const char* live(unsigned thread) const noexcept { return all_[thread].live; }
  // Where the compared part of the running thread's stack begins; its work must be done apart.
  [[nodiscard]] const char* compared() const noexcept { return all_[running_].compared; }
  // How many bytes of the running thread's stack are unused; `here`: an object in the caller's
  // frame.
  [[nodiscard]] std::size_t room(const char* here) const noexcept {
    const fiber& f = all_[running_];
    return static_cast<std::size_t>((f.is_apart ? f.live : here) - f.stack.bottom());
  }

  // Identifies the last time that the thread was started or resumed: as long as it is the same, the
  // thread has changed nothing.
  [[nodiscard]] std::uint64_t last_resumed(unsigned thread) const noexcept {
    return all_[thread].resumed;
  }
  // A thread that has yielded. It continues from here again once the bytes of its stacks are
  // restored.
  struct suspended {
    std::uint64_t resumed = 0;
    boost::context::detail::fcontext_t context = nullptr;
    const char* live = nullptr;
    const char* compared = nullptr;
    bool is_apart = false;
  };
  [[nodiscard]] suspended state_of(unsigned thread) const noexcept {
    const fiber& f = all_[thread];
    return {f.resumed, f.context, f.live, f.compared, f.is_apart};
  }
  // `clear`: also clears what the last run left on the stack below.
  void put_back(unsigned thread, const suspended& s, bool clear) noexcept {
    fiber& f = all_[thread];
    f.context = s.context;
    f.live = s.live;
    f.compared = s.compared;
    f.is_apart = s.is_apart;
    f.exceptions = {};
    if (clear && f.resumed != s.resumed) clear_below(f, f.live);
    f.resumed = s.resumed;
  }
  // The bytes in use on the stack, and on the second stack, of a thread that has yielded while its
  // work is done apart.
  struct bytes {
    char* begin = nullptr;
    std::size_t size = 0;
  };
  [[nodiscard]] bytes used_stack(unsigned thread) const noexcept {
    const fiber& f = all_[thread];
    return range(f.live, f.stack.top());
  }
  [[nodiscard]] bytes used_engine_stack(unsigned thread) const noexcept {
    const fiber& f = all_[thread];
    return range(static_cast<const char*>(f.context), f.stack.engine_top());
  }
  [[nodiscard]] bool is_handling_exceptions(unsigned thread) const noexcept {
    const exception_state& e = all_[thread].exceptions;
    return e.caught != nullptr || e.uncaught != 0;
  }

 private:
  static bytes range(const char* begin, const void* end) noexcept {
    return {const_cast<char*>(begin),
            static_cast<std::size_t>(static_cast<const char*>(end) - begin)};
  }
  struct fiber {
    std::uint64_t resumed = 0;  // see last_resumed()
    boost::context::detail::fcontext_t context = nullptr;
    boost::context::detail::fcontext_t engine = nullptr;  // of the second stack
    fiber_stack stack;
    const char* live = nullptr;      // its stack pointer when it last called the engine
    const char* compared = nullptr;  // where the compared part begins
    bool is_apart = false;
    const char* cleared = nullptr;  // where the part begins that clear_stack() clears
    exception_state exceptions;
    char* thread_pointer = nullptr;  // null: it has none of its own yet
#ifdef FENCEPOST_ASAN
    void* fake_stack = nullptr;
#endif
  };
  struct job {
    fibers* self;
    void (*work)(void*);
    void* argument;
  };
  static void clear_below(const fiber& f, const void* end) noexcept {
    const bytes unused = range(f.cleared, end);
    if (f.cleared < end) std::memset(unused.begin, 0, unused.size);
  }
  static void enter(boost::context::detail::transfer_t);
  static void serve(boost::context::detail::transfer_t);
  void run_apart(void (*work)(void*), void* argument);

  void (*program_)(void*);
  void* self_;
  fiber all_[max_threads];
  unsigned running_ = 0;
  const void* compared_from_ = nullptr;
  std::uint64_t resumptions_ = 0;
  boost::context::detail::fcontext_t home_ = nullptr;  // the scheduler
  exception_state* exceptions_ = nullptr;
  // Of the OS thread: in a shared library, each use of a thread_local variable is a call.
  bool* in_body_ = nullptr;  // allocation_hook::in_body
  bool swaps_thread_pointers_ = false;
#ifdef FENCEPOST_ASAN
  const void* home_stack_ = nullptr;
  std::size_t home_size_ = 0;
#endif
};

}  // namespace fencepost::verify
