// A process that explores parts, as the process that has started it sees it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "execute/part_result.hpp"
#include "explore/part.hpp"

namespace fencepost::verify {

// How the process explores: control.give() tells the one that has started it.
using explore_part = std::function<part_result(const part&, part_control&)>;

struct division_state;

class worker_process {
 public:
  // Forks; throws std::runtime_error if that is impossible. `number`: its counts on the page.
  worker_process(unsigned number, const explore_part&, division_state&);
  ~worker_process();  // kills it
  worker_process(const worker_process&) = delete;
  worker_process& operator=(const worker_process&) = delete;

  [[nodiscard]] unsigned number() const noexcept { return number_; }
  [[nodiscard]] int descriptor() const noexcept { return socket_; }
  // What it explores.
  [[nodiscard]] const std::optional<part>& now() const noexcept { return now_; }
  void explore(const part&);

  struct heard {
    std::optional<part> given;        // it gives this away
    std::optional<part_result> done;  // it is through with what it explored
  };
  // What it has told since, if that is a whole message. Never waits.
  std::optional<heard> hear();
  // It was heard that it is gone; how, in words.
  [[nodiscard]] const std::string& end() const noexcept { return end_; }

 private:
  void read();
  void reap();

  unsigned number_;
  int socket_ = -1;
  pid_t process_ = -1;
  std::optional<part> now_;
  std::string unread_;
  std::string end_;
};

}  // namespace fencepost::verify
