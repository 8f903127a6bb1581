// Structures that functions return or that are passed by value.
// The first argument names the case.
#include <cassert>
#include <chrono>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "named_program.hpp"

namespace {

template <int Size>
struct sized {
  char bytes[Size];
};
template <int Size>
struct shared {
  static inline sized<Size> value;
  static sized<Size> made() { return {{1}}; }
  static void taken([[maybe_unused]] sized<Size> s) { assert(s.bytes[0] < 2); }
};
// For each size, since it decides whether they are returned and passed in registers or in memory.
template <int Size>
void returned_beside_a_read() {
  both([] { shared<Size>::value = shared<Size>::made(); },
       [] { assert(shared<Size>::value.bytes[0] < 2); });
}
template <int Size>
void passed_beside_a_write() {
  both([] { shared<Size>::taken(shared<Size>::value); }, [] { shared<Size>::value.bytes[0] = 1; });
}

struct point {
  double x, y;
  long number;
};
point made(long number) { return {1, 2, number}; }
void taken([[maybe_unused]] point p) { assert(p.number == 0 || p.number == 1); }
point made_or_not(bool no) {
  if (no) throw std::runtime_error("none");
  return made(1);
}

point one;
point* const some_point = &one;
struct {
  int first;
  point inner[2];
} outer;

void returned_through_a_pointer() {
  both([] { *some_point = made(1); }, [] { taken(point{0, 0, one.number}); });
}
void returned_into_a_member() {
  both([] { outer.inner[1] = made(1); }, [] { taken({0, 0, outer.inner[1].number}); });
}
void returned_beside_another_member() {
  both([] { outer.inner[1] = made(1); }, [] { outer.inner[0] = made(1); });
  assert(outer.inner[0].number == 1 && outer.inner[1].number == 1);
}
void returned_in_place() {
  alignas(point) static unsigned char bytes[sizeof(point)];
  both([] { new (bytes) point(made(1)); }, [] { bytes[sizeof(point) - 1] = 0; });
}
void returned_where_it_may_throw() {
  both(
      [] {
        try {
          one = made_or_not(false);
        } catch (const std::exception&) {
          assert(false);
        }
      },
      [] {
        taken({0, 0, one.number});
      });
}
void kept_where_it_may_throw() {
  try {
    one = made_or_not(false);
  } catch (const std::exception&) {
    assert(false);
  }
  assert(one.number == 1);
}
void nothing_is_returned_by_what_throws() {
  both(
      [] {
        try {
          one = made_or_not(true);
          assert(false);
        } catch (const std::exception&) {
        }
      },
      [] { taken(one); });
}
void returned_under_a_lock() {
  static std::mutex m;
  both(
      [] {
        const std::lock_guard hold(m);
        one = made_or_not(false);
      },
      [] {
        const std::lock_guard hold(m);
        taken(one);
      });
  assert(one.number == 1);
}
void returned_into_a_variable_of_another() {
  point local{};
  std::thread other([&] { local = made(1); });
  taken(local);
  other.join();
}
void returned_into_own_variable() {
  point local = made(0);
  std::thread other([&] { taken(local); });
  local = made(1);
  other.join();
}
void returned_by_what_a_pointer_names() {
  static point (*volatile f)(long) = made;
  both([] { one = f(1); }, [] { one.number = 1; });
}
void passed_to_a_constructor() {
  struct taker {
    explicit taker(point p) : number(p.number) {}
    long number;
  };
  both([] { assert(taker(one).number < 2); }, [] { one.number = 1; });
}

// An empty structure has no data, but another member may have its address.
struct empty {};
struct with_empty {
  [[no_unique_address]] empty none;
  char one = 0;
} holder;
empty (*volatile nothing)() = [] { return empty(); };
void (*volatile takes_nothing)(empty) = [](empty) {};
void returned_and_empty() {
  both([] { holder.none = nothing(); }, [] { holder.one = 1; });
  assert(holder.one == 1);
}
void passed_and_empty() {
  both([] { takes_nothing(holder.none); }, [] { holder.one = 1; });
}

// Structures of the standard library.
void time_point() {
  static std::chrono::steady_clock::time_point last;
  both([] { last = std::chrono::steady_clock::now(); }, [] { last = {}; });
}
void thread_id() {
  static std::thread::id owner;
  both([] { owner = std::this_thread::get_id(); },
       [] { assert(owner != std::this_thread::get_id()); });
}
void iterator() {
  static std::vector<int> numbers{1, 2};
  static std::vector<int>::iterator at;
  both([] { at = numbers.begin(); }, [] { at = numbers.end(); });
}

// Its constructor is called: it is not copied bit by bit.
std::string text(const char* t) { return t; }
void returned_with_a_constructor() {
  std::string own = text("short");
  std::thread other([&] { assert(own == "short"); });
  other.join();
  own = text("other");
  assert(own == "other" && text("x") == std::string("x"));
}

constexpr named all[] = {
    {"returned_3", returned_beside_a_read<3>},
    {"returned_4", returned_beside_a_read<4>},
    {"returned_8", returned_beside_a_read<8>},
    {"returned_12", returned_beside_a_read<12>},
    {"returned_16", returned_beside_a_read<16>},
    {"returned_100", returned_beside_a_read<100>},
    {"passed_3", passed_beside_a_write<3>},
    {"passed_4", passed_beside_a_write<4>},
    {"passed_8", passed_beside_a_write<8>},
    {"passed_12", passed_beside_a_write<12>},
    {"passed_16", passed_beside_a_write<16>},
    {"passed_100", passed_beside_a_write<100>},
    FENCEPOST_NAMED(returned_through_a_pointer),
    FENCEPOST_NAMED(returned_into_a_member),
    FENCEPOST_NAMED(returned_beside_another_member),
    FENCEPOST_NAMED(returned_in_place),
    FENCEPOST_NAMED(returned_where_it_may_throw),
    FENCEPOST_NAMED(kept_where_it_may_throw),
    FENCEPOST_NAMED(nothing_is_returned_by_what_throws),
    FENCEPOST_NAMED(returned_under_a_lock),
    FENCEPOST_NAMED(returned_into_a_variable_of_another),
    FENCEPOST_NAMED(returned_into_own_variable),
    FENCEPOST_NAMED(returned_by_what_a_pointer_names),
    FENCEPOST_NAMED(passed_to_a_constructor),
    FENCEPOST_NAMED(returned_and_empty),
    FENCEPOST_NAMED(passed_and_empty),
    FENCEPOST_NAMED(time_point),
    FENCEPOST_NAMED(thread_id),
    FENCEPOST_NAMED(iterator),
    FENCEPOST_NAMED(returned_with_a_constructor),
};

}  // namespace

int main(int argc, char** argv) { return run_named(all, argc, argv); }
