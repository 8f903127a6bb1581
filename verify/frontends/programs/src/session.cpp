#include "session.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "compiler.hpp"
#include "program_options.hpp"
#include "standard_streams.hpp"

namespace fencepost::programs {

using verify::engine;

session* session::current_ = nullptr;

namespace {

constexpr std::string_view clocks[] = {"_ZNSt6chrono3_V212steady_clock3nowEv",
                                       "_ZNSt6chrono3_V212system_clock3nowEv",
                                       "clock_gettime",
                                       "gettimeofday",
                                       "timespec_get",
                                       "time",
                                       "clock"};

}  // namespace

session::session(image& program, thread_locals& locals, std::size_t stack_size)
    : program_(program),
      locals_(locals),
      stack_size_(stack_size),
      places_(program),
      static_objects_(program),
      announces_all_(compiler_of_program() == compiler::clang),
      library_(program.imports_any(clocks)),
      has_streams_(program.imports_any(names_of_streams)),
      has_options_(program.imports_any(names_of_options)) {}

void session::interrupt() noexcept {
  exploration_state::interrupt_all();
  if (current_ != nullptr) current_->state_.stop();
}

void session::thread::begin_execution() {
  top = registers = nullptr;
  lowest = 0;
  describes_failure = in_library_call = false;
  library_called_at.reset();
  exit = {};
  weak = {};
  is_over = false;
  touched.clear();
  ended.clear();
  writes.clear();
  loads.clear();
  kept.clear();
  loop = {};
}

void session::begin_execution(const void* top) {
  engine_ = engine::current();
  running_thread::begin_execution(*engine_);
  heap_ = verify::allocation_hook::current;
  allocates_elsewhere_ = false;
  program_.put_variables_back();
  put_standard_streams_back();
  put_options_back();
  for (thread& t : threads_) reset(t);
  variables_.assign(program_.variables().begin(), program_.variables().end());
  if (has_streams_) add_memory_of_streams(variables_);
  if (has_options_) add_memory_of_options(variables_);
  other_sizes_.clear();
  generations_.clear();
  table_.begin_execution();
  locks_.begin_execution();
  exits_.begin_execution();
  keys_.begin_execution();
  library_.begin_execution();
  cells_.begin_execution();
  engine& e = *engine_;
  order_ = e.declare_hidden({});
  random_state_ = e.declare_hidden({});
  // A program may have no shared memory at all.
  if (cells_.empty()) e.declare_plain(this, 1, false, {});
  // Blocks and thread_local variables do not exist yet.
  cells_.for_all([&](cell& c) {
    const void* const address = reinterpret_cast<const void*>(c.begin);
    c.known = true;
    if (c.owner == cell::not_asked) c.owner = owner_of(c);
    c.watched = c.shared || (c.atomic && c.owner != cell::nobody && !locals_.contains(address));
    c.touched = false;
    c.at = verify::no_location;
    if (!is_on_heap(address) && !locals_.contains(address)) declare(c);
  });
  begin_thread(top);
}

// The end of an object conflicts with each access to it, even to bytes that its destructor does not
// touch, such as the short text of a std::string.
void session::end_exit_call() {
  thread& t = here();
  const exit_call ended = std::exchange(t.exit, {});
  const std::size_t size = static_objects_.destroyed_by(ended);
  if (size == 0) return;
  take_up_writes(t);
  const source_location where = places_.of_destructor(ended);
  cells_.for_each(reinterpret_cast<std::uintptr_t>(ended.argument), size, [&](const cell& c) {
    if (c.at == verify::no_location) return;
    note_access(c, true, where);
    if (c.atomic)
      engine_->retire(c.at, where);
    else
      engine_->plain_write(c.at, where);
  });
}

void session::begin_thread(const void* top) {
  const unsigned self = engine::current()->this_thread();
  locals_.begin(self);
  if (!locals_.empty()) variables_.push_back(locals_.of(self));
  variables_.push_back(library_.bytes_of_this_thread());
  verify::program_variables::all = variables_;
  here().top = here().stack_top = top;
  here().changes = engine::current()->declare_hidden({});
  if (locals_.empty()) return;
  const std::span<char> own = locals_.of(self);
  cells_.change_each(reinterpret_cast<std::uintptr_t>(own.data()), own.size(), [&](cell& c) {
    if (c.known) declare(c);
  });
}

// What an atomic object in a block or on a stack holds at first is not known yet.
void session::declare(cell& c) {
  const void* const address = reinterpret_cast<const void*>(c.begin);
  engine& e = *engine_;
  c.at = verify::no_location;
  if (is_standard_stream(address)) return;
  c.is_open = false;
  c.is_own = c.owner != cell::nobody && !locals_.contains(address);
  if (!c.atomic) {
    c.at = e.declare_plain(address, c.size, false, {});
  } else if (program_.contains(address)) {
    c.at = e.declare(address, c.size, bytes_of(c), {});
  } else if (locals_.contains(address)) {
    const verify::wide_value v = locals_.initial(address, c.size);
    c.at = e.declare(address, c.size, c.size > sizeof v[0] ? e.number_of(v) : v[0], {});
  } else {
    c.at = e.declare_unknown(address, c.size, {});
    c.is_open = true;
  }
}

bool session::owns(const volatile void* pointer) const noexcept {
  const void* const p = const_cast<const void*>(pointer);
  if (program_.contains(p) || locals_.contains(p) || is_on_heap(p)) return true;
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  return std::any_of(threads_.begin(), threads_.end(),
                     [&](const thread& t) { return t.top != nullptr && is_on_stack(t, at); });
}

void session::stop_here() {
  state_.stop();
  engine::current()->give_up();
  __builtin_unreachable();  // it does not return
}

void session::fail_assumption() {
  take_up_writes();
  state_.note_failed_assumption();
  engine::current()->give_up();
  __builtin_unreachable();  // it does not return
}

void session::reach_limit(std::string why, const source_location& where) {
  state_.note_limit(std::move(why), where);
  stop_here();
}

void session::note_change(const source_location& where) {
  take_up_writes();
  engine::current()->store(verify::word(here().changes), 1, verify::order::relaxed, where);
}

unsigned session::next_in_order(const source_location& where) {
  take_up_writes();
  return static_cast<unsigned>(engine::current()->read_modify_write(
      verify::word(order_), verify::operation::add, 1, sizeof(int), verify::order::relaxed, where));
}

verify::value session::random_state(verify::operation o, verify::value operand,
                                    const source_location& where) {
  take_up_writes();
  return engine::current()->read_modify_write(verify::word(random_state_), o, operand,
                                              sizeof operand, verify::order::relaxed, where);
}

}  // namespace fencepost::programs
