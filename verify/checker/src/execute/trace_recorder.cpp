#include "execute/trace_recorder.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

#include "execute/event_words.hpp"
#include "execute/shown_value.hpp"

namespace fencepost::verify {

namespace {

event event_of(const explored_event& d) {
  event e;
  e.kind = d.what == explored_event::kind::update ? event_kind::rmw : event_kind::load;
  e.success = d.success;
  e.failure = d.failure;
  e.loc[0] = d.cells[0];
  e.loc[1] = d.cells[1];
  e.op = d.op;
  e.compares = d.compares;
  e.weak = d.weak;
  e.spurious = d.spurious;
  e.expected = d.expected;
  e.read = d.read;
  e.written = d.written;
  return e;
}

}  // namespace

const char* kept_name(std::string_view file) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> files;
  const std::lock_guard lock(mutex);
  auto found = files.find(file);
  if (found == files.end()) found = files.emplace(file).first;
  return found->c_str();
}

void trace_recorder::clear() {
  steps_.clear();
  names_.clear();
  addresses_.clear();
  requests_ = {};
}

std::string trace_recorder::name(location l) {
  const engine_scope scope;
  return letters(names_.try_emplace(l, names_.size()).first->second);
}

std::string trace_recorder::letters(std::size_t n) {
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('a' + n % 26));
    n /= 26;
  } while (n-- > 0);
  return text;
}

// A value as a step shows it. Where a compiler puts an object differs from machine to machine, so
// an address is named by what is there: "&b" is that of location b; "&1", "&2", … are those of
// other objects, in the order in which they are met. "&b+1" has a tag in its lowest bits, "&1+8"
// points into a block.
std::string trace_recorder::shown(value v) {
  if (v < 1'000'000) return number(v);
  std::string text;
  value begin = v - v % alignof(void*);
  const location l = objects_.at(begin);
  if (l != no_location) {
    text = "&" + name(l);
  } else {
    begin = v;
    const auto* const pointer = reinterpret_cast<const void*>(v);
    if (const arena::block* b = memory_.around(pointer)) {
      begin = reinterpret_cast<std::uintptr_t>(b + 1);
    } else if (!on_a_stack_(pointer)) {
      return number(v);
    }
    auto met = std::find(addresses_.begin(), addresses_.end(), begin);
    if (met == addresses_.end()) met = addresses_.insert(met, begin);
    text = "&" + std::to_string(met - addresses_.begin() + 1);
  }
  return v == begin ? text : text + "+" + std::to_string(v - begin);
}

void trace_recorder::add(unsigned thread, step_kind kind, std::string_view text,
                         source_location where, event_id id) {
  constexpr std::size_t most = 20'000;
  if (!on_ || (id == 0 && kind != step_kind::violation && steps_.size() > most)) return;
  const engine_scope scope;
  push(thread, kind, text, where, id);
}

trace_recorder::recorded& trace_recorder::push(unsigned thread, step_kind kind,
                                               std::string_view text, source_location where,
                                               event_id id) {
  if (const std::size_t use = std::exchange(requests_[thread].use, 0); use != 0)
    steps_[use - 1].is_shown = false;
  recorded entry;
  entry.s.thread = thread;
  entry.s.kind = kind;
  entry.s.text = text;
  entry.s.where = where;
  entry.id = id;
  if (kind == step_kind::violation && ended_ != no_location) entry.s.location = name(ended_);
  return steps_.emplace_back(std::move(entry));
}

void trace_recorder::add_allocation(unsigned thread, const void* block, std::string_view text,
                                    source_location where) {
  const std::size_t before = steps_.size();
  add(thread, step_kind::allocate, text, where);
  if (steps_.size() != before) steps_.back().block = block;
}

void trace_recorder::forget_allocation(const void* block) {
  if (!on_ || block == nullptr) return;
  const auto last = std::find_if(steps_.rbegin(), steps_.rend(),
                                 [&](const recorded& r) { return r.block == block; });
  if (last != steps_.rend()) last->is_shown = false;
}

void trace_recorder::begin_use(unsigned thread, location l, source_location where) {
  if (!on_) return;
  const engine_scope scope;
  push(thread, step_kind::note, "uses " + name(l), where, 0).s.location = name(l);
  requests_[thread].use = steps_.size();
}

void trace_recorder::begin_operation(unsigned thread, const char* what, location object,
                                     source_location where) {
  const engine_scope scope;
  operation_of_thread& o = requests_[thread];
  o = {.what = what, .object = object, .where = where, .use = o.use};
  if (!is_of_the_standard_library(where)) return;
  o.caller = std::make_shared<call_stack>();
  o.caller->take();
}

// Shows an event of an operation in the words of the program, or as a part of another event.
void trace_recorder::put_into_words(recorded& entry, const event& e) {
  operation_of_thread& o = requests_[entry.s.thread];
  if (e.fields() != 1) return;
  const bool hidden = graph_.history(e.loc[0]).hidden;
  if (hidden && e.kind == event_kind::load) {  // the flag of a waiter
    entry.s.text = e.waits_on() ? "waits" : "wakes up";
    return;
  }
  if (o.what == nullptr || (!hidden && e.loc[0] != o.object)) return;
  const auto say = [&](const std::string& result) {
    entry.s.text = o.what + (o.object == no_location ? "" : " " + name(o.object)) + result;
    entry.caller = o.caller;
  };
  const auto becomes_part_of = [](recorded& part, event_id whole) {
    part.part_of = whole;
    part.is_shown = false;
  };
  if (!hidden && o.lock == no_location) {  // an event of a mutex
    say(e.waits_on() ? " (waits)" : e.kind == event_kind::rmw && !e.succeeds() ? " (fails)" : "");
    o.what = nullptr;
  } else if (!hidden) {  // the comparison of a wait
    say(" = " + shown(e.read));
    if (o.step < steps_.size()) becomes_part_of(steps_[o.step], entry.id);
    o.step = steps_.size() - 1;
  } else if (o.lock == no_location) {  // the lock of the queue: a notification, or a wait
    say("");
    entry.s.kind = step_kind::note;
    entry.s.location = o.object == no_location ? "" : name(o.object);
    entry.has_source = false;
    o.lock = e.loc[0];
    o.step = steps_.size() - 1;
  } else {  // the end of the operation, or what wakes a waiter
    becomes_part_of(entry, steps_[o.step].id);
    if (e.loc[0] != o.lock) return;
    o.what = nullptr;
    o.lock = no_location;
  }
}

void trace_recorder::record(event_id id, const order_table* orders) {
  const engine_scope scope;
  const event& e = graph_.at(id);
  recorded& entry = add_event(thread_of(id), id, e, graph_.where(id), orders);
  if (e.reads()) {
    event_id source = e.rf[0];
    if (e.fields() == 2 && e.rf[1] != e.rf[0]) {
      // Of two sources, the one that came last is shown: it says most.
      const auto last = std::find_if(steps_.rbegin(), steps_.rend(), [&](const recorded& l) {
        return l.id != 0 && (l.id == e.rf[0] || l.id == e.rf[1]);
      });
      source = last != steps_.rend() ? last->id : e.rf[1];
    }
    entry.reads_from = source;
    entry.has_source = source != initial_write;
  }
  put_into_words(entry, e);
}

void trace_recorder::hide(event_id id) {
  if (!on_) return;
  const auto last = std::find_if(steps_.rbegin(), steps_.rend(),
                                 [&](const recorded& r) { return r.id == id && r.is_shown; });
  if (last != steps_.rend()) last->is_shown = false;
}

void trace_recorder::record_promised(explored_name read, const explored_event& d, event_id write,
                                     const order_table* orders) {
  if (!on_) return;
  const engine_scope scope;
  const event e = event_of(d);
  recorded& entry = add_event(read.thread, write, e, d.where, orders);
  entry.promised = read;
  put_into_words(entry, e);
}

void trace_recorder::set_source(explored_name promised, event_id write) {
  for (recorded& r : steps_) {
    if (r.promised.number == 0 || r.promised != promised) continue;
    r.reads_from = write;
    r.has_source = true;
  }
}

trace_recorder::recorded& trace_recorder::add_event(unsigned thread, event_id id, const event& e,
                                                    source_location where,
                                                    const order_table* orders) {
  std::string at;
  if (e.fields() == 1) at = name(e.loc[0]);
  if (e.fields() == 2) at = name(e.loc[0]) + ":" + name(e.loc[1]);
  // No address fits in a half of a word.
  const auto show = [&](value v) {
    if (e.fields() == 2) return number(v);
    if (e.fields() == 0 || objects_[e.loc[0]].size <= sizeof v) return shown(v);
    const wide_value halves = wide_.bytes(v);
    return "{" + shown(halves[0]) + ", " + shown(halves[1]) + "}";
  };
  event_words words = words_of(e, at, show);
  if (orders != nullptr)
    if (const asked_for* const asked = orders->in_source(done_by(e), where))
      words.text += in_source(e, *asked);
  recorded& entry = push(thread, words.kind, words.text, where, id);
  entry.s.location = at;
  entry.s.value_read = e.read;
  entry.s.value_written = e.written;
  if (e.fields() != 0) entry.s.order = to_string(e.effective());
  if (e.kind == event_kind::fence) entry.s.order = to_string(e.success);
  return entry;
}

}  // namespace fencepost::verify
