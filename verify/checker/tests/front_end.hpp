// A front end that keeps part of an execution's state outside the checker's memory, and
// explorations whose bodies change it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "execute/front_end_state.hpp"
#include "fencepost/verify/check.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

class fake_front_end final : public front_end_state {
 public:
  fake_front_end() { current = this; }
  ~fake_front_end() { current = nullptr; }
  fake_front_end(const fake_front_end&) = delete;
  fake_front_end& operator=(const fake_front_end&) = delete;

  void begin_execution() { bytes = {}, counted = 0; }

  [[nodiscard]] bool can_resume() const override { return resumes; }
  [[nodiscard]] std::span<const std::span<char>> memory() override { return {&memory_, 1}; }
  void keep(std::size_t number, const fibers&) override {
    if (kept_.size() <= number) kept_.resize(number + 1);
    kept_[number] = counted;
  }
  void put_back(std::size_t number, const fibers&) override {
    ++put_back_;
    counted = kept_[number];
  }
  [[nodiscard]] bool is_foreign(const void*) const noexcept override { return false; }
  [[nodiscard]] bool runs_on_stacks() const noexcept override { return false; }
  [[nodiscard]] bool end_with_program(std::uint64_t) override { return false; }
  [[nodiscard]] std::optional<std::string> why_over() const override {
    if (knows_more) return "it knows more";
    return {};
  }
  [[nodiscard]] std::size_t times_put_back() const noexcept { return put_back_; }

  std::array<char, 8> bytes{};
  int counted = 0;
  bool resumes = true;
  bool knows_more = false;  // never put back

 private:
  std::span<char> memory_{bytes};
  std::vector<int> kept_;
  std::size_t put_back_ = 0;
};

inline int variable_of_front_end = 0;

// The front end learns more in a run that lies in the last quarter of the search tree.
inline result explored_until_more_is_known(fake_front_end& front_end, unsigned jobs) {
  front_end.knows_more = false;
  options o;
  o.resume_points = true;
  o.jobs = jobs;
  o.priorities = {0};  // reads are not postponed
  return check(o, [&] {
    front_end.begin_execution();
    checked::atomic<int> x{0}, y{0};
    in_threads(8, [&](unsigned t) {
      if (t == 0 && y.load(relaxed) == 3) front_end.knows_more = true;
      for (int value = 1; t == 1 && value <= 3; ++value) y.store(value, relaxed);
      x.fetch_add(1, relaxed);
    });
  });
}

// This process must know more, whichever one learned it, and all that lies before must be explored.
inline std::string wrong_where_more_becomes_known() {
  const auto front_end = std::make_unique<fake_front_end>();
  for (const unsigned jobs : {1U, 3U}) {
    const result r = explored_until_more_is_known(*front_end, jobs);
    const std::string with = " with " + std::to_string(jobs) + " jobs";
    if (r.outcome != verdict::incomplete || r.limit != "it knows more")
      return "more is known" + with + ": " + std::string(to_string(r.outcome)) + ", " + r.limit;
    if (!front_end->knows_more) return "more is known in another process" + with;
    if (r.executions != 3 * 40'320 + 1)  // 8! orders with each value before
      return "more is known" + with + ": " + std::to_string(r.executions);
  }
  return "";
}

inline std::string wrong_with_front_end() {
  const auto front_end = std::make_unique<fake_front_end>();
  const auto explored = [&] {
    options o;
    o.resume_points = true;
    return check(o, [&] {
      front_end->begin_execution();
      checked::atomic<int> x{0};
      in_threads(3, [&](unsigned t) {
        x.fetch_add(1, acq_rel);
        require(front_end->bytes[t]++ == 0, "bytes");
        ++front_end->counted;
        ++variable_of_front_end;
        x.load(relaxed);
      });
      require(front_end->counted == 3, "counted");
    });
  };
  const result with = explored();
  if (with.executions != 36) return "front end: " + std::to_string(with.executions);
  if (!with.from_beginning.empty()) return "front end: " + with.from_beginning;
  const std::size_t so_far = front_end->times_put_back();
  if (so_far == 0) return "front end: nothing is put back";
  front_end->resumes = false;
  if (explored().executions != 36 || front_end->times_put_back() != so_far)
    return "front end: an execution goes on that cannot";
  return "";
}

}  // namespace fencepost::verify::testing
