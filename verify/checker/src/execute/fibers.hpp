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
  // Stays where it is: see engine::this_thread().
  [[nodiscard]] const unsigned& running() const noexcept { return running_; }
  // See engine::compare_from(): of what is done apart next.
  [[nodiscard]] const void*& compared_from() noexcept { return compared_from_; }

  // The thread's next run begins: with a new frame, at the top of its stack.
  void reserve(unsigned thread, std::size_t stack_size);
  void start(unsigned thread);
  // What an earlier run left on the stack is gone, as far down as frames were ever compared.
  void clear_stack(unsigned thread) noexcept;
  // May an earlier run have left something in the frames of the running thread, whose work is done
  // apart? Not once it was told to clear them.
  [[nodiscard]] bool are_frames_cleared() const noexcept {
    const fiber& f = all_[running_];
    return f.live >= f.cleared;
  }
  void clear_frames_from_now_on() noexcept;
  void fill_stack(unsigned thread, unsigned char byte) noexcept;

  // From the scheduler: returns when the thread yields.
  void resume(unsigned thread);
  // From the running thread: back to the scheduler, until it resumes this thread.
  void yield();

  // Does the work on the second stack. Nothing of the engine is then on that of the thread, where
  // its registers are saved: all that the thread's state is, but for memory, is one range of bytes.
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
  // Is the pointer on the stack of a thread?
  [[nodiscard]] bool on_a_stack(const void*) const noexcept;
  // The frames of a thread that is not running, or whose work is done apart.
  [[nodiscard]] const char* live(unsigned thread) const noexcept { return all_[thread].live; }
  // Of the running thread, whose work is done apart: what it is compared by.
  [[nodiscard]] const char* compared() const noexcept { return all_[running_].compared; }
  // What is left of the running thread's stack; `here`: an object in the frame of the caller.
  [[nodiscard]] std::size_t room(const char* here) const noexcept {
    const fiber& f = all_[running_];
    return static_cast<std::size_t>((f.is_apart ? f.live : here) - f.stack.bottom());
  }

  // Names the last time that the thread was started or resumed: where it is the same, the thread
  // has changed nothing since.
  [[nodiscard]] std::uint64_t last_resumed(unsigned thread) const noexcept {
    return all_[thread].resumed;
  }
  // A thread that has yielded. It goes on from here again if the bytes of its stacks are put back.
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
  // `clear`: what the last run left on the stack below is gone.
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
  // The bytes in use of a thread that has yielded while its work is done apart: of its stack, and
  // of the second one.
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
    const char* live = nullptr;      // where its stack began when it last called the engine
    const char* compared = nullptr;  // the part that counts
    bool is_apart = false;
    const char* cleared = nullptr;  // from here up, where frames are compared
    exception_state exceptions;
    char* thread_pointer = nullptr;  // null: not one of its own yet
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
#ifdef FENCEPOST_ASAN
  const void* home_stack_ = nullptr;
  std::size_t home_size_ = 0;
#endif
};

}  // namespace fencepost::verify
