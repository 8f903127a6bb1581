#include "execute/explorer.hpp"

#include <cstdint>
#include <utility>

#include "execute/signals.hpp"

namespace fencepost::verify {

constinit thread_local engine* engine::current_ = nullptr;

// Called before each event. Stores registers, since g++ turns a call of memset() into one slow
// instruction.
[[gnu::noinline]] void engine::clear_below() noexcept {
  using wide [[gnu::vector_size(16)]] = std::uint64_t;
  wide frames[32];
#pragma GCC unroll 32
  for (wide& part : frames) {
    part = wide{};
    asm volatile("" : : "m"(part));  // not a dead store
  }
}

// Makes the explorer the engine of the system thread. The destructor undoes this, also when a
// callback throws.
class explorer::presence {
 public:
  // `frame`: where the stack of the exploring function's caller begins.
  presence(explorer& self, const void* frame)
      : previous_(std::exchange(current_runner, &self.parts_.history)),
        signals_(&self.parts_.watch) {
    self.parts_.stacks.adopt_os_thread();
    self.parts_.resumption.begin(frame);
    allocation_hook::allocates_elsewhere = false;
    engine::current_ = &self;
    allocation_hook::current = &self.parts_.allocated;
  }
  ~presence() {
    current_runner = previous_;
    allocation_hook::current = nullptr;
    engine::current_ = nullptr;
  }
  presence(const presence&) = delete;
  presence& operator=(const presence&) = delete;

 private:
  runner* previous_;
  signal_guard signals_;
};

explorer::explorer(const options& o, std::function<void()> body)
    : parts_(o, std::move(body), frames_are_compared_,
             {reinterpret_cast<const char*>(this), sizeof *this}) {
  running_ = &parts_.stacks.running();
  compared_from_ = &parts_.stacks.compared_from();
  if (parts_.orders != nullptr) orders_ = &parts_.table;
}

explorer::~explorer() = default;

// ---------------------------------------------------------------------------------------------
// Exploring.

result explorer::explore() {
  if (engine::current_ != nullptr) {
    result r = nothing_found();
    r.limit = "an exploration may not be started inside another one";
    return r;
  }
  const presence here(*this, __builtin_dwarf_cfa());
  search& s = parts_.main_search;
  if (parts_.asked.probes != 0) return s.estimate();
  return parts_.asked.replay.empty() ? s.explore() : s.replay();
}

part_result explorer::explore(const part& p, part_control& control) {
  const presence here(*this, __builtin_dwarf_cfa());
  return parts_.main_search.explore(p, control);
}

result explorer::explore_from(const choice_path& at, std::string_view wrong, result so_far) {
  const presence here(*this, __builtin_dwarf_cfa());
  return parts_.main_search.explore_from(at, wrong, std::move(so_far));
}

std::optional<double> explorer::probe(std::uint64_t seed, const std::function<void()>& pause) {
  const presence here(*this, __builtin_dwarf_cfa());
  return parts_.probes.probe(seed, pause);
}

bool explorer::learn(const lesson& l) {
  const presence here(*this, __builtin_dwarf_cfa());
  return parts_.navigation.take_lesson(l);
}

void explorer::make(const choice_path& run) {
  const presence here(*this, __builtin_dwarf_cfa());
  parts_.navigation.make_run(run);
}

// ---------------------------------------------------------------------------------------------
// Events. The arguments stay in the registers in which they are passed.

value explorer::on_load(word w, order o, const char* file, const char* function,
                        std::uint64_t place) {
  return parts_.requests.load(w, o, file, function, place);
}

void explorer::on_store(word w, value v, order o, const char* file, const char* function,
                        std::uint64_t place) {
  parts_.requests.store(w, v, o, file, function, place);
}

value explorer::on_read_modify_write(word w, change_of c, value operand, const char* file,
                                     const char* function, std::uint64_t place,
                                     value (*custom)(value, value)) {
  return parts_.requests.read_modify_write(w, c, operand, file, function, place, custom);
}

exchanged explorer::on_compare_exchange(word w, value expected, value desired, orders_of o,
                                        const char* file, const char* function,
                                        std::uint64_t place) {
  return parts_.requests.compare_exchange(w, expected, desired, o, file, function, place);
}

void explorer::on_fence(order o, const char* file, const char* function, std::uint64_t place) {
  parts_.requests.fence(o, file, function, place);
}

void explorer::await(location l, value expected, order o, wait_for what, source_location where) {
  parts_.requests.await(l, expected, o, what, where);
}

void explorer::await_exchange(location l, value expected, value desired, order o, wait_for what,
                              source_location where) {
  parts_.requests.await_exchange(l, expected, desired, o, what, where);
}

value explorer::look(location l, look_for what, source_location where) {
  return parts_.requests.look(l, what, where);
}

void explorer::give_up() { parts_.requests.give_up(); }

unsigned explorer::choose(unsigned alternatives, budget charge, source_location where) {
  return parts_.requests.choose(alternatives, charge, where);
}

void explorer::create(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
                      source_location where) {
  parts_.requests.create(entry, arguments, ids, count, where);
}

void explorer::join(const unsigned* ids, unsigned count, source_location where) {
  parts_.requests.join(ids, count, where);
}

// ---------------------------------------------------------------------------------------------
// Objects.

location explorer::declare(const void* address, std::size_t size, value initial,
                           source_location where) {
  return parts_.objects_of_program.declare(address, size, initial, where);
}

location explorer::declare_unknown(const void* address, std::size_t size, source_location where) {
  return parts_.objects_of_program.declare_unknown(address, size, where);
}

void explorer::begins_with(location l, value initial) {
  parts_.objects_of_program.begins_with(l, initial);
}

void explorer::retire(location l, source_location where) {
  parts_.objects_of_program.retire(l, where);
}

location explorer::on_static(const void* address, std::size_t size, value initial, const char* file,
                             const char* function, std::uint64_t place) {
  return parts_.objects.static_at(address, size, initial, at(file, function, place));
}

location explorer::declare_plain(const void* address, std::size_t size, bool scalar,
                                 source_location where) {
  return parts_.objects_of_program.declare_plain(address, size, scalar, where);
}

void explorer::begins_without_value(location l) {
  parts_.objects_of_program.begins_without_value(l);
}

location explorer::declare_hidden(source_location where) {
  return parts_.objects_of_program.declare_hidden(where);
}

void explorer::on_plain_read(location l, const char* file, const char* function,
                             std::uint64_t place) {
  parts_.objects_of_program.plain_read(l, file, function, place);
}

void explorer::on_plain_write(location l, const char* file, const char* function,
                              std::uint64_t place) {
  parts_.objects_of_program.plain_write(l, file, function, place);
}

void explorer::use(location l, bool may_outlast, source_location where) {
  parts_.objects_of_program.use(l, may_outlast, where);
}

void explorer::renew_plain(location l, source_location where) {
  parts_.objects_of_program.renew_plain(l, where);
}

bool explorer::accesses_unordered(location l, bool writes) {
  return parts_.objects_of_program.accesses_unordered(l, writes);
}

value explorer::known(location l) { return parts_.objects_of_program.known(l); }

bool explorer::replaced(std::uint64_t look) {
  return parts_.objects_of_program.replaced(static_cast<event_id>(look));
}

wait_list& explorer::waiters_at(const void* address) {
  return parts_.objects_of_program.waiters_at(address);
}

value explorer::number_of(const wide_value& bytes) { return parts_.wide.number_of(bytes); }

wide_value explorer::numbered(value number) { return parts_.wide.bytes(number); }

// ---------------------------------------------------------------------------------------------
// The run.

void explorer::spin_pause() { parts_.limits.count_pause(); }

std::uint64_t explorer::last_event() { return parts_.history.last_event(); }

void explorer::record_outcome(std::string_view text) { parts_.history.record(text); }

void explorer::fail(violation kind, std::string_view text, source_location where) {
  parts_.ending.report(kind, text, where);
}

void explorer::fail_at_end(unsigned thread, violation kind, std::string_view text,
                           source_location where) {
  parts_.ending.report_at_end(thread, kind, text, where);
}

bool explorer::fail_later(violation kind, std::string_view text, std::string_view file,
                          unsigned line) {
  return parts_.ending.report_later(kind, text, file, line);
}

// A front end that calls this keeps state that lasts for one run, which no resume point restores.
std::uint64_t explorer::run_number() {
  if (parts_.resumption.given_up().empty()) {
    const engine_scope scope;
    parts_.resumption.give_up("the front end asks for the number of the run");
  }
  return parts_.runner.runs();
}

void explorer::begin_operation(const char* what, const void* object, source_location where) {
  if (parts_.trace.on())
    parts_.trace.begin_operation(parts_.stacks.running(), what,
                                 parts_.objects.at(reinterpret_cast<std::uintptr_t>(object)),
                                 where);
  clear_frames();  // the first event follows, and nothing of this may be left in its frames
}

void explorer::fence_removed(order in_source, source_location where) {
  if (!parts_.trace.on()) return;
  parts_.trace.add(parts_.stacks.running(), step_kind::note,
                   message("no fence (%s in the source)", to_string(in_source).data()), where);
}

}  // namespace fencepost::verify
