// How the parts of the engine may end a run.
#pragma once

#include <cstdlib>
#include <string_view>

#include "fencepost/verify/engine.hpp"

namespace fencepost::verify {

// A message that may end the run. It owns no memory, since an abandoned stack is never unwound.
class message {
 public:
  explicit message(const char* format, ...) __attribute__((format(printf, 2, 3)));
  operator std::string_view() const noexcept { return text_; }

 private:
  char text_[512];
};

class run_control {
 public:
  // Ends the run with a violation by the running thread. `ended`: the object whose lifetime ends in
  // it.
  [[noreturn]] void report(violation kind, std::string_view text, source_location where,
                           location ended = no_location) {
    end_with(kind, text, where, ended);
    std::abort();  // not reached
  }
  // The same where happens-before, as far as it is known, does not order a use of the object with
  // the beginning or the end of its lifetime. The thread continues if more of happens-before will
  // be known when the run is over.
  void report_unordered(violation kind, std::string_view text, source_location where,
                        location object, location ended = no_location) {
    if (!doubt(kind, text, where, object)) report(kind, text, where, ended);
  }
  // Ends the run, and restarts the exploration: the search depends on something learned just now.
  [[noreturn]] void restart() {
    end_with_restart();
    std::abort();
  }
  // Ends the run, whose continuations are explored elsewhere.
  [[noreturn]] void drop() {
    end_with_drop();
    std::abort();
  }
  // Ends the exploration: nothing is known of what would follow. `where`: the last step, if that
  // matters.
  [[noreturn]] void reach_limit(std::string_view what, source_location where) {
    end_with_limit(what, where);
    std::abort();
  }

 protected:
  ~run_control() = default;

 private:
  [[noreturn]] virtual void end_with(violation, std::string_view, source_location,
                                     location ended) = 0;
  virtual bool doubt(violation, std::string_view, source_location, location object) = 0;
  [[noreturn]] virtual void end_with_restart() = 0;
  [[noreturn]] virtual void end_with_drop() = 0;
  [[noreturn]] virtual void end_with_limit(std::string_view, source_location) = 0;
};

}  // namespace fencepost::verify
