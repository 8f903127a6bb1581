#include "session.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "compiler.hpp"
#include "fencepost/verify/wait_queue.hpp"
#include "posix_conditions.hpp"
#include "posix_mutexes.hpp"
#include "standard_streams.hpp"

namespace fencepost::programs {

using verify::engine;

session* session::current_ = nullptr;
std::atomic<bool> session::interrupted_ = false;

namespace {

constexpr std::string_view clocks[] = {"_ZNSt6chrono3_V212steady_clock3nowEv",
                                       "_ZNSt6chrono3_V212system_clock3nowEv", "clock_gettime",
                                       "time", "timespec_get"};

}  // namespace

session::session(image& program, thread_locals& locals, std::size_t stack_size)
    : program_(program), locals_(locals), stack_size_(stack_size), places_(program) {
  announces_all_ = compiler_of_program() == compiler::clang;
  const std::vector<std::string>& imports = program.imports();
  has_clock_ = std::any_of(std::begin(clocks), std::end(clocks), [&](std::string_view name) {
    return std::binary_search(imports.begin(), imports.end(), name);
  });
}

void session::interrupt() noexcept {
  interrupted_.store(true);
  if (current_ != nullptr) current_->stop_.store(true);
}

void session::begin_execution(const void* top) {
  program_.put_variables_back();
  put_standard_streams_back();
  for (thread& t : threads_) {
    t.top = nullptr;
    t.lowest = 0;
    t.describes_failure = t.in_library_call = false;
    t.weak = {};
    t.is_over = false;
    t.touched.clear();
    t.writes.clear();
    t.loads.clear();
    t.end = {};
    t.at_end.clear();
    t.behind_end.clear();
    t.to_notify.clear();
    t.specific.clear();
    t.out = nullptr;
    t.silent = t.looks = 0;
    t.last_event = 0;
  }
  keys_.clear();
  generations_.clear();
  std::fill(std::begin(numbers_), std::end(numbers_), numbers());
  variables_.assign(program_.variables().begin(), program_.variables().end());
  starts_.resize(verify::max_threads);
  started_ = 0;
  exits_ = false;
  held_.clear();
  kept_out_.clear();
  other_sizes_.clear();
  cells_.begin_execution();
  at_exit_.clear();
  engine& e = *engine::current();
  at_exit_order_ = e.declare_hidden({});
  // A program may have nothing that is shared.
  if (cells_.empty()) e.declare_plain(this, 1, false, {});
  // Blocks are not there yet, nor are variables of threads.
  cells_.for_all([&](cell& c) {
    const void* const address = reinterpret_cast<const void*>(c.begin);
    c.known = true;
    if (c.owner == cell::not_asked) c.owner = owner_of(c);
    c.watched = c.shared || (c.atomic && c.owner != cell::nobody && !locals_.contains(address));
    c.touched = false;
    c.at = verify::no_location;
    if (!verify::allocation_hook::current->owns(address) && !locals_.contains(address)) declare(c);
  });
  begin_thread(top);
}

void session::begin_thread(const void* top) {
  const unsigned self = engine::current()->this_thread();
  locals_.begin(self);
  if (!locals_.empty()) variables_.push_back(locals_.of(self));
  variables_.emplace_back(reinterpret_cast<char*>(&numbers_[self]), sizeof numbers_[self]);
  verify::program_variables::all = variables_;
  here().top = here().stack_top = top;
  here().changes = engine::current()->declare_hidden({});
  if (locals_.empty()) return;
  const std::span<char> own = locals_.of(self);
  cells_.change_each(reinterpret_cast<std::uintptr_t>(own.data()), own.size(), [&](cell& c) {
    if (c.known) declare(c);
  });
}

// In blocks and on stacks nothing is there yet.
void session::declare(cell& c) {
  const void* const address = reinterpret_cast<const void*>(c.begin);
  engine& e = *engine::current();
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
  if (program_.contains(p) || locals_.contains(p) || verify::allocation_hook::current->owns(p))
    return true;
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  return std::any_of(std::begin(threads_), std::end(threads_),
                     [&](const thread& t) { return t.top != nullptr && is_on_stack(t, at); });
}

void session::stop_here() {
  stop_.store(true);
  engine::current()->give_up();
  __builtin_unreachable();  // it does not return
}

void session::fail_assumption() {
  take_up_writes();
  has_failed_assumptions_ = true;
  engine::current()->give_up();
  __builtin_unreachable();  // it does not return
}

void session::reach_limit(std::string why, const source_location& where) {
  if (limit_.empty())
    limit_ = std::move(why) + " (" + where.file + ":" + std::to_string(where.line) + ")";
  stop_here();
}

// ---------------------------------------------------------------------------------------------
// Accesses.

void session::read(const volatile void* p, std::size_t size, const source_location& where) {
  if (is_unwatched()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  // Where a structure is copied, the hook of the write comes before that of the read, and the write
  // after both. Before the next atomic access it does not matter in which order plain ones came,
  // but for those to the same bytes.
  const auto is_of_these = [&](const pending& w) {
    return w.accessed.begin < begin + size && begin < w.accessed.end;
  };
  if (const auto& writes = here().writes; std::any_of(writes.begin(), writes.end(), is_of_these))
    take_up_writes();
  touch(begin, size, false, where);
  put_loads();
}

void session::write(const volatile void* p, std::size_t size, const source_location& where) {
  if (is_unwatched()) return;
  take_up_writes();
  touch(reinterpret_cast<std::uintptr_t>(p), size, true, where);
  put_loads();
}

void session::copy(const void* to, const void* from, std::size_t size,
                   const source_location& where) {
  if (is_unwatched()) return;
  take_up_writes();
  if (owns(from)) touch(reinterpret_cast<std::uintptr_t>(from), size, false, where);
  if (owns(to)) touch(reinterpret_cast<std::uintptr_t>(to), size, true, where);
  put_loads();
}

void session::touch(std::uintptr_t begin, std::size_t size, bool write,
                    const source_location& where) {
  if (size == 0) return;
  if (++here().silent >= most_silent) look_up(where);
  engine& e = *engine::current();
  const auto touch_cell = [&](const cell& c) {
    if (c.at == verify::no_location) {  // known since this execution: it counts for nothing
      require_block(c, where);
      return;
    }
    if (is_left_out(c)) return;
    note_access(c, write, where);
    if (c.atomic) {
      touch_atomic(c, begin, size, write, where);
    } else if (write) {
      e.plain_write(c.at, where);
    } else {
      e.plain_read(c.at, where);
    }
  };
  if (const cell* const c = cells_.recent(begin, size)) {
    touch_cell(*c);
    return;
  }
  if (write && is_another_object(begin, size)) begin_object(begin, size, where);
  // What is plain is in memory: the program can go on, and more becomes known. The execution does
  // not count.
  if (!cells_.cover(begin, size)) stop_.store(true);
  cells_.for_each(begin, size, [&](const cell& c) {
    if (c.begin == begin && c.size == size) cells_.remember(c);
    touch_cell(c);
  });
}

// A loop of plain accesses may wait for another thread, in a data race with it. So that it is known
// as one that waits, and the other thread has its turn, there is something that it reads.
void session::look_up(const source_location& where) {
  thread& t = here();
  engine& e = *engine::current();
  if (t.last_event != e.last_event()) {
    t.silent = t.looks = 0;
  } else if (t.looks == 0 || where == t.looks_at) {
    t.looks_at = where;
    if (++t.looks > most_looks) return;
    take_up_writes();
    e.load(verify::word(t.changes), verify::order::relaxed, where);
  }
  t.last_event = e.last_event();
}

// The whole of the cell, also where it is a part that is accessed: the other bytes stay what they
// are. In memory, other things may be there: where another function has an atomic, the compiler
// keeps in this one what it says nothing of.
void session::touch_atomic(const cell& c, std::uintptr_t begin, std::size_t size, bool write,
                           const source_location& where) {
  const bool is_first = c.is_open;
  if (is_first)
    settle(c, write);
  else if (!write)
    take_up_unannounced(c, where);
  thread& t = here();
  const part accessed{std::max(begin, c.begin), std::min(begin + size, c.end())};
  std::optional<verify::value> rest;
  if (!write || accessed.end - accessed.begin != c.size) {
    const verify::value v =
        engine::current()->load(verify::word(c.at), verify::order::plain, where);
    if (!is_unwritten(c, v)) {
      if (write)
        rest = v;
      else
        t.loads.push_back({&c, v, accessed});
    }
  }
  if (write) t.writes.push_back({&c, where, 0, is_first, accessed, rest});
}

// When nothing else can happen before the program makes its access.
void session::put_loads() {
  thread& t = here();
  for (const loaded& l : t.loads)
    put_bytes(*l.from, l.value, l.accessed.begin, l.accessed.end - l.accessed.begin);
  t.loads.clear();
}

void session::take_up_writes() {
  thread& t = here();
  if (t.writes.empty()) return;
  // Other threads run between the events, and change memory.
  for (pending& w : t.writes)
    w.value = w.rest ? bytes_of(*w.to, *w.rest, w.accessed.begin, w.accessed.end - w.accessed.begin)
                     : bytes_of(*w.to);
  for (std::size_t i = 0; i < t.writes.size(); ++i) {
    const pending w = t.writes[i];
    if (!begins_again(w))
      engine::current()->store(verify::word(w.to->at), w.value, verify::order::plain, w.where);
  }
  t.writes.clear();
}

verify::location session::atomic(const volatile void* pointer, std::size_t size,
                                 const source_location& where, std::size_t alignment) {
  take_up_writes();
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  engine& e = *engine::current();
  if (begin < 4096) e.fail(violation::crash, "an atomic access by a null pointer", where);
  if (alignment == 0) alignment = (size & (size - 1)) == 0 ? size : 1;
  if (begin % alignment != 0)
    e.fail(violation::misuse, "an atomic access to an address that is not aligned", where);
  if (!owns(pointer))
    reach_limit("an atomic access to memory that is not the program's is not modelled", where);
  const cell* c = cells_.recent(begin, size);
  if (c == nullptr || !c->atomic) {
    if (cells_.is_mixed(begin, size)) {
      const auto written = other_sizes_.find({begin, size});
      if (written != other_sizes_.end()) cells_.add_beginning(written->second, begin, size);
      if (cells_.changed()) stop_here();
      reach_limit("atomic accesses of different sizes to the same memory are not modelled", where);
    }
    c = cells_.atomic(begin, size);
    if (c == nullptr) c = cells_.atomic(begin, size);
  }
  if (c->at == verify::no_location) {
    require_block(*c, where);
    if (c->known) stop_here();
    // Known since now. The execution counts for nothing, but more becomes known.
    stop_.store(true);
    cells_.change_each(begin, size, [&](cell& one) { declare(one); });
  }
  note_access(*c, true, where);
  if (c->is_open)
    settle(*c, false);
  else
    take_up_unannounced(*c, where);
  c->is_own = false;
  return c->at;
}

// ---------------------------------------------------------------------------------------------
// What other sources keep of an execution.

session::start& session::next_start() { return starts_[started_++ % starts_.size()]; }

void session::note_change(const source_location& where) {
  take_up_writes();
  engine::current()->store(verify::word(here().changes), 1, verify::order::relaxed, where);
}

void session::call_at_end_of_thread(at_exit f, const source_location& where) {
  note_change(where);
  here().at_end.push_back(f);
}

void session::call_behind_end_of_thread(at_exit f, const source_location& where) {
  note_change(where);
  here().behind_end.push_back(f);
}

void session::notify_at_end_of_thread(const notification& n) {
  note_change(n.where);
  here().to_notify.push_back(n);
}

// Also those that one of them adds.
void session::call_all(std::vector<at_exit> thread::*list) {
  for (;;) {
    at_exit f;
    {
      const entered s;
      std::vector<at_exit>& left = s->here().*list;
      if (left.empty()) break;
      f = left.back();
      left.pop_back();
    }
    f.function(f.argument);
  }
}

void session::end_thread() {
  call_all(&thread::at_end);
  call_all(&thread::behind_end);
  const entered s;
  for (std::vector<notification>& left = s->here().to_notify; !left.empty();) {
    const notification n = left.back();
    left.pop_back();
    unlock(*s, n.mutex, n.where);
    notify(*s, n.condition, verify::detail::all_of_them, n.where);
  }
}

unsigned session::next_in_order(const source_location& where) {
  take_up_writes();
  return static_cast<unsigned>(
      engine::current()->read_modify_write(verify::word(at_exit_order_), verify::operation::add, 1,
                                           sizeof(int), verify::order::relaxed, where));
}

// In which order threads do this decides in which order the functions are called.
void session::call_at_exit(at_exit f, const source_location& where) {
  next_in_order(where);
  at_exit_.push_back(f);
}

}  // namespace fencepost::programs
