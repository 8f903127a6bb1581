#include "body_results.hpp"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

#include "../programs.hpp"
#include "fencepost/verify/check.hpp"

namespace fencepost::verify::testing {

namespace {

std::uint64_t counter = 0;

using integer = checked::atomic<std::uint64_t>;

// Frees the block without ending the object, and returns where the object was. `later`: another
// object begins, and another block is allocated, before the object begins.
integer* free_with_object(std::uint64_t initial, bool later = false) {
  void* const block = ::operator new(sizeof(integer));
  if (later) {
    const integer before{0};
    void* const volatile other = ::operator new(1);
    ::operator delete(other);
  }
  integer* volatile const gone = new (block) integer{initial};
  ::operator delete(block);
  return gone;
}

// Returns false if the other thread has not come by then. The counter is not compared.
bool wait_three_turns(integer& x) {
  counter = 0;
  while (x.exchange(0) == 0)
    if (++counter == 3) return false;
  return true;
}

}  // namespace

std::string wrong_verdict_of_a_body() {
  const struct {
    const char* name;
    violation expected;
    std::function<void()> body;
    bool typed_memory = false;
  } bodies[] = {
      {"nothing watched", violation::misuse, [] { concurrently([] {}, [] {}); }},
      {"a counter that outlives the execution", violation::nondeterminism,
       [] {
         integer x{0};
         x.store(++counter);
       }},
      // If the thread with the plain read comes second, it has not yet synchronized with the other.
      {"a plain read that races when the next operation reads another source", violation::data_race,
       [] {
         const word x(engine::current()->declare(nullptr, 4, 0, {}));
         const auto add = [x](unsigned line) {
           engine::current()->read_modify_write(x, operation::add, 1, 4, order::seq_cst,
                                                {"", "", line, 0});
         };
         concurrently(
             [&] {
               engine::current()->load(x, order::plain, {"", "", 1, 0});
               add(2);
             },
             [&] { add(3); });
       }},
      {"a counter that comes round", violation::nondeterminism,
       [] {
         integer x{0};
         x.store(++counter / 3 % 2);
       }},
      {"a counter of turns that ends a thread", violation::nondeterminism,
       [] {
         integer x{0};
         in_threads(2, [&](unsigned i) {
           if (i == 0) return x.store(1);
           wait_three_turns(x);
         });
       }},
      {"a counter of turns that does something else in one of them", violation::nondeterminism,
       [] {
         counter = 0;
         integer x{0}, y{0};
         in_threads(2, [&](unsigned i) {
           if (i == 0) return x.store(1);
           while (x.exchange(0) == 0)
             if (++counter == 3) y.store(1);
         });
       }},
      {"plain data that is polled under a mutex", violation::none,
       [] {
         checked::mutex m;
         checked::plain<bool> ready{false};
         in_threads(2, [&](unsigned i) {
           for (bool done = false; !done;) {
             const std::lock_guard lock(m);
             if (i == 0) ready.set(true);
             done = ready.get();
           }
         });
       }},
      {"another size", violation::nondeterminism,
       [] {
         const integer x{0};
         const std::vector<char> bytes(++counter);
       }},
      {"memory that nobody has written", violation::nondeterminism,
       [] {
         integer x{0};
         const auto p = std::make_unique_for_overwrite<std::uint64_t>();
         x.store(*static_cast<volatile std::uint64_t*>(p.get()));
       }},
      {"an address from malloc", violation::nondeterminism,
       [] {
         checked::atomic<void*> x{nullptr};
         void* const p = std::malloc(40);
         x.store(p);
         std::free(p);
       }},
      {"a requirement that fails once", violation::nondeterminism,
       [] {
         integer x{0};
         x.store(1);
         require(++counter != 1);
       }},
      {"one of two that wait is notified", violation::liveness,
       [] {
         integer x{0};
         in_threads(3, [&](unsigned i) {
           if (i != 0) return x.wait(0);
           x.store(1);
           x.notify_one();
         });
       }},
      {"an assertion before a wait", violation::assertion,
       [] {
         integer x{0};
         engine::current()->fail_later(violation::assertion, "failed", __FILE__, __LINE__);
         while (x.load() == 0) checked::spin_pause();
       }},
      {"a write to an object whose block was freed", violation::use_after_free,
       [] { free_with_object(1)->store(2); }},
      {"a write to an object that began when its block was not the newest",
       violation::use_after_free, [] { free_with_object(1, true)->store(2); }},
      {"a write to the second object of a block that was freed", violation::use_after_free,
       [] {
         integer* const first = free_with_object(1);
         integer* const second = free_with_object(2);
         if (first == second) second->store(3);
       },
       true},
  };
  for (const auto& b : bodies) {
    counter = 0;
    options few;
    few.max_executions = 1000;
    few.reuse_addresses = few.typed_memory = b.typed_memory;
    const result r = check(few, b.body);
    if (found(r) != b.expected)
      return std::string(b.name) + ": " + std::string(to_string(found(r))) + " instead of " +
             std::string(to_string(b.expected));
    if (b.expected != violation::data_race) continue;
    few.replay = r.violation->path;
    if (found(check(few, b.body)) != b.expected)
      return std::string(b.name) + ": its path does not lead there";
  }
  return "";
}

namespace {

constexpr source_location nowhere{"", "", 0, 0};

struct way_of_access {
  const char* name;
  bool plain, writes;
  void (*access)(word);
};

constexpr way_of_access ways_of_access[] = {
    {"a plain read", true, false,
     [](word x) { engine::current()->load(x, order::plain, nowhere); }},
    {"a plain write", true, true,
     [](word x) { engine::current()->store(x, 1, order::plain, nowhere); }},
    {"an atomic read", false, false,
     [](word x) { engine::current()->load(x, order::relaxed, nowhere); }},
    {"an atomic write", false, true,
     [](word x) { engine::current()->store(x, 1, order::relaxed, nowhere); }},
    {"a read-modify-write", false, true,
     [](word x) {
       engine::current()->read_modify_write(x, operation::add, 1, 4, order::relaxed, nowhere);
     }},
};

// After a plain write, two threads access a word. The second one does so only if it has read what
// the first one writes afterwards.
result check_two_accesses(const way_of_access& a, const way_of_access& b, bool ordered,
                          const options& o) {
  return check(o, [&] {
    const word x(engine::current()->declare(nullptr, 4, 0, {}));
    engine::current()->store(x, 0, order::plain, nowhere);
    checked::atomic<int> done{0};
    concurrently(
        [&] {
          a.access(x);
          done.store(1, ordered ? release : relaxed);
        },
        [&] {
          if (done.load(acquire) == 1) b.access(x);
        });
  });
}

}  // namespace

std::string wrong_race_of_two_accesses() {
  options o;
  for (const way_of_access& a : ways_of_access)
    for (const way_of_access& b : ways_of_access)
      for (const bool ordered : {false, true})
        for (const auto& first : {std::vector{0U, 1U, 2U}, std::vector{0U, 2U, 1U}}) {
          const bool race = !ordered && (a.plain || b.plain) && (a.writes || b.writes);
          o.priorities = first;
          o.races_are_outcomes = false;
          const violation seen = found(check_two_accesses(a, b, ordered, o));
          o.races_are_outcomes = true;
          const bool seen_at_the_end = check_two_accesses(a, b, ordered, o).race;
          if (seen == (race ? violation::data_race : violation::none) && seen_at_the_end == race)
            continue;
          return std::string(a.name) + " and " + b.name + (ordered ? "" : ", unordered") + ": " +
                 (race ? "no race" : "a race");
        }
  return "";
}

namespace {

int outside = 0;

}  // namespace

std::string unnoticed_change() {
  options resuming;
  resuming.resume_points = true;
  const auto add_and_look = [](auto&& between) {
    checked::atomic<int> x{0};
    in_threads(3, [&](unsigned) {
      x.fetch_add(1, acq_rel);
      between();
      x.load(relaxed);
    });
  };
  const result statics = check(resuming, [&] {
    add_and_look([] { ++outside; });
    require(outside == 3);
    outside = 0;
  });
  if (statics.from_beginning.find("static variable") == std::string::npos)
    return "a static variable that changes goes unnoticed";
  const result allocates = check(resuming, [&] {
    add_and_look([] {
      void* volatile p = std::malloc(40);
      std::free(p);
    });
  });
  if (allocates.from_beginning.empty()) return "malloc goes unnoticed";
  const auto elsewhere = std::make_unique<int>(0);
  const result heap = check(resuming, [&] {
    *elsewhere = 0;
    add_and_look([&] { ++*elsewhere; });
    require(*elsewhere == 3);
  });
  return heap ? "" : "a violation is believed that does not come from the beginning";
}

}  // namespace fencepost::verify::testing
