#include "execute/trace_recorder.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <unordered_map>

#include "execute/shown_value.hpp"

namespace fencepost::verify {

namespace {

bool several(const event& e) { return (e.partners & (e.partners - 1U)) != 0; }

void list(std::ostream& out, const event& e) {
  const char* separator = " ";
  for (unsigned t = 0; t < max_threads; ++t) {
    if (!e.concerns(t)) continue;
    out << separator << t;
    separator = ", ";
  }
}

}  // namespace

void trace_recorder::clear() {
  steps_.clear();
  names_.clear();
  addresses_.clear();
}

std::string trace_recorder::name(location l) {
  const engine_scope scope;
  std::size_t n = names_.try_emplace(l, names_.size()).first->second;
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('a' + n % 26));
    n /= 26;
  } while (n-- > 0);
  return text;
}

// A value as a step shows it. Where a compiler puts an object differs from machine to machine, so
// an address goes by what is there: "&b" by the location b, "&1", "&2", … by other objects, in the
// order in which they are met. "&b+1" has a tag in its lowest bits, "&1+8" is inside of a block.
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
  recorded entry;
  entry.s.thread = thread;
  entry.s.kind = kind;
  entry.s.text = text;
  entry.s.where = where;
  entry.id = id;
  if (kind == step_kind::violation && ended_ != no_location) entry.s.location = name(ended_);
  steps_.push_back(std::move(entry));
}

void trace_recorder::record(event_id id) {
  const engine_scope scope;
  const event& e = graph_.at(id);
  const source_location where = graph_.where(id);
  std::ostringstream text;
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
  step_kind kind = step_kind::note;
  switch (e.kind) {
    case event_kind::load:
      kind = step_kind::load;
      text << "load " << to_string(e.success) << " " << at << " = " << show(e.read);
      if (e.awaits)
        text << (e.waits_on() ? " (waits for " : " (has waited for ") << show(e.expected) << ")";
      break;
    case event_kind::store:
      kind = step_kind::store;
      text << "store " << to_string(e.success) << " " << at << " := " << show(e.written);
      break;
    case event_kind::rmw:
      kind = e.succeeds() ? step_kind::read_modify_write : step_kind::failed_compare_exchange;
      if (e.compares) {
        text << (e.waits == wait_for::mutex ? "lock "
                 : e.weak                   ? "compare_exchange_weak "
                                            : "compare_exchange_strong ")
             << to_string(e.effective()) << " " << at << " = " << show(e.read);
        if (e.succeeds())
          text << " := " << show(e.written);
        else if (e.spurious)
          text << " (fails spuriously)";
        else if (e.awaits)
          text << " (waits)";
        else
          text << " (fails: expected " << show(e.expected) << ")";
      } else {
        text << to_string(e.op) << " " << to_string(e.success) << " " << at << " = " << show(e.read)
             << " := " << show(e.written);
      }
      break;
    case event_kind::fence:
      kind = step_kind::fence;
      text << "fence " << to_string(e.success);
      break;
    case event_kind::create:
      kind = step_kind::create_thread;
      text << (several(e) ? "creates threads" : "creates thread");
      list(text, e);
      break;
    case event_kind::join:
      kind = step_kind::join_thread;
      text << (several(e) ? "joins threads" : "joins thread");
      list(text, e);
      break;
    case event_kind::choose:
      kind = step_kind::choose;
      text << (e.charge == budget::timeout ? e.read != 0 ? "times out" : "does not time out"
               : e.charge == budget::spurious_wakeup
                   ? e.read != 0 ? "wakes spuriously" : "does not wake spuriously"
                   : "chooses ");
      if (e.charge == budget::address) text << (e.read == 0 ? "a freed block" : "another block");
      if (e.charge == budget::none) text << e.read;
      break;
    case event_kind::none: break;
  }
  add(thread_of(id), kind, text.str(), where, id);
  recorded& entry = steps_.back();
  entry.s.location = at;
  entry.s.value_read = e.read;
  entry.s.value_written = e.written;
  if (e.fields() != 0) entry.s.order = to_string(e.effective());
  if (e.kind == event_kind::fence) entry.s.order = to_string(e.success);
  if (e.reads()) {
    event_id source = e.rf[0];
    if (e.fields() == 2 && e.rf[1] != e.rf[0]) {
      // Of two sources the one that came last says most.
      const auto last = std::find_if(steps_.rbegin(), steps_.rend(), [&](const recorded& l) {
        return l.id != 0 && (l.id == e.rf[0] || l.id == e.rf[1]);
      });
      source = last != steps_.rend() ? last->id : e.rf[1];
    }
    entry.reads_from = source;
    entry.has_source = source != initial_write;
  }
}

// The relations between the events that were recorded.
void trace_recorder::add_edges(execution& shown) {
  const engine_scope scope;
  std::map<event_id, std::size_t> step_of;
  std::vector<std::size_t> first(max_threads, steps_.size());
  std::vector<std::size_t> last(max_threads, steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const unsigned t = steps_[i].s.thread;
    if (steps_[i].id != 0) step_of[steps_[i].id] = i;
    if (first[t] == steps_.size()) first[t] = i;
    last[t] = i;
  }
  const auto add = [&](relation kind, event_id from, event_id to, std::string at = {}) {
    const auto f = step_of.find(from);
    const auto t = step_of.find(to);
    if (f != step_of.end() && t != step_of.end())
      shown.edges.push_back({kind, f->second, t->second, std::move(at)});
  };
  for (const auto& [id, index] : step_of) {
    const event& e = graph_.at(id);
    if (e.kind == event_kind::create || e.kind == event_kind::join) {
      for (unsigned t = 0; t < graph_.threads(); ++t) {
        if (!e.concerns(t) || first[t] == steps_.size()) continue;
        const bool creates = e.kind == event_kind::create;
        shown.edges.push_back({relation::synchronizes_with,
                               creates ? index : last[t],
                               creates ? first[t] : index,
                               {}});
      }
      continue;
    }
    for (unsigned k = 0; k < e.fields(); ++k) {
      const auto& mo = graph_.history(e.loc[k]).mo;
      const std::string at = name(e.loc[k]);
      if (e.reads()) {
        if (e.rf[k] != initial_write) add(relation::reads_from, e.rf[k], id, at);
        const std::size_t next = graph_.mo_position(e.rf[k], e.loc[k]) + std::size_t{1};
        if (next < mo.size() && mo[next] != id) add(relation::from_read, id, mo[next], at);
      }
      if (e.write_linked && e.mo[k] > 1)
        add(relation::modification_order, mo[e.mo[k] - std::size_t{1}], id, at);
    }
    // What the event has learned of other threads, less what follows from the rest of it.
    const clock& hb = graph_.view(id).hb;
    const clock& before = graph_.before(id).hb;
    for (unsigned t = 0; t < graph_.threads(); ++t) {
      if (t == thread_of(id) || hb[t] <= before[t] || hb[t] > graph_.thread(t).length()) continue;
      const event_id source = make_id(t, hb[t]);
      bool follows = false;
      for (unsigned u = 0; u < graph_.threads() && !follows; ++u) {
        if (u == t || u == thread_of(id) || hb[u] <= before[u]) continue;
        if (hb[u] > graph_.thread(u).length()) continue;
        follows = graph_.view(make_id(u, hb[u])).hb.covers(source);
      }
      if (!follows) add(relation::synchronizes_with, source, id);
    }
  }
}

void trace_recorder::write_down(execution& shown, unsigned threads) {
  std::unordered_map<event_id, std::size_t> step_of;
  for (std::size_t i = 0; i < steps_.size(); ++i) step_of[steps_[i].id] = i;
  for (const recorded& entry : steps_) {
    step s = entry.s;
    if (entry.has_source) {
      if (const auto source = step_of.find(entry.reads_from); source != step_of.end())
        s.reads_from = source->second;
    }
    shown.steps.push_back(std::move(s));
  }
  shown.threads = threads;
  add_edges(shown);
}

}  // namespace fencepost::verify
