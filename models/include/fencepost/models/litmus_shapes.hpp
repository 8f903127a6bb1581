// The classic litmus tests of weak memory as scenarios, each with its telling outcomes.
//
// They claim nothing about the kit. On real threads they run first: the outcomes marked interesting
// are those of weak memory, and which of them a machine shows tells what everything else that runs
// on it is evidence for. The checker reaches each of these outcomes too, except that of load
// buffering.
//
// Names and shapes are those of the literature: J. Alglave, L. Maranget, S. Sarkar, P. Sewell,
// "Litmus: running tests against hardware" (TACAS 2011).
#pragma once

#include <array>
#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace litmus_shapes {

inline constexpr auto relaxed = std::memory_order_relaxed;

// A location on cache lines of its own; two lines, since processors may fetch them in pairs.
template <class P>
class place {
 public:
  void store(int value, std::memory_order order = relaxed) { value_.store(value, order); }
  int load(std::memory_order order = relaxed) const { return value_.load(order); }

 private:
  alignas(128) typename P::template atomic<int> value_{0};
};

template <class P>
struct two_places {
  place<P> x, y;
  place<P>& own(unsigned thread) { return thread % 2 == 0 ? x : y; }
  place<P>& other(unsigned thread) { return own(thread + 1); }
  // The values that each thread has read, for after().
  struct alignas(128) row {
    int first = 0, second = 0;
  };
  std::array<row, 4> read{};
};

inline constexpr known_outcome store_buffering[] = {
    {"0, 0", expect::interesting, "SB: both loads were reordered before the stores"},
    {"0, 1"},
    {"1, 0"},
    {"1, 1"}};

template <class P>
struct sb : two_places<P> {
  static constexpr auto about =
      scenario{.name = "litmus/sb",
               .threads = 2,
               .claim = "store buffering: each thread writes one location and reads the other",
               .outcomes = store_buffering};
  void thread(unsigned index) {
    this->own(index).store(1);
    this->read[index].first = this->other(index).load();
  }
  void after() { outcome(this->read[0].first, this->read[1].first); }
};

// The controls: outcomes that fences or sequentially consistent accesses forbid appear nowhere,
// unless a compiler, a processor or an emulator has a fault.
inline constexpr known_outcome no_store_buffering[] = {
    {"0, 0", expect::forbidden, "SB, which these orders forbid"}, {"0, 1"}, {"1, 0"}, {"1, 1"}};

template <class P>
struct sb_fences : two_places<P> {
  static constexpr auto about =
      scenario{.name = "litmus/sb_fences",
               .threads = 2,
               .claim = "store buffering with a sequentially consistent fence in each thread",
               .outcomes = no_store_buffering};
  void thread(unsigned index) {
    this->own(index).store(1);
    P::fence(std::memory_order_seq_cst);
    this->read[index].first = this->other(index).load();
  }
  void after() { outcome(this->read[0].first, this->read[1].first); }
};

template <class P>
struct sb_accesses : two_places<P> {
  static constexpr auto about =
      scenario{.name = "litmus/sb_accesses",
               .threads = 2,
               .claim = "store buffering with sequentially consistent stores and loads",
               .outcomes = no_store_buffering};
  void thread(unsigned index) {
    // seq_cst: the test is whether all four of them are in a single order.
    this->own(index).store(1, std::memory_order_seq_cst);
    this->read[index].first = this->other(index).load(std::memory_order_seq_cst);
  }
  void after() { outcome(this->read[0].first, this->read[1].first); }
};

inline constexpr known_outcome message_passing[] = {
    {"0, 0"},
    {"0, 1"},
    {"1, 0", expect::interesting, "MP: the flag is observed, but not the message before it"},
    {"1, 1"}};

template <class P>
struct mp : two_places<P> {
  static constexpr auto about =
      scenario{.name = "litmus/mp",
               .threads = 2,
               .claim = "message passing: a message and a flag, read in the opposite order",
               .outcomes = message_passing};
  void thread(unsigned index) {
    if (index == 0) {
      this->x.store(1);
      this->y.store(1);
    } else {
      this->read[1].first = this->y.load();
      this->read[1].second = this->x.load();
    }
  }
  void after() { outcome(this->read[1].first, this->read[1].second); }
};

inline constexpr known_outcome load_buffering[] = {
    {"0, 0"},
    {"0, 1"},
    {"1, 0"},
    {"1, 1", expect::interesting,
     "LB: both stores overtake the loads before them; C++ allows it, and the checker does not "
     "explore it"}};

template <class P>
struct lb : two_places<P> {
  static constexpr auto about =
      scenario{.name = "litmus/lb",
               .threads = 2,
               .claim = "load buffering: each thread reads one location, then writes the other",
               .outcomes = load_buffering};
  void thread(unsigned index) {
    this->read[index].first = this->own(index).load();
    this->other(index).store(1);
  }
  void after() { outcome(this->read[0].first, this->read[1].first); }
};

inline constexpr known_outcome coherence[] = {
    {"0, 0"}, {"0, 1"}, {"1, 0", expect::forbidden, "CoRR: the location goes backwards"}, {"1, 1"}};

template <class P>
struct corr : two_places<P> {
  static constexpr auto about =
      scenario{.name = "litmus/corr",
               .threads = 2,
               .claim = "coherence: two reads of one location never go backwards, on any machine",
               .outcomes = coherence};
  void thread(unsigned index) {
    if (index == 0) {
      this->x.store(1);
    } else {
      this->read[1].first = this->x.load();
      this->read[1].second = this->x.load();
    }
  }
  void after() { outcome(this->read[1].first, this->read[1].second); }
};

inline constexpr known_outcome independent_reads[] = {
    {"0, 0, 0, 0"},
    {"0, 0, 0, 1"},
    {"0, 0, 1, 0"},
    {"0, 0, 1, 1"},
    {"0, 1, 0, 0"},
    {"0, 1, 0, 1"},
    {"0, 1, 1, 0"},
    {"0, 1, 1, 1"},
    {"1, 0, 0, 0"},
    {"1, 0, 0, 1"},
    {"1, 0, 1, 0", expect::interesting, "IRIW: the readers disagree on which store came first"},
    {"1, 0, 1, 1"},
    {"1, 1, 0, 0"},
    {"1, 1, 0, 1"},
    {"1, 1, 1, 0"},
    {"1, 1, 1, 1"}};

template <class P>
struct iriw : two_places<P> {
  static constexpr auto about =
      scenario{.name = "litmus/iriw",
               .threads = 4,
               .claim = "independent reads of independent writes: two writers, two readers",
               .outcomes = independent_reads};
  void thread(unsigned index) {
    if (index < 2) {
      this->own(index).store(1);
    } else {
      this->read[index].first = this->own(index).load();
      this->read[index].second = this->other(index).load();
    }
  }
  void after() {
    outcome(this->read[2].first, this->read[2].second, this->read[3].first, this->read[3].second);
  }
};

inline constexpr known_outcome stores_that_cross[] = {
    {"1, 1", expect::interesting,
     "2+2W: at both locations the first store is last in modification order"},
    {"1, 2"},
    {"2, 1"},
    {"2, 2"}};

template <class P>
struct two_two_w : two_places<P> {
  static constexpr auto about =
      scenario{.name = "litmus/2_2w",
               .threads = 2,
               .claim = "two threads write both locations, in opposite orders",
               .outcomes = stores_that_cross};
  void thread(unsigned index) {
    this->own(index).store(1);
    this->other(index).store(2);
  }
  void after() { outcome(this->x.load(), this->y.load()); }
};

inline constexpr known_outcome store_after_load[] = {
    {"0, 1"},
    {"0, 2"},
    {"1, 1"},
    {"1, 2", expect::interesting,
     "S: a store precedes, in modification order, the store whose successor was read"}};

template <class P>
struct s : two_places<P> {
  static constexpr auto about = scenario{.name = "litmus/s",
                                         .threads = 2,
                                         .claim =
                                             "a store after a load follows, in modification order, "
                                             "the stores that precede the store it read",
                                         .outcomes = store_after_load};
  void thread(unsigned index) {
    if (index == 0) {
      this->x.store(2);
      this->y.store(1);
    } else {
      this->read[1].first = this->y.load();
      this->x.store(1);
    }
  }
  void after() { outcome(this->read[1].first, this->x.load()); }
};

inline constexpr known_outcome load_after_store[] = {
    {"0, 1"},
    {"0, 2", expect::interesting,
     "R: the last store to one location, and a stale value of the other"},
    {"1, 1"},
    {"1, 2"}};

template <class P>
struct r : two_places<P> {
  static constexpr auto about = scenario{.name = "litmus/r",
                                         .threads = 2,
                                         .claim =
                                             "a thread whose store is later in modification order "
                                             "than another observes what precedes the other",
                                         .outcomes = load_after_store};
  void thread(unsigned index) {
    if (index == 0) {
      this->x.store(1);
      this->y.store(1);
    } else {
      this->y.store(2);
      this->read[1].first = this->x.load();
    }
  }
  void after() { outcome(this->read[1].first, this->y.load()); }
};

inline constexpr known_outcome write_to_read[] = {
    {"0, 0, 0"},
    {"0, 0, 1"},
    {"0, 1, 0"},
    {"0, 1, 1"},
    {"1, 0, 0"},
    {"1, 0, 1"},
    {"1, 1, 0", expect::interesting,
     "WRC: a thread misses a store observed by a thread that it observed"},
    {"1, 1, 1"}};

template <class P>
struct wrc : two_places<P> {
  static constexpr auto about = scenario{.name = "litmus/wrc",
                                         .threads = 3,
                                         .claim =
                                             "write-to-read causality: a store, a thread that "
                                             "observed it, and one that observed that thread",
                                         .outcomes = write_to_read};
  void thread(unsigned index) {
    if (index == 0) {
      this->x.store(1);
    } else if (index == 1) {
      this->read[1].first = this->x.load();
      this->y.store(1);
    } else {
      this->read[2].first = this->y.load();
      this->read[2].second = this->x.load();
    }
  }
  void after() { outcome(this->read[1].first, this->read[2].first, this->read[2].second); }
};

}  // namespace litmus_shapes

using litmus_shapes_list =
    scenario_list<litmus_shapes::sb, litmus_shapes::mp, litmus_shapes::lb, litmus_shapes::corr,
                  litmus_shapes::iriw, litmus_shapes::two_two_w, litmus_shapes::s, litmus_shapes::r,
                  litmus_shapes::wrc, litmus_shapes::sb_fences, litmus_shapes::sb_accesses>;

}  // namespace fencepost::models
