#include "plots.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "subjects.hpp"

namespace fencepost::bench::peers {

namespace {

// Colours that most eyes can tell apart (Okabe and Ito); the kit's own are the blues.
const char* const own_colours[] = {"#0072b2", "#56b4e9", "#1f4e79"};
const char* const other_colours[] = {"#e69f00", "#009e73", "#cc79a7", "#d55e00", "#999999",
                                     "#8c6d31", "#b8b800", "#4d4d4d", "#7b3294", "#c0c0c0"};

struct palette {
  std::size_t own = 0, other = 0;
  std::string next(bool is_own) {
    return is_own ? own_colours[own++ % std::size(own_colours)]
                  : other_colours[other++ % std::size(other_colours)];
  }
};

// Whether a name is the label of others: a program without tasks, no runtime.
bool is_sequential(const measurements& from, const std::string& peer) {
  return std::any_of(from.all().begin(), from.all().end(),
                     [&](const measurement& m) { return m.peer == peer && m.label == peer; });
}

std::vector<std::string> shown_peers(const measurements& from, const subject& what) {
  std::vector<std::string> peers = from.peers_of(what.family);
  std::erase_if(peers, [&](const std::string& peer) { return is_sequential(from, peer); });
  // Rounds are in random order; a peer keeps its colour.
  std::sort(peers.begin(), peers.end(), [&](const std::string& a, const std::string& b) {
    return std::pair{!what.is_ours(a), a} < std::pair{!what.is_ours(b), b};
  });
  return peers;
}

// gnuplot reads an underscore as the beginning of an index.
std::string quoted(std::string text) {
  for (std::size_t i = 0; (i = text.find('_', i)) != text.npos; i += 3) text.replace(i, 1, "\\\\_");
  return '"' + text + '"';
}

constexpr const char* head =
    "set terminal svg size 900,420 font 'sans-serif,13' background rgb 'white'\n"
    "set border 3 lc rgb '#444444'\nset tics nomirror\nset grid ytics lc rgb '#dddddd'\n";

// A group of bars for each column of the table: how many times the time of the fastest.
std::string bars(const measurements& from, const subject& what) {
  const std::vector<std::string> peers = shown_peers(from, what);
  std::ostringstream out;
  out << head << "set title " << quoted(what.title + ": times the fastest (shorter is better)")
      << "\nset key outside right top vertical Left reverse\nset logscale y\nset yrange [0.9:]\n"
      << "set style data histogram\nset style histogram clustered gap 1.5\n"
      << "set style fill solid\nset ytics add ('1×' 1, '2×' 2, '5×' 5, '10×' 10, '100×' 100)\n"
      << "$data << end\n";
  double largest = 2;
  for (const work& each : what.works) {
    std::vector<unsigned> counts = from.threads_of(what.family, each.name);
    // Of the fork-join programs only with all workers: the other plot has the rest.
    if (what.family == fork_join_subject.family && !counts.empty()) counts = {counts.back()};
    for (const unsigned threads : counts) {
      double fastest = std::numeric_limits<double>::infinity();
      for (const std::string& peer : peers) {
        const measurement* const m = from.find(what.family, each.name, peer, threads);
        if (m != nullptr) fastest = std::min(fastest, m->median());
      }
      out << quoted(header_of(each, threads));
      for (const std::string& peer : peers) {
        const measurement* const m = from.find(what.family, each.name, peer, threads);
        if (m == nullptr) {
          out << " NaN";
        } else {
          out << ' ' << m->median() / fastest;
          largest = std::max(largest, m->median() / fastest);
        }
      }
      out << '\n';
    }
  }
  out << "end\nset yrange [0.9:" << 1.3 * largest << "]\nplot ";
  palette colours;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    out << (i == 0 ? "" : ", ") << "$data using " << i + 2 << (i == 0 ? ":xtic(1)" : "")
        << " title " << quoted(peers[i]) << " lc rgb '" << colours.next(what.is_ours(peers[i]))
        << "'";
  }
  out << '\n';
  return out.str();
}

std::string line(const std::string& colour) {
  return " with linespoints pt 7 ps 0.5 lw 2 lc rgb '" + colour + "' title ";
}

// A panel for each fork-join program: the speed-up over the sequential program, by workers.
std::string speedup(const measurements& from) {
  const subject& what = fork_join_subject;
  const std::vector<std::string> peers = shown_peers(from, what);
  std::ostringstream out;
  out << head << "set terminal svg size 900,560 font 'sans-serif,13' background rgb 'white'\n"
      << "set multiplot layout 2,3\nset xlabel 'workers'\nset ylabel 'speed-up'\n"
      << "set xtics 1\nset yrange [0:*]\nunset key\nset datafile missing '-'\n";
  for (std::size_t program = 0; program < what.works.size(); ++program) {
    const work& each = what.works[program];
    const std::vector<unsigned> counts = from.threads_of(what.family, each.name);
    if (counts.empty()) continue;
    out << "$of" << program << " << end\n";
    for (const unsigned threads : counts) {
      out << threads;
      for (const std::string& peer : peers) {
        const measurement* const m = from.find(what.family, each.name, peer, threads);
        const measurement* const alone =
            m == nullptr ? nullptr : from.find(what.family, each.name, m->label, 1);
        if (alone == nullptr) {
          out << " -";
        } else {
          out << ' ' << alone->median() / m->median();
        }
      }
      out << '\n';
    }
    const unsigned most = counts.back();
    out << "end\nset title " << quoted(each.header) << "\nset xrange [0.9:" << most + 0.1 << "]\n";
    if (most > 8) out << "set xtics auto\n";
    out << "plot x with lines dt 2 lc rgb '#888888' title 'as many as workers'";
    palette colours;
    for (std::size_t i = 0; i < peers.size(); ++i) {
      out << ", $of" << program << " using 1:" << i + 2
          << line(colours.next(what.is_ours(peers[i]))) << quoted(peers[i]);
    }
    out << '\n';
  }
  // The last panel is the key of all.
  out << "unset title\nunset border\nunset tics\nunset grid\nunset xlabel\nunset ylabel\n"
      << "set key center center\nset yrange [0:1]\nplot NaN with lines dt 2 lc rgb '#888888' title "
      << "'as many as workers'";
  palette colours;
  for (const std::string& peer : peers) {
    out << ", NaN" << line(colours.next(what.is_ours(peer))) << quoted(peer);
  }
  out << "\nunset multiplot\n";
  return out.str();
}

}  // namespace

void write_plots(
    const measurements& from,
    const std::function<void(const std::string& name, const std::string& script)>& give) {
  if (!from.peers_of(fork_join_subject.family).empty()) {
    give(fork_join_subject.family, bars(from, fork_join_subject));
    give("speedup", speedup(from));
  }
  for (const subject& each : subjects) {
    if (!from.peers_of(each.family).empty()) give(each.family, bars(from, each));
  }
}

}  // namespace fencepost::bench::peers
