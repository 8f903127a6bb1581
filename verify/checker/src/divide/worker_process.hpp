// A process that explores parts, as seen by the process that started it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "execute/part_result.hpp"
#include "explore/part.hpp"

namespace fencepost::verify {

// Explores a part in the worker process; control.give() tells the process that started it.
using explore_part = std::function<part_result(const part&, part_control&)>;

struct division_state;

class worker_process {
 public:
  // Forks; throws std::runtime_error if that is impossible. `number` is the index of its counts on
  // the page.
  worker_process(unsigned number, const explore_part&, division_state&);
  ~worker_process();  // kills it
  worker_process(const worker_process&) = delete;
  worker_process& operator=(const worker_process&) = delete;

  [[nodiscard]] unsigned number() const noexcept { return number_; }
  [[nodiscard]] int descriptor() const noexcept { return socket_; }
  // The part that the process explores, if any.
  [[nodiscard]] const std::optional<part>& now() const noexcept { return now_; }
  void explore(const part&);

  struct heard {
    std::optional<part> given;        // it gives this away
    std::optional<part_result> done;  // it has explored its part, with this result
  };
  // The next message of the process, if a whole one has arrived. Never waits.
  std::optional<heard> hear();
  // How the process ended, in words; "" until hear() has noticed it.
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
