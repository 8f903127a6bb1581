// Counterexamples and results as text.
//
// A counterexample is a table with one column a thread and one row a step, in an order in which the
// steps can have happened:
//
//        main               thread 1               thread 2
//   #1   create thread 1
//   #2                      store relaxed x = 1
//                             mailbox.hpp:21 send: x_.store(1, std::memory_order_relaxed);
//   #3                                             load acquire x = 1, from #2
//
// A row has text of one thread only, so that text may run on below the columns to its right:
// columns can stand closer than they are wide, and only the last needs to fit.
#include "fencepost/verify/report.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "location_names.hpp"
#include "source_reader.hpp"

namespace fencepost::verify {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_columns = 5;       // main and four threads
constexpr std::size_t narrowest_column = 12;  // closer together, the eye cannot tell them apart
constexpr std::size_t comfortable_column = 28;
constexpr std::size_t narrowest_main = 7;  // its steps come before and after those of the others
constexpr std::size_t room_for_text = 44;  // right of where the last column begins
constexpr std::size_t room_for_code = 64;  // there, if the main thread can spare it
constexpr std::size_t least_code = 24;     // shorter, a piece of a line says nothing
constexpr std::size_t steps_a_page = 30;   // then the heading is repeated
constexpr std::size_t least_left_out = 3;  // fewer steps of the set-up are shown
constexpr std::size_t longest_turn = 16;   // of a loop whose turns are all alike
constexpr std::size_t turns_shown = 3;     // of such a loop, the last one included
constexpr std::size_t most_outcomes = 50;
constexpr std::size_t gap = 2;

class painter {
 public:
  explicit painter(bool on) : on_(on) {}
  std::string bold(std::string_view text) const { return in("1", text); }
  std::string dim(std::string_view text) const { return in("2", text); }
  std::string red(std::string_view text) const { return in("1;31", text); }
  std::string green(std::string_view text) const { return in("32", text); }
  std::string yellow(std::string_view text) const { return in("33", text); }

 private:
  std::string in(const char* code, std::string_view text) const {
    if (!on_ || text.empty()) return std::string(text);
    return std::string("\033[").append(code).append("m").append(text).append("\033[0m");
  }
  bool on_;
};

// The checker's own: what runs a scenario creates and joins its threads.
bool is_runner(const step& s) {
  return (s.kind == step_kind::create_thread || s.kind == step_kind::join_thread) &&
         std::string_view(s.where.file).ends_with("fencepost/verify/check.hpp");
}

// The shortest ends of the paths that tell the files of one counterexample apart.
class short_names {
 public:
  explicit short_names(const counterexample& c) {
    for (const step& s : c.steps) {
      if (s.where.line != 0 && !is_runner(s)) names_.try_emplace(s.where.file);
    }
    for (auto& [file, name] : names_) {
      const std::string path = shown_path(file);
      std::size_t from = path.size();
      do {
        from = from == 0 ? std::string::npos : path.rfind('/', from - 1);
        name = from == std::string::npos ? path : path.substr(from + 1);
      } while (from != std::string::npos && is_ambiguous(file, name));
    }
  }

  const std::string& operator[](const char* file) const { return names_.at(file); }
  const std::map<std::string, std::string>& all() const noexcept { return names_; }

 private:
  bool is_ambiguous(const std::string& file, const std::string& name) const {
    return std::any_of(names_.begin(), names_.end(), [&](const auto& other) {
      return other.first != file && ("/" + shown_path(other.first)).ends_with("/" + name);
    });
  }

  std::map<std::string, std::string> names_;
};

// __builtin_FUNCTION gives a bare name; others give whole signatures.
std::string function_name(const char* function) {
  std::string_view text = function == nullptr ? "" : function;
  text = text.substr(0, text.find('('));
  if (text.find("operator<") == std::string_view::npos) text = text.substr(0, text.find('<'));
  if (const auto space = text.rfind(' '); space != std::string_view::npos) {
    text.remove_prefix(space + 1);
  }
  if (const auto colon = text.rfind(':'); colon != std::string_view::npos) {
    text.remove_prefix(colon + 1);
  }
  return std::string(text);
}

bool is_lambda(const std::string& function) { return function.starts_with("operator"); }

std::string thread_name(unsigned thread) {
  return thread == 0 ? "main" : "thread " + std::to_string(thread);
}

// The explorer numbers the threads; here the first one has a name.
std::string with_main(std::string text) {
  constexpr std::string_view number = "thread 0";
  for (std::size_t at = 0; (at = text.find(number, at)) != std::string::npos; ++at) {
    const std::size_t end = at + number.size();
    if (end == text.size() || text[end] < '0' || text[end] > '9') {
      text.replace(at, number.size(), "main");
    }
  }
  return text;
}

bool reads(step_kind kind) noexcept {
  switch (kind) {
    case step_kind::load:
    case step_kind::read_modify_write:
    case step_kind::failed_compare_exchange: return true;
    default: return false;
  }
}

bool writes(step_kind kind) noexcept {
  return kind == step_kind::store || kind == step_kind::read_modify_write;
}

// What a step accesses of a word of halves, which is called "a:b": value >> shift, if anything.
std::optional<unsigned> shift_of_half(const step& s, std::string_view half) {
  if (s.location == half) return 0;
  const std::size_t colon = s.location.find(':');
  if (colon == std::string::npos) return {};
  if (std::string_view(s.location).substr(0, colon) == half) return 0;
  if (std::string_view(s.location).substr(colon + 1) == half) return 32;
  return {};
}

// The last write further up to what the step reads, and below what it reads from, if there is one.
std::optional<std::size_t> passed_over(const std::vector<step>& steps, std::size_t index) {
  const step& s = steps[index];
  if (!reads(s.kind) || s.location.empty()) return {};
  const std::size_t colon = s.location.find(':');
  const auto low = [](std::uint64_t v) { return v & 0xffff'ffffU; };
  std::size_t nearest = 0;
  bool found = false;
  const auto look_at = [&](std::string_view location, auto&& may_be_seen, auto&& is_source) {
    for (std::size_t i = index; i-- > 0;) {
      if (!writes(steps[i].kind)) continue;
      const auto shift = shift_of_half(steps[i], location);
      if (!shift) continue;
      if (is_source(i, *shift)) return;
      if (may_be_seen(i)) continue;
      if (!found || i > nearest) nearest = i;
      found = true;
      return;
    }
  };
  if (colon == std::string::npos) {
    look_at(
        s.location, [](std::size_t) { return false; },
        [&](std::size_t i, unsigned) { return s.reads_from == i; });
  } else {
    // Of two sources only one is known: what has a value that is read may be the other.
    const std::string_view both = s.location;
    const auto may_be_seen = [&](std::size_t i) {
      return steps[i].location == s.location &&
             (low(steps[i].value_written) == low(s.value_read) ||
              steps[i].value_written >> 32 == s.value_read >> 32);
    };
    look_at(both.substr(0, colon), may_be_seen, [&](std::size_t i, unsigned shift) {
      return low(steps[i].value_written >> shift) == low(s.value_read);
    });
    look_at(both.substr(colon + 1), may_be_seen, [&](std::size_t i, unsigned shift) {
      return low(steps[i].value_written >> shift) == s.value_read >> 32;
    });
  }
  if (!found) return {};
  return nearest;
}

// "0x100000002" as "1:2", after "= ", ":= " and "expected ".
std::string in_halves(const std::string& text) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view before = std::string_view(text).substr(0, i);
    if (!before.ends_with("= ") && !before.ends_with("expected ")) continue;
    std::size_t length = 0;
    std::uint64_t value = 0;
    try {
      value = std::stoull(text.substr(i), &length, 0);
    } catch (const std::exception&) {
      continue;
    }
    out += text.substr(done, i - done) + std::to_string(value >> 32) + ":" +
           std::to_string(value & 0xffff'ffffU);
    done = i + length;
  }
  return out + text.substr(done);
}

// The two steps of a data race, if that is clear: what happened last, and the last conflicting
// access of the only other thread that has one. (Were that ordered before, all before it would be
// too.)
std::optional<std::pair<std::size_t, std::size_t>> racing_steps(const counterexample& c) {
  if (c.kind != violation::data_race) return {};
  const auto plain = [](const step& s) {
    return s.kind == step_kind::plain_read || s.kind == step_kind::plain_write;
  };
  std::size_t last = c.steps.size();
  while (last != 0 && !(plain(c.steps[last - 1]) && c.steps[last - 1].thread == c.thread)) --last;
  if (last-- == 0) return {};
  const step& here = c.steps[last];
  std::optional<std::size_t> other;
  for (std::size_t i = 0; i < last; ++i) {
    const step& s = c.steps[i];
    const bool conflicts =
        plain(s) && s.thread != here.thread &&
        location_names::letter_of(s) == location_names::letter_of(here) &&
        (s.kind == step_kind::plain_write || here.kind == step_kind::plain_write);
    if (!conflicts) continue;
    if (other && c.steps[*other].thread != s.thread) return {};
    other = i;
  }
  if (!other) return {};
  return std::pair(*other, last);
}

struct column {
  unsigned thread;
  std::size_t start = 0;
  std::size_t wanted = 0;  // to keep clear of the next column
};

class table {
 public:
  table(const counterexample& c, const text_style& style)
      : counterexample_(c), style_(style), paint_(style.color), files_(c), locations_(c, source_) {
    margin_ = std::to_string(c.steps.size()).size() + 3;
    for (std::size_t i = 0; i < c.steps.size(); ++i) {
      passed_over_.push_back(passed_over(c.steps, i));
      has_halves_ = has_halves_ || c.steps[i].location.find(':') != std::string::npos;
    }
    leave_out();
    arrange();
  }

  std::string text() {
    std::string out;
    if (!one_column_) out += heading();
    const std::size_t count = counterexample_.steps.size();
    std::size_t rows = 0;
    for (std::size_t i = 0; i < count;) {
      if (left_out_[i]) {
        const std::size_t from = i;
        while (i < count && left_out_[i]) ++i;
        std::string what = "... " + grouped(i - from) + " steps";
        if (i <= set_up_) what += " of the set-up";
        what += " left out";
        if (const auto turn = turns_.find(from); turn != turns_.end()) {
          what += turn->second == 1 ? ", like the one above"
                                    : ", like the " + std::to_string(turn->second) + " above";
        }
        out += std::string(margin_, ' ') + paint_.dim(what + " ...") + "\n";
        continue;
      }
      row(out, i++);
      if (!one_column_ && ++rows % steps_a_page == 0 && i < count) out += heading();
    }
    return out;
  }

  // What the notation means, where it is used.
  std::string notes() const {
    std::string out;
    for (std::size_t i = 0; i < passed_over_.size() && out.empty(); ++i) {
      if (left_out_[i] || !passed_over_[i]) continue;
      const std::string number = "#" + std::to_string(*passed_over_[i] + 1);
      out = "(not " + number + "): " + number +
            " writes to the same place and stands further up, and this read does not see it. The "
            "steps are in an order in which the threads can have run; which write a read sees is "
            "what it says.";
    }
    if (has_halves_) {
      out += std::string(out.empty() ? "" : "\n") +
             "1:0 is a word of two halves: the high one is 1, the low one 0.";
    }
    return out;
  }

  std::string legend() const {
    std::string out;
    std::size_t widest = 0;
    for (const auto& [file, name] : files_.all()) widest = std::max(widest, columns(name));
    for (const auto& [file, name] : files_.all()) {
      const std::string path = shown_path(file);
      if (path == name) continue;
      out.append("  ").append(name).append(widest - columns(name) + gap, ' ').append(path) += '\n';
    }
    return out.empty() ? out : "Files\n" + out;
  }

 private:
  std::string step_text(const step& s) const {
    std::string text = with_main(std::string(trimmed(locations_.text(s))));
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (s.location.find(':') != std::string::npos) text = in_halves(text);
    if (!reads(s.kind) && !s.reads_from) return text;
    text += s.reads_from ? ", from #" + std::to_string(*s.reads_from + 1) : ", initial value";
    const auto index = static_cast<std::size_t>(&s - counterexample_.steps.data());
    if (const auto& other = passed_over_[index]) {
      text += " (not #" + std::to_string(*other + 1) + ")";
    }
    return text;
  }

  // Of the set-up, which is over before there is a second thread, only what is read later matters;
  // of many steps the middle is left out.
  void leave_out() {
    const std::vector<step>& steps = counterexample_.steps;
    const std::size_t count = steps.size();
    left_out_.assign(count, false);
    if (style_.max_steps == 0) return;
    while (set_up_ < count && steps[set_up_].kind != step_kind::create_thread) ++set_up_;
    if (set_up_ == count) set_up_ = 0;
    std::vector<bool> matters(count, false);
    for (std::size_t i = set_up_; i < count; ++i) {
      if (steps[i].reads_from) matters[*steps[i].reads_from] = true;
    }
    for (std::size_t i = 0, from = 0; i <= set_up_; ++i) {
      if (i < set_up_ && !matters[i]) continue;
      if (i - from >= least_left_out) {
        std::fill_n(left_out_.begin() + static_cast<std::ptrdiff_t>(from), i - from, true);
      }
      from = i + 1;
    }
    leave_out_turns();
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < count; ++i) {
      if (!left_out_[i]) shown.push_back(i);
    }
    if (shown.size() <= style_.max_steps) return;
    // What leads to the end is more telling than how it began.
    const std::size_t from = shown[style_.max_steps / 3];
    const std::size_t to = shown[shown.size() - (style_.max_steps - style_.max_steps / 3)];
    std::fill(left_out_.begin() + static_cast<std::ptrdiff_t>(from),
              left_out_.begin() + static_cast<std::ptrdiff_t>(to), true);
  }

  // A loop that turns and turns is seen as such by its first turns and its last.
  void leave_out_turns() {
    const std::vector<step>& steps = counterexample_.steps;
    const auto alike = [&](std::size_t a, std::size_t b) {
      const step& s = steps[a];
      const step& t = steps[b];
      return s.thread == t.thread && s.kind == t.kind && s.where == t.where && s.text == t.text &&
             (s.reads_from == t.reads_from ||
              (s.reads_from && t.reads_from && a - *s.reads_from == b - *t.reads_from));
    };
    for (std::size_t i = set_up_; i < steps.size(); ++i) {
      for (std::size_t turn = 1; turn <= longest_turn && i + turn < steps.size(); ++turn) {
        std::size_t end = i + turn;
        while (end < steps.size() && alike(end, end - turn)) ++end;
        const std::size_t turns = (end - i) / turn;
        if (turns <= 2 * turns_shown) continue;
        const std::size_t from = i + (turns_shown - 1) * turn;
        const std::size_t to = i + (turns - 1) * turn;
        std::fill(left_out_.begin() + static_cast<std::ptrdiff_t>(from),
                  left_out_.begin() + static_cast<std::ptrdiff_t>(to), true);
        turns_[from] = turn;
        i = end - 1;
        break;
      }
    }
  }

  // Gives each thread that takes part a column, or all of them one.
  void arrange() {
    for (std::size_t i = 0; i < counterexample_.steps.size(); ++i) {
      const step& s = counterexample_.steps[i];
      if (left_out_[i]) continue;
      auto at = std::find_if(columns_.begin(), columns_.end(),
                             [&](const column& c) { return c.thread == s.thread; });
      if (at == columns_.end()) at = columns_.insert(at, column{s.thread});
      at->wanted = std::max(at->wanted, columns(step_text(s)) + gap);
    }
    std::sort(columns_.begin(), columns_.end(),
              [](const column& a, const column& b) { return a.thread < b.thread; });
    if (columns_.empty()) return;
    if (columns_.size() > most_columns) {
      one_column_ = true;
      return;
    }
    for (column& c : columns_) {
      c.wanted = std::max(c.wanted, columns(thread_name(c.thread)) + gap);
    }
    const auto available = [&](std::size_t last) {
      return style_.width > last + margin_ ? style_.width - last - margin_ : 0;
    };
    // For whole lines of code in the last column, the others make room in comfort; for enough of
    // them, as much as they can.
    shrink(comfortable_column, available(room_for_code));
    if (!shrink(narrowest_column, available(room_for_text))) {
      one_column_ = true;
      return;
    }
    std::size_t start = margin_;
    for (column& c : columns_) start = (c.start = start) + c.wanted;
  }

  // Takes from the widest columns, the last left out, until all are within the room.
  bool shrink(std::size_t least, std::size_t room) {
    const auto spare = [least](const column& c) {
      const std::size_t needed = c.thread == 0 ? narrowest_main : least;
      return c.wanted > needed ? c.wanted - needed : 0;
    };
    while (total() > room) {
      const auto widest =
          std::max_element(columns_.begin(), columns_.end() - 1,
                           [&](const column& a, const column& b) { return spare(a) < spare(b); });
      if (spare(*widest) == 0) return false;
      --widest->wanted;
    }
    return true;
  }

  std::size_t total() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i + 1 < columns_.size(); ++i) sum += columns_[i].wanted;
    return sum;
  }

  std::string heading() const {
    std::string line;
    for (const column& c : columns_) {
      line.resize(std::max(line.size(), c.start), ' ');
      line += thread_name(c.thread);
    }
    return paint_.bold(line) + "\n";
  }

  std::size_t start_of(const step& s) const {
    if (one_column_) return margin_;
    return std::find_if(columns_.begin(), columns_.end(),
                        [&](const column& c) { return c.thread == s.thread; })
        ->start;
  }

  void row(std::string& out, std::size_t index) {
    const step& s = counterexample_.steps[index];
    const bool wrong = s.kind == step_kind::violation;
    const std::string number = "#" + std::to_string(index + 1);
    std::string text = step_text(s);
    if (wrong && text.rfind("!!", 0) != 0) text = "!! " + text;
    std::string before = paint_.dim(number) + std::string(margin_ - number.size(), ' ');
    std::size_t start = start_of(s);
    if (one_column_) {
      const std::string prefix = s.thread == 0 ? "main" : "T" + std::to_string(s.thread);
      start += std::max(prefix.size() + 1, std::size_t{6});
      before += paint_.bold(prefix) + std::string(start - margin_ - prefix.size(), ' ');
    } else {
      before += std::string(start - margin_, ' ');
    }
    const std::size_t room =
        std::max(style_.width > start ? style_.width - start : 0, std::size_t{24});
    for (const std::string& line : wrapped(text, room - gap)) {
      out += before + (wrong ? paint_.red(line) : line) + "\n";
      before = std::string(start + gap, ' ');
    }
    if (style_.source) source(out, index, start + gap);
  }

  void source(std::string& out, std::size_t index, std::size_t start) {
    const step& s = counterexample_.steps[index];
    if (s.where.line == 0 || is_runner(s)) return;
    // Two steps of one line, such as a compare-exchange and what follows from it, show it once.
    if (index != 0 && counterexample_.steps[index - 1].where == s.where &&
        counterexample_.steps[index - 1].thread == s.thread) {
      return;
    }
    std::string place = files_[s.where.file] + ":" + std::to_string(s.where.line);
    const std::string function = function_name(s.where.function);
    if (!function.empty() && !is_lambda(function)) place += " " + function;
    const std::size_t room =
        std::max(style_.width > start ? style_.width - start : 0, std::size_t{24});
    const auto print = [&](std::string_view line) {
      out += std::string(start, ' ') + paint_.dim(shortened(line, room)) + "\n";
    };
    std::string code(source_.line(s.where));
    if (code.empty()) return print(place);
    place += ": ";
    code = body_of(std::move(code), function);
    if (columns(place + code) > room) code = simplified(std::move(code));
    const std::size_t beside = room > columns(place) ? room - columns(place) : 0;
    const std::size_t access = locations_.access_in(code, s);
    if (columns(code) <= beside || (beside >= least_code && access + least_code <= beside)) {
      return print(place + code);
    }
    place.pop_back();
    print(place);
    if (columns(code) > room && access + least_code > room) code = "..." + code.substr(access);
    print(code);
  }

  // Of a function in one line, its body.
  static std::string body_of(std::string code, const std::string& function) {
    const std::size_t open = code.find(" { ");
    if (function.empty() || code.find(function + "(") >= open || !code.ends_with("; }")) {
      return code;
    }
    return code.substr(open + 3, code.size() - open - 5);
  }

  // What a line of code says that the step does not.
  static std::string simplified(std::string code) {
    constexpr std::string_view prefix = "std::memory_order_";
    for (std::size_t at; (at = code.find(prefix)) != std::string::npos;) {
      code.erase(at, prefix.size());
    }
    if (const std::size_t comment = code.find(" // "); comment != std::string::npos) {
      code.erase(comment);
    }
    return code;
  }

  const counterexample& counterexample_;
  text_style style_;
  painter paint_;
  short_names files_;
  source_reader source_;
  location_names locations_;
  std::vector<std::optional<std::size_t>> passed_over_;  // by step
  std::vector<bool> left_out_;                           // by step
  std::map<std::size_t, std::size_t> turns_;  // left out from here on: turns of this length
  std::vector<column> columns_;
  std::size_t set_up_ = 0;  // so many steps are before the first thread is created
  std::size_t margin_ = 0;
  bool one_column_ = false;
  bool has_halves_ = false;
};

std::string paragraph(std::string_view text, std::size_t width, std::string_view indent = "") {
  std::string out;
  if (text.empty()) return out;
  for (const std::string& line :
       wrapped(text, width > indent.size() + 20 ? width - indent.size() : 20)) {
    out.append(indent).append(line).append("\n");
  }
  return out;
}

std::string place(const counterexample& c) {
  if (c.where.line == 0) return c.steps.empty() ? "" : "in " + thread_name(c.thread);
  std::string text = "at " + shown_path(c.where.file) + ":" + std::to_string(c.where.line);
  const std::string function = function_name(c.where.function);
  if (is_lambda(function)) {
    text += ", in a lambda";
  } else if (!function.empty()) {
    text += ", in " + function + "()";
  }
  return text + ", by " + thread_name(c.thread);
}

std::string counted(std::uint64_t count, std::string_view what) {
  return grouped(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

// "1,234 executions, 5 blocked, at most 3 threads and 40 events, 0.12 s"
std::string numbers(const result& r) {
  std::string text = counted(r.executions, "execution") + ", " + grouped(r.blocked) + " blocked";
  if (r.threads != 0) {
    text += ", at most " + counted(r.threads, "thread") + " and " + counted(r.events, "event");
  }
  return text + ", " + duration(r.seconds);
}

}  // namespace

std::string shown_path(std::string_view file) {
  const fs::path path = fs::path(file).lexically_normal();
  if (path.is_relative()) return path.generic_string();
  std::error_code failed;
  for (const fs::path& root : {fs::path(FENCEPOST_SOURCE_DIR), fs::current_path(failed)}) {
    if (root.empty() || root == root.root_path()) continue;
    std::string below = path.lexically_relative(root).generic_string();
    if (!below.empty() && below != "." && !below.starts_with("..")) return below;
  }
  return path.generic_string();
}

std::string limit_in_words(std::string_view limit) {
  if (limit.empty()) return "stopped before the end";
  if (limit == "max_executions") return "the limit of executions was reached (max_executions)";
  if (limit == "timeout") return "the time limit was reached (timeout)";
  return std::string(limit);
}

std::string_view meaning(violation kind) noexcept {
  switch (kind) {
    case violation::none: return "Nothing is wrong.";
    case violation::assertion:
      return "A requirement of the program does not hold in this execution, which the memory model "
             "allows.";
    case violation::data_race:
      return "Two threads access the same plain data, at least one of them writes, and neither "
             "access happens before the other: the behaviour is undefined. What is missing is a "
             "release by the first thread that an acquire of the second reads from.";
    case violation::liveness:
      return "A thread waits for a change that no thread will make: everything it waits for has "
             "its "
             "last value. This is a lost wake-up or a deadlock.";
    case violation::use_after_free:
      return "Memory is accessed after it was released, or the access is not ordered before the "
             "release.";
    case violation::double_free: return "The same block is released twice.";
    case violation::invalid_free: return "Something is released that was never allocated.";
    case violation::leak: return "A block is still allocated when the execution ends.";
    case violation::exception:
      return "An exception left a thread; outside the checker this is std::terminate.";
    case violation::crash:
      return "The program was ended by a signal in this execution, or it ended the process.";
    case violation::stack_overflow:
      return "The stack of a thread was used up: a recursion that is too deep, or large local "
             "data. options::stack_size sets the limit.";
    case violation::out_of_memory:
      return "The execution allocated more than its limit; options::memory_size sets it.";
    case violation::no_progress:
      return "A thread makes steps without end. A loop that waits for another thread must call "
             "spin_pause() in each turn; options::max_events sets the limit.";
    case violation::nondeterminism:
      return "The program behaved differently when the same execution was run again: it depends on "
             "something besides its threads, such as time, addresses, or state that outlives an "
             "execution.";
    case violation::misuse: return "A call breaks the contract of what it calls.";
    default: return "";
  }
}

std::string_view not_covered() noexcept {
  return "Not covered: more threads or operations than a scenario has, and load buffering (cycles "
         "of program order and reads-from), which ISO C++ allows and ARM shows for relaxed "
         "accesses.";
}

std::string to_text(const counterexample& c, const text_style& style) {
  const painter paint(style.color);
  std::string out;
  const std::string kind(to_string(c.kind));
  const std::vector<std::string> lines =
      wrapped(kind + ": " + with_main(c.message), std::max<std::size_t>(style.width, 40));
  for (const std::string& line : lines) out += paint.red(line) + "\n";
  out += paragraph(place(c), style.width, "  ");
  if (!style.steps) return out;
  if (!c.steps.empty()) {
    table steps(c, style);
    out += "\n" + steps.text() + "\n";
    if (const std::string files = steps.legend(); !files.empty()) out += files + "\n";
    if (const std::string notes = steps.notes(); !notes.empty()) {
      out += paragraph(notes, style.width) + "\n";
    }
  }
  std::string what;
  if (const auto race = racing_steps(c)) {
    what = "The race is between #" + std::to_string(race->first + 1) + " and #" +
           std::to_string(race->second + 1) + ". ";
  }
  what += meaning(c.kind);
  return out + paragraph(what, style.width);
}

std::string to_text(const result& r, const text_style& style) {
  const painter paint(style.color);
  const std::string model(to_string(r.model));
  std::string out;
  if (!r.name.empty() && r.name != options{}.name) out += paint.bold(r.name) + ": ";
  switch (r.outcome) {
    case verdict::verified:
      if (r.executions == 0) {
        out += paint.red("nothing is shown") + ": no execution is complete under " + model + "\n";
        out += paragraph(numbers(r), style.width, "  ");
        out += paragraph(
            "Each run was given up because a thread waited for what no execution brings: a wait "
            "that never ends, or a fault of the checker.",
            style.width);
        break;
      }
      out += paint.green("verified") + ": explored exhaustively under " + model + "\n";
      out += paragraph(numbers(r), style.width, "  ");
      break;
    case verdict::violated:
      out += paint.red("violated") + " under " + model + "\n";
      out +=
          paragraph(numbers(r) + (r.violations > 1 ? "; this is the shortest of " +
                                                         grouped(r.violations) + " counterexamples"
                                                   : ""),
                    style.width, "  ");
      break;
    case verdict::incomplete:
      out += paint.yellow("incomplete") + " under " + model + ": " + limit_in_words(r.limit) + "\n";
      out += paragraph(numbers(r) + "; by estimate " + percent(r.fraction) +
                           " of the whole. Nothing is known of the rest.",
                       style.width, "  ");
      break;
  }
  if (!r.outcomes.empty()) {
    out += "outcomes\n";
    std::size_t widest = 0;
    for (const auto& [text, count] : r.outcomes) widest = std::max(widest, grouped(count).size());
    std::size_t printed = 0;
    for (const auto& [text, count] : r.outcomes) {
      if (printed++ == most_outcomes) {
        out += "  ... " + grouped(r.outcomes.size() - most_outcomes) + " more ...\n";
        break;
      }
      const std::string digits = grouped(count);
      out.append(widest - digits.size() + gap, ' ').append(digits).append("  ").append(text) +=
          '\n';
    }
  }
  if (r.violation) out += "\n" + to_text(*r.violation, style);
  if (r.outcome == verdict::verified && r.executions != 0) {
    out += paragraph(not_covered(), style.width);
  }
  return out;
}

std::string to_text(const counterexample& c) { return to_text(c, text_style{}); }
std::string to_text(const result& r) { return to_text(r, text_style{}); }

}  // namespace fencepost::verify
