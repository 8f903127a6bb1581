// An event loop: a thread that reads from a pipe what another one writes, runs a timer meanwhile,
// and receives tasks from outside.
//
//   event_loop         prints what it reads, and how it ends
//
// docs/components/task_runner.md explains it.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "fencepost/runtime/task_runner.hpp"

namespace {

using namespace std::chrono_literals;
using fencepost::task_runner;
using fencepost::watch_events;

// Prints the lines that it reads from a pipe, and counts the ticks of a timer until the pipe is
// closed. All of it happens on the runner's thread, so that nothing needs a lock.
class reader {
 public:
  reader(task_runner& runner, int from) : runner_(runner), from_(from) {
    runner_.add_watch(from_, [this](watch_events events) { read(events); });
    tick();
  }

 private:
  void read(watch_events) {
    char bytes[256];
    const ssize_t count = ::read(from_, bytes, sizeof bytes);
    if (count <= 0) {  // the other end is closed
      runner_.remove_watch(from_);
      std::printf("the end, %s\n", ticks_ > 0 ? "with the timer running" : "without a tick");
      runner_.quit();
      return;
    }
    text_.append(bytes, static_cast<std::size_t>(count));
    for (std::size_t end; (end = text_.find('\n')) != std::string::npos;) {
      std::printf("read: %.*s\n", static_cast<int>(end), text_.data());
      text_.erase(0, end + 1);
    }
  }
  // A repeating timer: it posts itself.
  void tick() {
    ++ticks_;
    runner_.post_delayed([this] { tick(); }, 2ms);
  }

  task_runner& runner_;
  int from_;
  std::string text_;
  int ticks_ = 0;
};

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(to, text.data(), text.size());
    if (count < 0) throw std::runtime_error("event_loop: the pipe cannot be written");
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

int main() {
  int ends[2];
  if (::pipe(ends) != 0) {
    std::perror("event_loop: pipe");
    return 1;
  }
  task_runner runner;
  reader lines{runner, ends[0]};

  std::thread writer{[&] {
    write_all(ends[1], "one line\nand ano");
    std::this_thread::sleep_for(5ms);
    write_all(ends[1], "ther\n");
    runner.post([] { std::puts("told from another thread"); });
    ::close(ends[1]);
  }};

  runner.run();
  writer.join();
  ::close(ends[0]);
}
