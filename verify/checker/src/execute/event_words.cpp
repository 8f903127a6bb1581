#include "execute/event_words.hpp"

#include <sstream>

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

event_words words_of(const event& e, const std::string& at,
                     const std::function<std::string(value)>& show) {
  step_kind kind = step_kind::note;
  std::ostringstream text;
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
  return {kind, text.str()};
}

std::string in_source(const event& e, const asked_for& asked) {
  if (asked.weak != e.weak) return " (strong in the source)";
  const order in_source =
      e.kind == event_kind::rmw && !e.succeeds() ? asked.failure : asked.success;
  if (in_source == e.effective()) return "";
  return " (" + std::string(to_string(in_source)) + " in the source)";
}

asked_for done_by(const event& e) {
  switch (e.kind) {
    case event_kind::store: return {.what = access::store, .success = e.success};
    case event_kind::rmw:
      if (e.compares) return {access::compare_exchange, e.success, e.failure, e.weak};
      return {.what = access::read_modify_write, .success = e.success};
    case event_kind::fence: return {.what = access::fence, .success = e.success};
    default: return {.what = access::load, .success = e.success};
  }
}

}  // namespace fencepost::verify
