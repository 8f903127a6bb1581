// The output of the study of deques: a table in Markdown, and a plot of T1/TS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "samples.hpp"

namespace fencepost::bench {

struct row {
  std::string program, deque;
  sample overhead, per_task, speedup;
  std::uint64_t steals, attempts;
};

inline void print_head(unsigned workers) {
  std::printf(
      "| program | deque | T1/TS | ns a task | T1/T%u | steals | attempts |\n"
      "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
      workers);
}
inline void print(const row& r) {
  std::printf("| %s | %s | %s | %s | %s | %llu | %llu |\n", r.program.c_str(), r.deque.c_str(),
              r.overhead.text(2).c_str(), r.per_task.text(1).c_str(), r.speedup.text(2).c_str(),
              static_cast<unsigned long long>(r.steals),
              static_cast<unsigned long long>(r.attempts));
  std::fflush(stdout);
}

// Plots T1/TS of each program, with a bar for each deque and the spread of the rounds.
inline void plot(const std::string& file, const std::vector<row>& rows) {
  constexpr std::size_t deques = 4;
  const char* const colours[deques] = {"#0072b2", "#56b4e9", "#e69f00", "#009e73"};
  std::ofstream out{file};
  out << "set terminal svg size 900,420 font 'sans-serif,13' background rgb 'white'\n"
         "set border 3 lc rgb '#444444'\nset tics nomirror\nset grid ytics lc rgb '#dddddd'\n"
         "set title 'One worker beside the sequential program: T1/TS (less is better)'\n"
         "set style data histogram\nset style histogram errorbars gap 1 lw 1\n"
         "set style fill solid\nset yrange [0:*]\nset key top right\n$data << end\n";
  for (std::size_t i = 0; i < rows.size(); i += deques) {
    out << '"' << rows[i].program << '"';
    for (std::size_t d = 0; d < deques; ++d) {
      const sample& s = rows[i + d].overhead;
      out << ' ' << s.median << ' ' << s.least << ' ' << s.most;
    }
    out << '\n';
  }
  out << "end\nplot";
  for (std::size_t d = 0; d < deques; ++d) {
    const std::size_t at = 2 + 3 * d;
    out << (d == 0 ? " " : ", ") << "$data using " << at << ':' << at + 1 << ':' << at + 2
        << (d == 0 ? ":xtic(1)" : "") << " title '" << rows[d].deque << "' lc rgb '" << colours[d]
        << "'";
  }
  out << '\n';
}

}  // namespace fencepost::bench
