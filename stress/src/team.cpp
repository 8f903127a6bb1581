#include "team.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>

#include "fencepost/atomics/std_atomics.hpp"

namespace fencepost::stress {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_memory =
    std::size_t{512} * 1024;  // of a team's instances: fits into most caches
constexpr std::uint32_t most_instances = 4096;
constexpr auto seat_time = 20ms;  // until the threads move
// After a shorter round the next one has more instances, after a longer one fewer. The two are far
// apart: on a busy machine a round takes long because its threads wait for a processor, however few
// instances it has.
constexpr auto short_round = 20ms;
constexpr auto long_round = 100ms;

std::size_t stride_of(const subject& s) {
  const std::size_t line = std::max<std::size_t>(s.alignment, 64);
  return (s.size + line - 1) / line * line;
}

// Receives the reports of a thread of the run, and counts outcomes in the thread's lane.
class listener final : public runner {
 public:
  listener(shared_state& shared, lane& l, clock::time_point began)
      : shared_(shared), lane_(l), began_(began) {}

  void broken(const char* what, source_location where) override {
    broken(violation::assertion, what, where);
  }

  void broken(violation kind, std::string_view what, source_location where) {
    const std::lock_guard lock(shared_.mutex);
    const std::uint32_t used = shared_.broken_used.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < used; ++i) {
      broken_cell& cell = shared_.broken[i];
      if (cell.kind == kind && cell.line == where.line && cell.column == where.column &&
          cell.file.get() == where.file) {
        ++cell.count;
        return;
      }
    }
    if (used == shared_.broken.size()) return;
    broken_cell& cell = shared_.broken[used];
    cell.kind = kind;
    cell.what.set(what);
    cell.file.set(where.file);
    cell.function.set(where.function);
    cell.line = where.line;
    cell.column = where.column;
    cell.count = 1;
    cell.after = std::chrono::duration<double>(clock::now() - began_).count();
    shared_.broken_used.store(used + 1, std::memory_order_release);
  }

  void record(std::string_view outcome) override {
    const std::uint32_t used = lane_.outcomes_used.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < used; ++i) {
      if (lane_.outcomes[i].text.get() == outcome) {
        ++lane_.outcomes[i].count;
        return;
      }
    }
    if (used == lane_.outcomes.size()) {
      ++lane_.other_outcomes;
      return;
    }
    lane_.outcomes[used].text.set(outcome);
    lane_.outcomes[used].count = 1;
    lane_.outcomes_used.store(used + 1, std::memory_order_release);
  }

 private:
  shared_state& shared_;
  lane& lane_;
  const clock::time_point began_;
};

// An exception that leaves the scenario is a violation of its own, and ends the run: the state that
// it leaves behind is unusable.
template <class F>
void guarded(listener& hears, const char* where, F&& f) {
  try {
    f();
  } catch (const std::exception& e) {
    hears.broken(violation::exception, e.what(), {.file = where});
    throw;
  } catch (...) {
    hears.broken(violation::exception, "an exception of no known type", {.file = where});
    throw;
  }
}

// Takes time, and touches no memory.
void wait_turns(std::uint32_t turns) {
  for (std::uint32_t i = 0; i < turns; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
}

// For a count that only this thread writes.
template <class T>
void count_up(std::atomic<T>& count, T by = 1) {
  count.store(count.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace

team::team(const subject& what, const options& how, const processors& machine, shared_state& shared,
           unsigned number, clock::time_point began)
    : what_(what),
      how_(how),
      machine_(machine),
      shared_(shared),
      number_(number),
      threads_(shared.threads),
      began_(began),
      stride_(stride_of(what)),
      most_instances_(static_cast<std::uint32_t>(
          std::clamp<std::size_t>(most_memory / stride_, 1, most_instances))),
      memory_(nullptr, free_memory{std::max<std::size_t>(what.alignment, 64)}),
      meeting_(threads_),
      random_(how.seed + number) {
  const std::size_t alignment = std::max<std::size_t>(what.alignment, 64);
  memory_.reset(static_cast<std::byte*>(
      ::operator new[](stride_* most_instances_, std::align_val_t(alignment))));
  plan_.instances = std::min<std::uint32_t>(64, most_instances_);
  for (const placement p : how.placements) {
    if (machine.has(p)) placements_.push_back(p);
  }
  if (placements_.empty()) {
    // Threads on cores of their own interleave most; on one processor they hardly do.
    for (const placement p : {placement::other_core, placement::none, placement::smt,
                              placement::other_core, placement::same_core}) {
      if (machine.has(p) || p == placement::none) placements_.push_back(p);
    }
  }
  choose_places();
}

void team::choose_places() {
  const std::size_t turn = plan_.seating++;
  const placement p = placements_[turn % placements_.size()];
  plan_.seats = machine_.seats(p, threads_, number_, turn / placements_.size());
  std::vector<unsigned> different = plan_.seats;
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  plan_.room = p == placement::none ? machine_.count() : different.size();
  plan_.crowded = threads_ > plan_.room;
  seated_ = clock::now();
}

// Called by the last thread that arrives at the meeting; the others wait.
void team::make_plan() {
  const clock::time_point now = clock::now();
  if (round_ != 0) {
    const auto took = now - round_began_;
    std::uint32_t& n = plan_.instances;
    if (took > long_round) n = std::max<std::uint32_t>(1, n / 2);
    if (took < short_round) n = std::min(most_instances_, n * 2);
  }
  const std::chrono::duration<double> passed = now - began_;
  // At least one round, however short the time.
  plan_.stop = shared_.stop.load(std::memory_order_relaxed) ||
               (round_ != 0 && passed.count() >= how_.seconds);
  if (now - seated_ > seat_time) choose_places();
  static constexpr std::uint32_t delays[] = {0, 0, 3, 15, 63, 255};
  plan_.delay = delays[random_.below(std::size(delays))];
  plan_.first = random_.below(threads_);
  choose_pace();
  for (unsigned t = 0; t < threads_; ++t) {
    shared_.at(number_, t).at.store(0, std::memory_order_relaxed);
  }
  ++round_;
  round_began_ = now;
}

void team::choose_pace() {
  plan_.early.assign(threads_, true);
  if (!plan_.crowded) {
    plan_.how = random_.below(4) == 0 ? pace::free : pace::in_step;
    return;
  }
  if (plan_.room == 1 || random_.below(4) == 0) {
    plan_.how = random_.below(2) == 0 ? pace::free : pace::crowded;
    return;
  }
  // The threads run in two groups, one after the other. A group has at most as many threads as can
  // run at once, if two groups suffice for that.
  plan_.how = pace::in_step;
  const std::size_t least = threads_ > 2 * plan_.room ? plan_.room : threads_ - plan_.room;
  std::size_t still = least + random_.below(plan_.room - least + 1);
  plan_.early.assign(threads_, false);
  while (still != 0) {
    const unsigned t = random_.below(threads_);
    if (plan_.early[t]) continue;
    plan_.early[t] = true;
    --still;
  }
}

void team::sit(unsigned index) const {
  if (plan_.seats.empty()) {
    stay_anywhere(machine_);
  } else {
    stay_on(plan_.seats[index]);
  }
}

void team::work(unsigned index) {
  lane& own = shared_.at(number_, index);
  listener hears(shared_, own, began_);
  current_runner = &hears;
  random_numbers random(how_.seed * 1000003 + std::uint64_t{number_} * 64 + index + 1);
  std::size_t seating = 0;
  for (;;) {
    own.what.store(doing::waiting, std::memory_order_relaxed);
    meeting_.wait(plan_.crowded, [this] { make_plan(); });
    if (plan_.stop) break;
    if (seating != plan_.seating) {
      seating = plan_.seating;
      sit(index);
    }
    // Each thread constructs and destroys one part of the instances, a different one each round.
    const std::uint32_t part = (index + plan_.first) % threads_;
    const auto edge = [&](std::uint32_t n) {
      return static_cast<std::uint32_t>(std::uint64_t{plan_.instances} * n / threads_);
    };
    own.what.store(doing::beginning, std::memory_order_relaxed);
    for (std::uint32_t n = edge(part); n < edge(part + 1); ++n) {
      guarded(hears, "before()", [&] { what_.begin(instance(n)); });
      count_up(own.steps);
    }
    own.what.store(doing::waiting, std::memory_order_relaxed);
    meeting_.wait(plan_.crowded);
    own.what.store(doing::running, std::memory_order_relaxed);
    if (!is_early(index)) wait_for_the_early(index);
    bool meets = plan_.how != pace::free;
    for (std::uint32_t n = 0; n < plan_.instances; ++n) {
      own.at.store(n + 1, std::memory_order_relaxed);
      // If the round takes too long, because others have the processors, the thread stops meeting.
      if (meets && n % 16 == 15) meets = clock::now() - round_began_ < long_round;
      if (meets) meet_at(index, n + 1);
      if (plan_.delay != 0) wait_turns(random.next() & plan_.delay);
      guarded(hears, "thread()", [&] { what_.thread(instance(n), index); });
    }
    own.at.store(plan_.instances + 1, std::memory_order_relaxed);
    own.what.store(doing::waiting, std::memory_order_relaxed);
    meeting_.wait(plan_.crowded);
    own.what.store(doing::ending, std::memory_order_relaxed);
    for (std::uint32_t n = edge(part); n < edge(part + 1); ++n) {
      guarded(hears, "after()", [&] { what_.end(instance(n)); });
      count_up(own.samples);
    }
  }
  own.what.store(doing::done, std::memory_order_relaxed);
  current_runner = nullptr;
}

// Waits until the early threads have passed all instances, or make no progress: they may wait for a
// thread that is not early.
void team::wait_for_the_early(unsigned index) const {
  std::uint64_t before = ~std::uint64_t{0};
  for (;;) {
    std::uint64_t progress = 0;
    bool through = true;
    for (unsigned t = 0; t < threads_; ++t) {
      if (t == index || !is_early(t)) continue;
      const std::uint32_t at = shared_.at(number_, t).at.load(std::memory_order_relaxed);
      through = through && at > plan_.instances;
      progress += at;
    }
    if (through || progress == before) return;
    before = progress;
    std::this_thread::sleep_for(100us);
  }
}

// Waits until the other threads of this thread's group have reached the instance as well.
void team::meet_at(unsigned index, std::uint32_t instance) const {
  for (unsigned t = 0; t < threads_; ++t) {
    if (is_early(t) != is_early(index)) continue;
    const std::atomic<std::uint32_t>& other = shared_.at(number_, t).at;
    // A thread that keeps its processor continues at once when the other one arrives; a thread that
    // yields it on a busy machine does not.
    const unsigned spins = plan_.how == pace::crowded ? 16 : 100'000;
    for (unsigned turn = 0; other.load(std::memory_order_relaxed) < instance; ++turn) {
      if (turn >= spins) {
        std::this_thread::yield();
      } else if (turn >= 64) {
        std_atomics::spin_pause();
      }
    }
  }
}

}  // namespace fencepost::stress
