// Counterexamples as text.
//
// A counterexample is a table with one column for each thread and one row for each step, in an
// order in which the steps can have happened:
//
//        main               thread 1               thread 2
//   #1   create thread 1
//   #2                      store relaxed x = 1
//                             mailbox.hpp:21 send: x_.store(1, std::memory_order_relaxed);
//   #3                                             load acquire x = 1, from #2
//
// A row has text of one thread only, so the text may extend below the columns to its right: columns
// may be closer together than they are wide, and only the last needs to fit.
#include "fencepost/verify/report.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "diagnosis.hpp"
#include "painter.hpp"
#include "shown_execution.hpp"
#include "step_facts.hpp"

namespace fencepost::verify {
namespace {

constexpr std::size_t most_columns = 5;       // main and four threads
constexpr std::size_t narrowest_column = 12;  // closer together, columns are hard to tell apart
constexpr std::size_t comfortable_column = 28;
constexpr std::size_t narrowest_main = 7;  // its steps come before and after those of the others
constexpr std::size_t room_for_text = 44;  // from the beginning of the last column
constexpr std::size_t room_for_code = 64;  // likewise, if the other columns can spare it
constexpr std::size_t least_code = 24;     // a shorter piece of a line says nothing
constexpr std::size_t steps_a_page = 30;   // then the heading is repeated
constexpr std::size_t gap = 2;

struct column {
  unsigned thread;
  std::size_t start = 0;
  std::size_t wanted = 0;  // to keep clear of the next column
};

// Shortens a line of code: removes the prefix of memory orders, and a comment.
std::string simplified(std::string code) {
  constexpr std::string_view prefix = "std::memory_order_";
  for (std::size_t at; (at = code.find(prefix)) != std::string::npos;) {
    code.erase(at, prefix.size());
  }
  if (const std::size_t comment = code.find(" // "); comment != std::string::npos) {
    code.erase(comment);
  }
  return code;
}

class table {
 public:
  table(const execution& e, const text_style& style)
      : shown_(e, style.max_steps, style.own_data, style.places),
        style_(style),
        paint_(style.color) {
    margin_ = std::to_string(e.steps.size()).size() + 3;
    arrange();
  }

  std::string text() {
    std::string out;
    if (!one_column_) out += heading();
    const std::size_t count = shown_.steps().size();
    std::size_t rows = 0;
    for (std::size_t i = 0; i < count;) {
      if (shown_.left_out()[i]) {
        const std::size_t from = i;
        while (i < count && shown_.left_out()[i]) ++i;
        if (const std::string what = shown_.left_out().in_words(from, i); !what.empty())
          out += std::string(margin_, ' ') + paint_.dim("... " + what + " ...") + "\n";
        continue;
      }
      row(out, i++);
      if (!one_column_ && ++rows % steps_a_page == 0 && i < count) out += heading();
    }
    return out;
  }

  // Explains the notation, where it is used.
  std::string notes() const {
    std::string out;
    for (std::size_t i = 0; i < shown_.steps().size() && out.empty(); ++i) {
      if (shown_.left_out()[i] || !shown_.passed_over(i)) continue;
      const std::string number = "#" + std::to_string(*shown_.passed_over(i) + 1);
      out = "(not " + number + "): " + number +
            " writes to the same location and is shown above this read, which nevertheless does "
            "not observe it. The steps are in an order in which the threads can have run; each "
            "read names the write that it observes.";
    }
    const auto begin_line = [&] { return out.empty() ? "" : "\n"; };
    if (shown_.left_out().any_private())
      out += std::string(begin_line()) +
             "Not shown: accesses to plain data that no other thread accesses.";
    if (shown_.has_halves()) {
      out += std::string(begin_line()) +
             "1:0 is a word of two halves: the high one is 1, the low one 0.";
    }
    return out;
  }

  std::string legend() const {
    std::string out;
    std::size_t widest = 0;
    for (const auto& [file, name] : shown_.places().files())
      widest = std::max(widest, columns(name));
    for (const auto& [file, name] : shown_.places().files()) {
      const std::string path = shown_path(file);
      if (path == name) continue;
      out.append("  ").append(name).append(widest - columns(name) + gap, ' ').append(path) += '\n';
    }
    return out.empty() ? out : "Files\n" + out;
  }

 private:
  // Gives each thread that has steps to show its own column, or all of them a single one.
  void arrange() {
    for (std::size_t i = 0; i < shown_.steps().size(); ++i) {
      const step& s = shown_.steps()[i];
      if (shown_.left_out()[i]) continue;
      auto at = std::find_if(columns_.begin(), columns_.end(),
                             [&](const column& c) { return c.thread == s.thread; });
      if (at == columns_.end()) at = columns_.insert(at, column{s.thread});
      at->wanted = std::max(at->wanted, columns(shown_.words(i)) + gap);
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
    // To show whole lines of code in the last column, the others shrink to a comfortable width; to
    // show enough of each line, as far as they can.
    shrink(comfortable_column, available(room_for_code));
    if (!shrink(narrowest_column, available(room_for_text))) {
      one_column_ = true;
      return;
    }
    std::size_t start = margin_;
    for (column& c : columns_) start = (c.start = start) + c.wanted;
  }

  // Narrows the widest columns, except for the last, until they fit into the room; false if they
  // cannot.
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
    const step& s = shown_.steps()[index];
    const bool wrong = s.kind == step_kind::violation;
    const std::string number = "#" + std::to_string(index + 1);
    std::string text = shown_.words(index);
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
    const step& s = shown_.steps()[index];
    if (s.where.line == 0 || is_runner(s)) return;
    // Two consecutive steps of one line, such as a compare-exchange and what follows from it, show
    // the line once.
    std::size_t before = index;
    while (before != 0 && shown_.left_out().is_private(before - 1)) --before;
    if (before != 0 && shown_.steps()[before - 1].where == s.where &&
        shown_.steps()[before - 1].thread == s.thread) {
      return;
    }
    std::string place = shown_.place(index);
    const std::size_t room =
        std::max(style_.width > start ? style_.width - start : 0, std::size_t{24});
    const auto print = [&](std::string_view line) {
      out += std::string(start, ' ') + paint_.dim(shortened(line, room)) + "\n";
    };
    std::string code = shown_.code(index);
    if (code.empty()) return print(place);
    place += ": ";
    if (columns(place + code) > room) code = simplified(std::move(code));
    const std::size_t beside = room > columns(place) ? room - columns(place) : 0;
    const std::size_t access = shown_.access_in(code, index);
    if (columns(code) <= beside || (beside >= least_code && access + least_code <= beside)) {
      return print(place + code);
    }
    place.pop_back();
    print(place);
    if (columns(code) > room && access + least_code > room) code = "..." + code.substr(access);
    print(code);
  }

  shown_execution shown_;
  text_style style_;
  painter paint_;
  std::vector<column> columns_;
  std::size_t margin_ = 0;
  bool one_column_ = false;
};

}  // namespace

std::string to_text(const execution& e, const text_style& style) {
  if (e.steps.empty()) return {};
  table steps(e, style);
  std::string out = steps.text();
  if (const std::string files = steps.legend(); !files.empty()) out += "\n" + files;
  if (const std::string notes = steps.notes(); !notes.empty()) {
    out += "\n" + paragraph(notes, style.width);
  }
  return out;
}

std::string to_text(const counterexample& c, const text_style& style) {
  const painter paint(style.color);
  std::string out;
  const std::string kind(to_string(c.kind));
  const std::string message = cited_places(c, style.places).in_message(with_main(c.message));
  const std::vector<std::string> lines =
      wrapped(kind + ": " + message, std::max<std::size_t>(style.width, 40));
  for (const std::string& line : lines) out += paint.red(line) + "\n";
  out += paragraph(cited_place(c, style.places), style.width, "  ");
  if (!style.steps) return out;
  out += paragraph(what_went_wrong(c, style.places), style.width);
  const execution& graph = c;
  if (!c.steps.empty()) out += "\n" + to_text(graph, style) + "\n";
  std::string what;
  if (const auto race = racing_steps(c)) {
    what = "The race is between #" + std::to_string(race->first + 1) + " and #" +
           std::to_string(race->second + 1) + ". ";
  }
  what += meaning(c.kind);
  if (!c.came_again) what += " " + std::string(why_not_shown());
  if (!c.no_path.empty()) what += " " + why_not_replayed(c);
  return out + paragraph(what, style.width);
}

std::string to_text(const counterexample& c) { return to_text(c, text_style{}); }

}  // namespace fencepost::verify
