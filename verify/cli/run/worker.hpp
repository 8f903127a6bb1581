// The parent's side of a worker: starts the process, reads from it, and ends it.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "run/finished_job.hpp"
#include "run/process_shares.hpp"
#include "run/workers.hpp"

namespace fencepost::cli {

class descriptor {
 public:
  explicit descriptor(int number = -1) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() { close(); }
  void close() noexcept {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int get() const noexcept { return number_; }

 private:
  int number_;
};

enum class why_ended : std::uint8_t { by_itself, silent, out_of_time, interrupted };

// A worker that ends without a result has crashed.
class worker {
 public:
  worker(std::size_t index, const job&, const process_shares::share&);
  worker(worker&&) = delete;
  ~worker();

  std::size_t index() const noexcept { return index_; }
  const process_shares::share* share() const noexcept { return &share_; }
  int messages() const noexcept { return messages_.get(); }
  int output() const noexcept { return output_.get(); }

  // Reads what is available; returns true once the worker has ended.
  bool read(const worker_events&);
  void ask_to_stop(std::chrono::milliseconds grace);
  // `passed`: the time since the last call in which this process was running.
  void check_limits(const worker_limits&, std::chrono::milliseconds passed);
  void kill(why_ended);
  // Waits for the end of the process.
  finished_job finish();

 private:
  void hear(const std::string& line, const worker_events&);
  void read_output();
  verify::result without_result(int status) const;

  std::size_t index_;
  const job& job_;
  const process_shares::share& share_;
  std::chrono::steady_clock::time_point began_;
  pid_t process_ = -1;
  descriptor messages_;
  descriptor output_;
  std::string unread_;
  std::string text_;
  std::size_t dropped_ = 0;
  std::optional<verify::result> result_;
  verify::progress last_;
  std::chrono::milliseconds silence_{0};
  std::optional<std::chrono::steady_clock::time_point> killed_at_;
  bool asked_ = false;
  why_ended why_ = why_ended::by_itself;
};

}  // namespace fencepost::cli
