// The slow paths of the scratch arena: everything that calls the system.
#include "fencepost/memory/scratch_arena.hpp"

#include <cstdio>

#include "fencepost/exceptions.hpp"
#include "virtual_memory.hpp"

namespace fencepost {

namespace vm = detail::virtual_memory;

namespace {

std::size_t page_up(std::size_t size) noexcept {
  const std::size_t page = vm::page_size();
  return (size + (page - 1)) & ~(page - 1);
}

const char* advice(scratch_failure why) noexcept {
  switch (why) {
    case scratch_failure::disabled:
      return "scratch memory is disabled: set scratch_options::reserve to more than 0";
    case scratch_failure::used_up:
      return "the reservation is used up: set scratch_options::reserve to more, or look for a "
             "mark() without its reset()";
    case scratch_failure::not_reserved:
      return "no address space: set scratch_options::reserve to less, or raise the limit "
             "(ulimit -v)";
    case scratch_failure::not_committed:
      return "no memory: look at the limits of the process (ulimit -d, -v) and of the system";
  }
  return "";
}

}  // namespace

scratch_error::scratch_error(scratch_failure why, const scratch_options& of, std::size_t wanted,
                             std::size_t used, int system_error) noexcept
    : why_(why), wanted_(wanted) {
  std::string cause;
  if (system_error != 0) {
    // Without memory for it, the description is left out.
    detail::attempt([&] { cause = " (" + vm::describe(system_error) + ")"; }, [] {});
  }
  char numbers[160];
  if (why == scratch_failure::not_reserved) {
    std::snprintf(numbers, sizeof numbers, "cannot reserve %zu bytes", wanted);
  } else {
    std::snprintf(numbers, sizeof numbers,
                  "cannot allocate %zu bytes, with %zu of %zu reserved bytes in use", wanted, used,
                  of.reserve);
  }
  std::snprintf(text_, sizeof text_, "%.40s: %s; %s%.60s", of.name.c_str(), numbers, advice(why),
                cause.c_str());
}

scratch_arena::scratch_arena(scratch_options options) : options_(std::move(options)) {
  if (options_.reserve == 0) return;
  const std::size_t asked = options_.reserve;
  options_.reserve = page_up(asked);
  // Null if rounding up has wrapped, or if the system refuses.
  void* const at = options_.reserve < asked ? nullptr : vm::reserve(options_.reserve);
  if (at == nullptr) {
    const int system_error = options_.reserve < asked ? 0 : vm::system_error();
    detail::raise<scratch_error>(scratch_failure::not_reserved, options_, asked, std::size_t{0},
                                 system_error);
  }
  base_ = top_ = committed_end_ = static_cast<std::byte*>(at);
  reserve_end_ = base_ + options_.reserve;
  frame_ = mark();
}

scratch_arena::~scratch_arena() {
  if (base_ == nullptr) return;
  unpoison(base_, committed());
  vm::release(base_, reserved());
}

void* scratch_arena::allocate_slow(std::size_t size, std::size_t align) {
  scratch_failure why{};
  int system_error = 0;
  if (!grow(size, align, why, system_error)) {
    detail::raise<scratch_error>(why, options_, size, used(), system_error);
  }
  return take(size, align);
}

void* scratch_arena::try_allocate_slow(std::size_t size, std::size_t align) noexcept {
  scratch_failure why{};
  int system_error = 0;
  return grow(size, align, why, system_error) ? take(size, align) : nullptr;
}

// Commits the memory for a block, and the band if possible.
bool scratch_arena::grow(std::size_t size, std::size_t align, scratch_failure& why,
                         int& system_error) noexcept {
  if (base_ == nullptr) {
    why = scratch_failure::disabled;
    return false;
  }
  const std::size_t pad = padding(top_, align);
  const std::size_t left = size_between(top_, reserve_end_);
  if (pad > left || size > left - pad) {
    why = scratch_failure::used_up;
    return false;
  }
  // The reservation ends at a page boundary, so nothing is rounded up beyond it.
  const std::size_t end = used() + pad + size;
  const bool room_for_band = options_.band <= reserved() - end;
  const std::size_t with_band = room_for_band ? page_up(end + options_.band) : reserved();
  // A band that is refused is no reason to refuse the block.
  for (const std::size_t to : {with_band, page_up(end)}) {
    const std::size_t more = to - committed();
    if (vm::commit(committed_end_, more)) {
      poison(committed_end_, more);
      committed_end_ += more;
      return true;
    }
  }
  why = scratch_failure::not_committed;
  system_error = vm::system_error();
  return false;
}

void scratch_arena::idle() noexcept {
  if (top_ != frame_.at_) give_back_leak();
  trim();
}

std::size_t scratch_arena::trim() noexcept {
  if (options_.band >= committed() - used()) return 0;
  const std::size_t keep = page_up(used() + options_.band);
  if (keep >= committed()) return 0;
  std::byte* const from = base_ + keep;
  const std::size_t size = committed() - keep;
  unpoison(from, size);  // the sanitizer no longer tracks it; an access faults
  // If the system fails, another mapping may occupy the range by now: stop using it.
  if (!vm::decommit(from, size)) {
    reserve_end_ = from;
    options_.reserve = keep;
  }
  committed_end_ = from;
  return size;
}

// The current frame runs no task, so blocks above its entry were leaked. Those below belong to
// suspended frames.
void scratch_arena::give_back_leak() noexcept {
  const std::size_t bytes = size_between(frame_.at_, top_);
  reset(frame_);
  if (leaks_++ != 0) return;
  if (options_.on_leak) {
    options_.on_leak({options_.name, bytes});
    return;
  }
  std::fprintf(stderr,
               "%s: %zu bytes were still allocated when the worker had no task: a mark() without "
               "its reset(). They are released; this is reported once.\n",
               options_.name.c_str(), bytes);
}

}  // namespace fencepost
