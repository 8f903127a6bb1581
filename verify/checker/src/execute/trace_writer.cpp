// Writes down an execution that was recorded: the steps that are shown, and the relations between
// them.

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

#include "execute/trace_recorder.hpp"

namespace fencepost::verify {

bool is_of_the_standard_library(const source_location& where) noexcept {
  const std::string_view file = where.file;
  return file.starts_with("/usr/") || file.find("/include/c++/") != std::string_view::npos;
}

namespace {

// Returns the place where the program has called the standard library, or `where` if that is not
// known.
source_location caller_of(const call_stack& stack, source_location where) {
  static std::mutex mutex;
  static std::map<std::vector<void*>, source_location> known;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = known.try_emplace(stack.addresses(), where);
  if (is_new) {
    const std::vector<call_stack::call> calls = stack.calls();
    const auto body = std::find_if(calls.begin(), calls.end(), &call_stack::is_of_the_body);
    if (body != calls.end()) {
      const std::string function = call_stack::name_of(*body);
      at->second = {kept_name(body->file),
                    function.find(' ') == std::string::npos ? kept_name(function) : "", body->line,
                    0};
    }
  }
  return at->second;
}

}  // namespace

// Adds the relations between the events that were recorded.
void trace_recorder::add_edges(execution& shown, const std::vector<std::size_t>& shown_as) {
  const engine_scope scope;
  std::map<event_id, std::size_t> step_of;
  std::vector<std::size_t> first(max_threads, steps_.size());
  std::vector<std::size_t> last(max_threads, steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const unsigned t = steps_[i].s.thread;
    if (shown_as[i] == steps_.size()) continue;
    if (steps_[i].id != 0) step_of[steps_[i].id] = shown_as[i];
    if (first[t] == steps_.size()) first[t] = shown_as[i];
    last[t] = shown_as[i];
  }
  const auto add = [&](relation kind, event_id from, event_id to, std::string at = {}) {
    const auto f = step_of.find(from);
    const auto t = step_of.find(to);
    if (f != step_of.end() && t != step_of.end() && f->second != t->second)
      shown.edges.push_back({kind, f->second, t->second, std::move(at)});
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const recorded& r = steps_[i];
    if (r.promised.number == 0 || !r.has_source || !step_of.contains(r.reads_from)) continue;
    shown.edges.push_back({relation::reads_from, step_of[r.reads_from], shown_as[i], r.s.location});
  }
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
    // What the event has learned of other threads, without what follows from the rest of that.
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

// Returns, for each entry, the number of its step, or of the step that it is a part of;
// steps_.size() if there is none.
std::vector<std::size_t> trace_recorder::numbered() const {
  std::vector<std::size_t> shown_as(steps_.size(), steps_.size());
  std::unordered_map<event_id, std::size_t> step_of;
  std::size_t next = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].is_shown) continue;
    if (steps_[i].id != 0) step_of[steps_[i].id] = next;
    shown_as[i] = next++;
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const auto whole = step_of.find(steps_[i].part_of);
    if (steps_[i].part_of != 0 && whole != step_of.end()) shown_as[i] = whole->second;
  }
  return shown_as;
}

void trace_recorder::write_down(execution& shown, unsigned threads) {
  const engine_scope scope;
  const std::vector<std::size_t> shown_as = numbered();
  std::unordered_map<event_id, std::size_t> step_of;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (shown_as[i] != steps_.size()) step_of[steps_[i].id] = shown_as[i];
  // After an event in the standard library, a thread's steps have the place of that event until the
  // next one. They are shown at the caller's place as well.
  struct replacement {
    source_location where, by;
  };
  std::vector<replacement> called(max_threads);
  for (const recorded& entry : steps_) {
    if (!entry.is_shown) continue;
    step s = entry.s;
    replacement& r = called[s.thread];
    if (entry.caller) r = {s.where, caller_of(*entry.caller, s.where)};
    if (s.kind == step_kind::violation) s.where = place_of(s.thread, s.where);
    if (s.where.line != 0 && s.where == r.where) s.where = r.by;
    if (entry.has_source) {
      const auto source = step_of.find(entry.reads_from);
      if (source != step_of.end() && source->second != shown.steps.size())
        s.reads_from = source->second;
    }
    shown.steps.push_back(std::move(s));
  }
  shown.threads = threads;
  add_edges(shown, shown_as);
  add_names(shown);
}

void trace_recorder::add_names(execution& shown) {
  if (!name_of_) return;
  for (const auto& [l, order] : names_) {
    std::string known = name_of_(objects_[l].address);
    if (!known.empty()) shown.names[letters(order)] = std::move(known);
  }
}

source_location trace_recorder::place_of(unsigned thread, source_location where) const {
  const operation_of_thread& o = requests_[thread];
  return o.caller && o.where == where ? caller_of(*o.caller, where) : where;
}

}  // namespace fencepost::verify
