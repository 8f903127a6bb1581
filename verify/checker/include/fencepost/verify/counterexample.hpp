// An execution, step by step, and what is wrong with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost::verify {

enum class step_kind : std::uint8_t {
  load,
  store,
  read_modify_write,
  failed_compare_exchange,
  fence,
  plain_read,
  plain_write,
  allocate,
  release,
  create_thread,
  join_thread,
  finish,
  wait,
  choose,
  violation,
  note,
};

// One line of a counterexample. The steps are in an order in which they can have happened: every
// read comes after the write that it reads from, and every thread's steps are in program order.
// With load buffering (xc20), a read may come before that write.
struct step {
  unsigned thread = 0;  // 0 is the main thread
  step_kind kind = step_kind::note;
  std::string text;                       // "store release head = 1"
  std::optional<std::size_t> reads_from;  // index of the step whose value is read; none: initial
  std::string location;  // what is accessed: a name such as "0x7f… +8 (atomic)", or ""
  std::uint64_t value_read = 0;
  std::uint64_t value_written = 0;
  source_location where;
  std::string order = {};  // the memory order that it has: "acq_rel"; "": none
};

enum class relation : std::uint8_t {
  reads_from,
  modification_order,  // to the next write to the location
  from_read,           // from a read to the write that comes next after what it reads
  // Happens-before from one thread to another, as far as it does not follow from other edges: a
  // release and what acquires it, the creation of a thread, its end and the join.
  synchronizes_with,
};

// Between two steps, by their index.
struct edge {
  relation kind = relation::reads_from;
  std::size_t from = 0;
  std::size_t to = 0;
  std::string location = {};  // of all but synchronizes_with: step::location, or a half of it
};

// An execution graph. Program order is that of the steps of each thread.
struct execution {
  std::vector<step> steps;
  std::vector<edge> edges;
  std::size_t threads = 0;  // how many there are, the main thread included
  // The program's names for what is accessed, by step::location, where the front end knows them.
  std::map<std::string, std::string> names = {};
};

struct counterexample : execution {  // An execution in which something is wrong.
  violation kind = violation::none;
  std::string message;    // one line: what is wrong
  unsigned thread = 0;    // the thread at which it showed
  source_location where;  // the place at which it showed
  // Whether the execution came again when it was run again for the steps; if not, they may be
  // wrong.
  bool came_again = true;
  // How to reach it again: with these options::priorities, options::replay is this.
  std::string path;
  std::string no_path;  // "" if there is one; or why not: a limit that was hit (result::limit)
  std::vector<unsigned> priorities;
  std::uint64_t samples = 0, seed = 0;  // likewise options::samples and seed, …
  std::optional<unsigned> preemptions;  // … and options::preemptions
};

}  // namespace fencepost::verify
