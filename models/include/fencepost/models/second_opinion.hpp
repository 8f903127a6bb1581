// Where another checker's model differs: the smallest program for each rule on which they disagree.
//
// Relacy runs the kit's scenarios too, as a second opinion. It runs an interleaving and lets loads
// read older values: what that cannot show, and where it shows too much, is here, one scenario a
// rule. Each expects what the C++ model says (rc20); docs/second-opinion.md tells what Relacy
// says of it, and why.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace second_opinion_scenarios {

inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto seq_cst = std::memory_order_seq_cst;

template <class P>
struct two_places {
  typename P::template atomic<int> x{0}, y{0};
  std::array<int, 4> seen{};  // an element is written by one thread, and read in after()
};

// ---- modification order is not the order of an interleaving ----

template <class P>
struct stores_cross : two_places<P> {
  static constexpr auto about = scenario{
      .name = "second_opinion/stores_cross",
      .threads = 2,
      .claim =
          "of two pairs of relaxed stores, one second store is last in modification order (2+2W)",
      .expected = violation::assertion};
  void thread(unsigned index) {
    auto& first = index == 0 ? this->x : this->y;
    auto& second = index == 0 ? this->y : this->x;
    first.store(1, relaxed);
    second.store(2, relaxed);
  }
  void after() {
    require(this->x.load(relaxed) == 2 || this->y.load(relaxed) == 2,
            "one of the second stores is last in modification order");
  }
};

template <class P>
struct store_goes_before : two_places<P> {
  static constexpr auto about = scenario{.name = "second_opinion/store_goes_before",
                                         .threads = 2,
                                         .claim =
                                             "a store after a load follows, in modification order, "
                                             "the stores that precede the store it read (S)",
                                         .expected = violation::assertion};
  void thread(unsigned index) {
    if (index == 0) {
      this->x.store(2, relaxed);
      this->y.store(1, relaxed);
    } else {
      this->seen[1] = this->y.load(relaxed);
      this->x.store(1, relaxed);
    }
  }
  void after() {
    require(this->seen[1] == 0 || this->x.load(relaxed) == 1,
            "the later store is last in modification order");
  }
};

template <class P>
struct exchanges_of_the_past : two_places<P> {
  static constexpr auto about = scenario{
      .name = "second_opinion/exchanges_of_the_past",
      .threads = 2,
      .claim =
          "of two relaxed read-modify-writes, each after a store, one observes the other's store",
      .expected = violation::assertion};
  void thread(unsigned index) {
    auto& own = index == 0 ? this->x : this->y;
    auto& other = index == 0 ? this->y : this->x;
    own.store(1, relaxed);
    this->seen[index] = other.fetch_add(2, relaxed);
  }
  void after() { require(this->seen[0] + this->seen[1] != 0, "at least one observes the other"); }
};

template <class P>
struct failed_exchange_of_the_past : two_places<P> {
  static constexpr auto about =
      scenario{.name = "second_opinion/failed_exchange_of_the_past",
               .threads = 2,
               .claim = "the same for two relaxed compare-exchanges that fail",
               .expected = violation::assertion};
  void thread(unsigned index) {
    auto& own = index == 0 ? this->x : this->y;
    auto& other = index == 0 ? this->y : this->x;
    own.store(1, relaxed);
    int expected = 7;
    other.compare_exchange_strong(expected, 8, relaxed, relaxed);
    this->seen[index] = expected;
  }
  void after() { require(this->seen[0] + this->seen[1] != 0, "at least one observes the other"); }
};

// ---- how old a value may be ----

template <class P>
struct three_stores_old : two_places<P> {
  static constexpr auto about =
      scenario{.name = "second_opinion/three_stores_old",
               .threads = 2,
               .claim = "a thread that reads a relaxed flag observes one of three stores before it",
               .expected = violation::assertion};
  void thread(unsigned index) {
    if (index == 0) {
      for (int value = 1; value <= 3; ++value) this->x.store(value, relaxed);
      this->y.store(1, relaxed);
    } else if (this->y.load(relaxed) == 1) {
      require(this->x.load(relaxed) != 0, "one of the three stores is observed");
    }
  }
};

// ---- the single order ----

template <class P>
struct seq_cst_load_of_the_past : two_places<P> {
  static constexpr auto about = scenario{.name = "second_opinion/seq_cst_load_of_the_past",
                                         .threads = 2,
                                         .claim =
                                             "after a relaxed flag is read, a sequentially "
                                             "consistent load observes the store before the flag",
                                         .expected = violation::assertion};
  void thread(unsigned index) {
    if (index == 0) {
      this->x.store(1, seq_cst);
      this->y.store(1, relaxed);
    } else if (this->y.load(relaxed) == 1) {
      require(this->x.load(seq_cst) == 1, "the earlier store is observed");
    }
  }
};

template <class P>
struct acquire_readers_disagree : two_places<P> {
  static constexpr auto about =
      scenario{.name = "second_opinion/acquire_readers_disagree",
               .threads = 4,
               .claim = "two readers whose first loads are acquire ones agree on the order (IRIW)",
               .expected = violation::assertion};
  std::array<int, 4> then{};
  void thread(unsigned index) {
    auto& own = index % 2 == 0 ? this->x : this->y;
    auto& other = index % 2 == 0 ? this->y : this->x;
    if (index < 2) {
      own.store(1, seq_cst);
    } else {
      this->seen[index] = own.load(acquire);
      then[index] = other.load(seq_cst);
    }
  }
  void after() {
    const bool disagree = this->seen[2] == 1 && then[2] == 0 && this->seen[3] == 1 && then[3] == 0;
    require(!disagree, "the readers agree on the order");
  }
};

template <class P>
struct fence_against_accesses : two_places<P> {
  static constexpr auto about = scenario{.name = "second_opinion/fence_against_accesses",
                                         .threads = 2,
                                         .claim =
                                             "of a thread with sequentially consistent accesses "
                                             "and one with a fence, one observes the other (SB)"};
  void thread(unsigned index) {
    if (index == 0) {
      this->x.store(1, seq_cst);
      this->seen[0] = this->y.load(seq_cst);
    } else {
      this->y.store(1, relaxed);
      P::fence(seq_cst);
      this->seen[1] = this->x.load(relaxed);
    }
  }
  void after() { require(this->seen[0] + this->seen[1] != 0, "at least one observes the other"); }
};

// The order of two fences is not happens-before.
template <class P>
struct fences_do_not_synchronize : two_places<P> {
  static constexpr auto about =
      scenario{.name = "second_opinion/fences_do_not_synchronize",
               .threads = 2,
               .claim = "a store before a fence is observed after a later fence",
               .expected = violation::data_race};
  typename P::template plain<int> data{0};
  typename P::template atomic<int> came_first{0};
  void thread(unsigned index) {
    if (index == 0) {
      data.set(1);
      P::fence(seq_cst);
      if (this->y.load(relaxed) == 0) came_first.store(1, relaxed);
    } else {
      this->y.store(1, relaxed);
      P::fence(seq_cst);
      if (came_first.load(relaxed) == 1) data.get();
    }
  }
};

// ---- synchronization ----

template <class P>
struct release_sequence : two_places<P> {
  static constexpr auto about =
      scenario{.name = "second_opinion/release_sequence",
               .threads = 2,
               .claim = "a relaxed store after a release store of the same thread releases too",
               .expected = violation::data_race};
  typename P::template plain<int> data{0};
  void thread(unsigned index) {
    if (index == 0) {
      data.set(1);
      this->x.store(1, release);
      this->x.store(2, relaxed);
    } else if (this->x.load(acquire) == 2) {
      data.get();
    }
  }
};

template <class P>
struct failed_exchange_acquires : two_places<P> {
  static constexpr auto about =
      scenario{.name = "second_opinion/failed_exchange_acquires",
               .threads = 2,
               .claim = "a compare-exchange that releases on success can acquire on failure"};
  typename P::template plain<int> data{0};
  void thread(unsigned index) {
    if (index == 0) {
      data.set(1);
      this->x.store(1, release);
    } else {
      int expected = 0;
      if (!this->x.compare_exchange_strong(expected, 2, release, acquire)) {
        require(data.get() == 1, "the failed compare-exchange acquires the store it read");
      }
    }
  }
};

// ---- objects ----

template <class P>
struct destroyed_after_use : two_places<P> {
  static constexpr auto about =
      scenario{.name = "second_opinion/destroyed_after_use",
               .threads = 2,
               .claim = "an object may be destroyed once a relaxed flag shows that it is unused",
               .expected = violation::use_after_free};
  std::unique_ptr<typename P::template atomic<int>> object =
      std::make_unique<typename P::template atomic<int>>(0);
  void thread(unsigned index) {
    if (index == 0) {
      object->store(1, relaxed);
      this->x.store(1, relaxed);
    } else {
      while (this->x.load(relaxed) == 0) P::spin_pause();
      object.reset();
    }
  }
};

template <class P>
struct used_after_construction {
  static constexpr auto about =
      scenario{.name = "second_opinion/used_after_construction",
               .threads = 2,
               .claim = "an atomic reached through a relaxed pointer has been constructed",
               .expected = violation::data_race};
  using object = typename P::template atomic<int>;
  std::unique_ptr<object> made;
  typename P::template atomic<object*> place{nullptr};
  void thread(unsigned index) {
    if (index == 0) {
      made = std::make_unique<object>(1);
      place.store(made.get(), relaxed);
    } else if (object* const found = place.load(relaxed)) {
      found->load(relaxed);
    }
  }
};

// The checker reuses an address only in a scenario that requests it, as this one does, and only for
// the thread that released it.
template <class P>
struct address_comes_back {
  static constexpr auto about = scenario{.name = "second_opinion/address_comes_back",
                                         .threads = 2,
                                         .claim = "no two objects have the same address",
                                         .expected = violation::assertion,
                                         .reuse_addresses = true};
  using object = typename P::template atomic<int>;
  static std::uintptr_t address_of_one() {
    const auto one = std::make_unique<object>(1);
    const auto address = reinterpret_cast<std::uintptr_t>(one.get());
    return address;
  }
  void thread(unsigned index) {
    if (index == 0) {
      const std::uintptr_t first = address_of_one();
      require(address_of_one() != first, "two objects have different addresses");
    }
  }
};

}  // namespace second_opinion_scenarios

using second_opinion_list = scenario_list<
    second_opinion_scenarios::stores_cross, second_opinion_scenarios::store_goes_before,
    second_opinion_scenarios::exchanges_of_the_past,
    second_opinion_scenarios::failed_exchange_of_the_past,
    second_opinion_scenarios::three_stores_old, second_opinion_scenarios::seq_cst_load_of_the_past,
    second_opinion_scenarios::acquire_readers_disagree,
    second_opinion_scenarios::fence_against_accesses,
    second_opinion_scenarios::fences_do_not_synchronize, second_opinion_scenarios::release_sequence,
    second_opinion_scenarios::failed_exchange_acquires,
    second_opinion_scenarios::destroyed_after_use,
    second_opinion_scenarios::used_after_construction,
    second_opinion_scenarios::address_comes_back>;

}  // namespace fencepost::models
