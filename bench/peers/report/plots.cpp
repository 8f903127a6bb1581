#include "plots.hpp"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "subjects.hpp"
#include "tables.hpp"

namespace fencepost::bench::peers {

namespace {

// Colours that most eyes can tell apart (Okabe and Ito); the kit's own are the blues.
const char* const own_colours[] = {"#0072b2", "#56b4e9", "#1f4e79"};
const char* const other_colours[] = {"#e69f00", "#009e73", "#cc79a7", "#d55e00", "#999999",
                                     "#8c6d31", "#b8b800", "#4d4d4d", "#7b3294", "#c0c0c0"};

constexpr const char *own_bar = "0x0072b2", *other_bar = "0xaaaaaa";

struct palette {
  std::size_t own = 0, other = 0;
  std::string next(bool is_own) {
    return is_own ? own_colours[own++ % std::size(own_colours)]
                  : other_colours[other++ % std::size(other_colours)];
  }
};

// True if a name is the label of other benchmarks: a program without tasks, not a runtime.
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

// Returns the common head of the plots; `axis` is the one that has grid lines.
std::string head(std::size_t height, unsigned font, const char* axis) {
  return "set terminal svg size 900," + std::to_string(height) + " font 'sans-serif," +
         std::to_string(font) + "' background rgb 'white'\n" +
         "set border 3 lc rgb '#444444'\nset tics nomirror\nset grid " + axis +
         "tics lc rgb '#dddddd'\n";
}

// A panel for each column of the table: a bar for each peer, the fastest first, from zero; with the
// middle half of the rounds, and the median as text.
struct panel {
  std::string title;
  std::vector<const measurement*> bars;
};

std::vector<panel> panels_of(const measurements& from, const subject& what) {
  const std::vector<std::string> peers = shown_peers(from, what);
  std::vector<panel> panels;
  for (const work& each : what.works) {
    std::vector<unsigned> counts = from.threads_of(what.family, each.name);
    // The fork-join programs are shown only with all workers: the other plot has the rest.
    const bool only_all = what.family == fork_join_subject.family && !counts.empty();
    if (only_all) counts = {counts.back()};
    for (const unsigned threads : counts) {
      const work titled{each.name, each.header + (only_all ? ", #-worker" : "")};
      panel& added = panels.emplace_back(panel{header_of(titled, threads), {}});
      for (const std::string& peer : peers) {
        const measurement* const m = from.find(what.family, each.name, peer, threads);
        if (m != nullptr) added.bars.push_back(m);
      }
      std::sort(
          added.bars.begin(), added.bars.end(),
          [](const measurement* a, const measurement* b) { return a->median() < b->median(); });
    }
  }
  return panels;
}

void write_panel(std::ostream& out, std::size_t number, const panel& shown, const subject& what) {
  double longest = 0;
  for (const measurement* const m : shown.bars) longest = std::max(longest, m->quantile(0.75));
  const unit in = unit_of(longest);
  out << "$of" << number << " << end\n";
  for (std::size_t row = 0; row < shown.bars.size(); ++row) {
    const measurement& m = *shown.bars[row];
    out << row + 1;
    for (const double q : {0.5, 0.25, 0.75}) out << ' ' << m.quantile(q) / in.nanoseconds;
    out << ' ' << quoted(m.peer) << ' ' << quoted(duration(m.median())) << ' '
        << (what.is_ours(m.peer) ? own_bar : other_bar) << '\n';
  }
  out << "end\nset title " << quoted(shown.title) << "\nset xlabel '" << in.name
      << "'\nset xrange [0:" << 1.35 * longest / in.nanoseconds << "]\nset yrange ["
      << static_cast<double>(shown.bars.size()) + 0.6 << ":0.4]\nplot $of" << number
      << " using (0):1:(0):2:($1-0.36):($1+0.36):7:ytic(5) with boxxyerror fs solid lc rgb variable"
      << ", '' using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc rgb '#222222'"
      << ", '' using 4:1:6 with labels left offset 0.7,0\n";
}

std::string bars(const measurements& from, const subject& what) {
  const std::vector<panel> panels = panels_of(from, what);
  std::size_t most = 0;
  for (const panel& each : panels) most = std::max(most, each.bars.size());
  const std::size_t across = panels.size() == 1 ? 1 : 2, down = (panels.size() + 1) / across;
  std::ostringstream out;
  out << head(50 + down * (85 + 20 * most), 12, "x") << "set multiplot layout " << down << ','
      << across << " title "
      << quoted(what.title + ": shorter is better; median and middle half of the rounds")
      << "\nset lmargin 20\nset rmargin 3\nunset key\n";
  for (std::size_t i = 0; i < panels.size(); ++i) write_panel(out, i, panels[i], what);
  out << "unset multiplot\n";
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
  const std::size_t down = what.works.size() / 3 + 1;  // one panel is the key
  out << head(280 * down, 13, "y") << "set multiplot layout " << down
      << ",3\nset xlabel 'workers'\nset ylabel 'speed-up'\n"
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
  // The last panel is the key to all panels.
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
