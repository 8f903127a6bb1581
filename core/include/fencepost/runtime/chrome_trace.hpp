// Writes what workers did (worker_trace.hpp) in the trace event format of Chrome, JSON, which
// https://ui.perfetto.dev and chrome://tracing show.
//
//   traced_thread_pool pool;
//   ...
//   pool.stop();
//   write_chrome_trace("run.json", {pool.trace()});
//
// Each runtime is a process there, and each of its workers a thread. An activity has an event at
// its beginning ("ph": "B") and one of the same name at its end ("E"), a moment an instant one
// ("i"); their category is the trace_kind: task, wait, span, park, steal, wake. A steal has the
// name of the victim's thread as its argument "from"; a wake that of the woken thread as "thread",
// if the runtime knows it. An arrow leads from what the victim was running to what the thief then
// ran (flow events, "s" and "f"). Times are in microseconds since the earliest event. A thread that
// has lost events begins with an instant event "lost events", whose argument "events" is their
// number.
//
// Names are UTF-8; bytes that are not valid become U+FFFD.
//
// Threads: any. Errors: std::bad_alloc, and those of each function.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "fencepost/runtime/worker_trace.hpp"

namespace fencepost {

// Throws std::runtime_error if the stream does not accept it all; a part may have been written
// then.
void write_chrome_trace(std::ostream& out, const std::vector<runtime_trace>& of);

// Replaces the file. Throws std::system_error, with the path, if it cannot be opened or written.
void write_chrome_trace(const std::string& path, const std::vector<runtime_trace>& of);

}  // namespace fencepost
