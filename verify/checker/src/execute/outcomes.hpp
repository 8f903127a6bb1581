// What the threads of a run record: its outcome.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost::verify {

class outcomes {
 public:
  void begin_run() noexcept {
    recorded_.clear();
    joined_.clear();
  }
  // `thread`: the path to it from the main thread, which does not depend on the order of the
  // threads.
  void record(std::vector<unsigned> thread, std::string_view text) {
    recorded_.push_back({std::move(thread), std::string(text)});
  }
  // Joins what the threads have recorded, by thread, and in program order within each: the graph
  // determines no other order.
  void join();
  // The joined text.
  [[nodiscard]] const std::string& text() const noexcept { return joined_; }

  // What one call of record() adds.
  struct record_of_thread {
    std::vector<unsigned> thread;
    std::string text;
  };
  using saved = std::vector<record_of_thread>;
  [[nodiscard]] const saved& save() const noexcept { return recorded_; }
  void put_back(const saved& s) {
    recorded_ = s;
    joined_.clear();
  }

 private:
  std::vector<record_of_thread> recorded_;
  std::vector<const record_of_thread*> in_order_;
  std::string joined_;
};

}  // namespace fencepost::verify
