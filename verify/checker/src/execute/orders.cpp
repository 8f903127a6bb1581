// Changed orders: what is asked for, and what is done instead.

#include "fencepost/verify/orders.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "execute/memory.hpp"
#include "execute/order_table.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify {

namespace {

// True if `end` is the path, or its last components.
bool ends_in(std::string_view path, std::string_view end) noexcept {
  if (end.empty() || !path.ends_with(end)) return false;
  return path.size() == end.size() || end.front() == '/' ||
         path[path.size() - end.size() - 1] == '/';
}

// The name of a file may have different addresses in two translation units.
bool is_same(const source_location& a, const source_location& b) noexcept {
  return a.line == b.line && a.column == b.column && std::strcmp(a.file, b.file) == 0;
}

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw std::invalid_argument("'" + std::string(text) + "': " + why +
                              "; a change is written FILE:LINE=ORDER, FILE:LINE:COLUMN=ORDER or, "
                              "for every place, *=ORDER");
}

std::uint32_t number(std::string_view whole, std::string_view digits, const char* what) {
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc() || end != digits.data() + digits.size() || n == 0)
    refuse(whole, "'" + std::string(digits) + "' is not a " + what);
  return n;
}

}  // namespace

bool order_change::concerns(const source_location& where) const noexcept {
  if (file == "*") return true;
  if (where.file == nullptr || !ends_in(where.file, file)) return false;
  if (where.column == 0) return where.line == line && (column == 0 || !name.empty());
  if (name.empty()) return where.line == line && (column == 0 || where.column == column);
  const std::pair place(where.line, where.column);
  return std::pair(after.line, after.column) < place && place <= std::pair(line, column);
}

bool order_change::fits(const asked_for& a) const noexcept {
  switch (which) {
    case part::order: return is_allowed(a.what, to);
    case part::failure: return a.what == access::compare_exchange && is_allowed(access::load, to);
    case part::strength: return a.what == access::compare_exchange && !a.weak;
  }
  return false;
}

asked_for order_change::applied_to(asked_for a) const noexcept {
  if (!fits(a)) return a;
  switch (which) {
    case part::order: a.success = to; break;
    case part::failure: a.failure = to; break;
    case part::strength: a.weak = true; break;
  }
  return a;
}

order_change order_change_from(std::string_view text) {
  order_change c;
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos) refuse(text, "there is no '='");
  std::string_view place = text.substr(0, equals);
  if (place == "*") {
    c.file = place;
    return order_change_at(std::move(c), text);
  }

  std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) refuse(text, "there is no line");
  std::string_view last = place.substr(colon + 1);
  place = place.substr(0, colon);
  colon = place.rfind(':');
  if (colon != std::string_view::npos) {
    c.column = number(text, last, "column");
    last = place.substr(colon + 1);
    place = place.substr(0, colon);
  }
  c.line = number(text, last, "line");
  if (place.empty()) refuse(text, "there is no file");
  c.file = place;
  return order_change_at(std::move(c), text);
}

order_change order_change_at(order_change place, std::string_view text) {
  constexpr std::string_view failure = "failure:";
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos) refuse(text, "there is no '='");
  std::string_view to = text.substr(equals + 1);
  if (to == "weak") {
    place.which = order_change::part::strength;
    return place;
  }
  if (to == "removed") return place;  // a relaxed fence does nothing
  if (to.starts_with(failure)) {
    place.which = order_change::part::failure;
    to.remove_prefix(failure.size());
  }
  for (const order o :
       {order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst}) {
    if (to_string(o) != to) continue;
    place.to = o;
    return place;
  }
  refuse(text, "'" + std::string(to) +
                   "' is none of relaxed, acquire, release, acq_rel, seq_cst, failure:relaxed, "
                   "failure:acquire, failure:seq_cst, weak, removed");
}

std::vector<order_change> all_sequentially_consistent() {
  return {order_change_from("*=seq_cst"), order_change_from("*=failure:seq_cst")};
}

std::string to_text(const order_change& c) {
  std::string text = c.name.empty() && c.file == "*" ? c.file : c.name;
  if (text.empty()) {
    text = c.file + ":" + std::to_string(c.line);
    if (c.column != 0) text += ":" + std::to_string(c.column);
  }
  if (c.which == order_change::part::strength) return text + "=weak";
  return text + (c.which == order_change::part::failure ? "=failure:" : "=") +
         std::string(to_string(c.to));
}

asked_for order_table::done_instead(const asked_for& asked, const source_location& where) {
  const std::size_t hash = reinterpret_cast<std::uintptr_t>(where.file) / 8 +
                           std::size_t{where.line} * 64 + where.column;
  entry& recent = recent_[hash % recent_.size()];
  if (recent.where.file == where.file && recent.where.line == where.line &&
      recent.where.column == where.column && recent.asked == asked)
    return recent.done;
  const engine_scope scope;
  const asked_for done = changed(asked, where);
  recent = {where, asked, done};
  const auto same = [&](const access_place& p) {
    return p.asked == asked && is_same(p.where, where);
  };
  if (std::none_of(places_.begin(), places_.end(), same)) places_.push_back({where, asked});
  return done;
}

asked_for order_table::changed(asked_for a, const source_location& where) const {
  for (const order_change& c : changes_)
    if (c.concerns(where)) a = c.applied_to(a);
  return a;
}

const asked_for* order_table::in_source(const asked_for& done, const source_location& where) const {
  const asked_for* found = nullptr;
  for (const access_place& p : places_) {
    if (!is_same(p.where, where) || changed(p.asked, where) != done) continue;
    if (p.asked == done) return nullptr;
    found = &p.asked;
  }
  return found;
}

asked_for engine::look_up(asked_for asked, const char* file, const char* function,
                          std::uint64_t place) {
  const source_location where = at(file, function, place);
  const asked_for done = orders_->done_instead(asked, where);
  if (asked.what == access::fence && done.success == order::relaxed)
    fence_removed(asked.success, where);
  return done;
}

std::vector<access_place> order_table::places() const {
  std::vector<access_place> sorted = places_;
  std::sort(sorted.begin(), sorted.end(), [](const access_place& a, const access_place& b) {
    if (const int files = std::strcmp(a.where.file, b.where.file); files != 0) return files < 0;
    if (a.where.line != b.where.line) return a.where.line < b.where.line;
    return a.where.column < b.where.column;
  });
  return sorted;
}

}  // namespace fencepost::verify
