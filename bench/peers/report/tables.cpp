#include "tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../../formatted.hpp"

namespace fencepost::bench::peers {

namespace {

// Formats three significant digits, never with an exponent.
std::string three_digits(double value) {
  return text(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
}

std::string median_of(const measurement& m) {
  return duration(m.median()) + text(" (%.0f %%)", 100 * m.spread());
}

std::string ratio(double value) { return text(value < 9.95 ? "%.2g×" : "%.0f×", value); }

// Returns "1,234,567" for 1234567.
std::string grouped(double value) {
  std::string digits = text("%.0f", value);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string shown(const subject& what, const std::string& peer) {
  return what.is_ours(peer) ? "**" + peer + "**" : peer;
}

void write_row(std::ostream& out, const std::vector<std::string>& cells) {
  out << '|';
  for (const std::string& cell : cells) out << ' ' << cell << " |";
  out << '\n';
}

void write_head(std::ostream& out, const std::vector<std::string>& cells) {
  write_row(out, cells);
  std::vector<std::string> rules(cells.size(), "---:");
  rules.front() = "---";
  write_row(out, rules);
}

struct column {
  const work* what;
  unsigned threads;
};

// Returns the peers in the order of their times in this column; those that are not in it come last.
std::vector<std::string> by_time(const measurements& from, const std::string& family,
                                 const std::string& what, unsigned threads) {
  std::vector<std::string> peers = from.peers_of(family);
  const auto time = [&](const std::string& peer) {
    const measurement* const m = from.find(family, what, peer, threads);
    return m == nullptr ? std::numeric_limits<double>::infinity() : m->median();
  };
  std::stable_sort(peers.begin(), peers.end(),
                   [&](const std::string& a, const std::string& b) { return time(a) < time(b); });
  return peers;
}

void write_subject(std::ostream& out, const measurements& from, const subject& what) {
  std::vector<column> columns;
  std::vector<std::string> head{""};
  for (const work& each : what.works) {
    for (const unsigned threads : from.threads_of(what.family, each.name)) {
      columns.push_back({&each, threads});
      head.push_back(header_of(each, threads));
    }
  }
  write_head(out, head);
  const std::string& leading = what.works.front().name;
  const unsigned most = from.threads_of(what.family, leading).back();
  for (const std::string& peer : by_time(from, what.family, leading, most)) {
    std::vector<std::string> row{shown(what, peer)};
    for (const column& c : columns) {
      const measurement* const m = from.find(what.family, c.what->name, peer, c.threads);
      const measurement* const first =
          from.find(what.family, c.what->name, what.ours.front(), c.threads);
      row.push_back(m == nullptr ? "" : median_of(*m));
      if (m != nullptr && first != nullptr)
        row.back() += ' ' + ratio(m->median() / first->median());
    }
    write_row(out, row);
  }
}

// Writes one program: with one worker and with all, beside the sequential program of the same
// compiler.
void write_program(std::ostream& out, const measurements& from, const work& program) {
  const subject& what = fork_join_subject;
  const unsigned all = from.threads_of(what.family, program.name).back();
  const std::string workers = std::to_string(all) + (all == 1 ? " worker" : " workers");
  out << "\n**" << program.header << "**\n\n";
  std::vector<std::string> head{"", "sequential", "1 worker", "T1/TS"};
  if (all > 1) head.insert(head.end(), {workers, "processor time", "speed-up"});
  head.push_back("times " + what.ours.front());
  head.emplace_back("steals");
  write_head(out, head);
  const measurement* const first = from.find(what.family, program.name, what.ours.front(), all);
  for (const std::string& peer : by_time(from, what.family, program.name, all)) {
    const measurement* const one = from.find(what.family, program.name, peer, 1);
    const measurement* const most = from.find(what.family, program.name, peer, all);
    if (one == nullptr || most == nullptr || one->label == peer) continue;  // a sequential program
    const measurement* const alone = from.find(what.family, program.name, one->label, 1);
    std::vector<std::string> row{shown(what, peer)};
    row.push_back(alone == nullptr ? "" : median_of(*alone));
    row.push_back(median_of(*one));
    row.push_back(alone == nullptr ? "" : three_digits(one->median() / alone->median()));
    if (all > 1) {
      row.push_back(median_of(*most));
      row.push_back(duration(most->processor_time()));
      row.push_back(alone == nullptr ? "" : three_digits(alone->median() / most->median()));
    }
    row.push_back(first == nullptr ? "" : ratio(most->median() / first->median()));
    const auto steals = most->counters.find("steals");
    const auto tasks = most->counters.find("tasks");
    row.push_back(steals == most->counters.end() || tasks == most->counters.end()
                      ? ""
                      : grouped(steals->second) + " of " + grouped(tasks->second) + " tasks");
    write_row(out, row);
  }
}

bool measured(const measurements& from, const subject& what) {
  return std::any_of(what.works.begin(), what.works.end(), [&](const work& each) {
    return !from.threads_of(what.family, each.name).empty();
  });
}

void write_title(std::ostream& out, const subject& what, bool images) {
  out << "\n### " << what.title << "\n\n";
  if (images) out << "![" << what.title << "](benchmarks/" << what.family << ".svg)\n\n";
}

}  // namespace

unit unit_of(double nanoseconds) {
  if (nanoseconds < 999.5) return {"ns", 1};
  if (nanoseconds < 999.5e3) return {"µs", 1e3};
  if (nanoseconds < 999.5e6) return {"ms", 1e6};
  return {"s", 1e9};
}

std::string duration(double nanoseconds) {
  const unit in = unit_of(nanoseconds);
  return three_digits(nanoseconds / in.nanoseconds) + ' ' + in.name;
}

void write_tables(std::ostream& out, const measurements& from, bool images) {
  if (measured(from, fork_join_subject)) {
    write_title(out, fork_join_subject, images);
    if (images) out << "![Speed-up](benchmarks/speedup.svg)\n";
    for (const work& program : fork_join_subject.works) {
      if (!from.threads_of(fork_join_subject.family, program.name).empty()) {
        write_program(out, from, program);
      }
    }
  }
  for (const subject& each : subjects) {
    if (!measured(from, each)) continue;
    write_title(out, each, images);
    write_subject(out, from, each);
  }
}

}  // namespace fencepost::bench::peers
