// Freed addresses that are reused, by the same thread or by another one; and memory that keeps its
// type.
#include <gmock/gmock.h>

#include <memory>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;
using integer = checked::atomic<int>;
using plain = checked::plain<int>;

options own() {
  options o;
  o.reuse_addresses = true;
  o.check_leaks = false;
  return o;
}

options across() {
  options o = own();
  o.reuse_across_threads = true;
  return o;
}

options typed() {
  options o = across();
  o.typed_memory = true;
  return o;
}

struct block {
  char bytes[200];  // a size that nothing else has
};

// ---- A second release, when the address has another block ----

// Every release of the first block after the first is one too many; by its address alone, it would
// be one of the second block.
void stale_release(bool second_is_released) {
  auto* first = new block;
  block* volatile stale = first;
  delete first;
  auto* second = new block;
  delete stale;
  if (second_is_released) delete second;
}

TEST(stale_release, that_hits_the_block_at_the_same_address_is_a_double_free) {
  for (const bool released : {false, true}) {
    EXPECT_EQ(found_in_every_order([&] { stale_release(released); }, own()),
              violation::double_free);
    EXPECT_EQ(found_in_every_order([&] { stale_release(released); }, across()),
              violation::double_free);
  }
}

TEST(stale_release, of_another_thread_too) {
  EXPECT_EQ(found_in_every_order(
                [] {
                  auto* first = new block;
                  block* volatile stale = first;
                  concurrently([&] { delete first; }, [] { static_cast<void>(new block); });
                  delete stale;
                },
                across()),
            violation::double_free);
}

// ---- Across threads ----

// A stack that trusts addresses: a on top of b. One thread reads the top and what is below, then
// swaps; a second one pops both and releases a; a third one pushes a node of its own.
void aba_of_three() {
  auto* a = new block;
  auto* b = new block;
  checked::atomic<block*> top{a};
  integer popped{0};
  concurrently(
      [&] {
        block* seen = top.load(acquire);
        if (seen == a && top.compare_exchange_strong(seen, b, acq_rel, acquire))
          require(popped.load(relaxed) == 0, "b comes back to the top after it was popped");
      },
      [&] {
        block* seen = a;
        if (!top.compare_exchange_strong(seen, nullptr, acq_rel, acquire)) return;
        popped.store(1, relaxed);
        delete a;
      },
      [&] {
        auto* mine = new block;
        block* none = nullptr;
        static_cast<void>(top.compare_exchange_strong(none, mine, acq_rel, acquire));
      });
}

TEST(reuse_across_threads, is_what_an_aba_of_three_threads_needs) {
  EXPECT_EQ(found_in(&aba_of_three, own()), violation::none);
  EXPECT_EQ(found_in_every_order(&aba_of_three, across()), violation::assertion);
}

TEST(reuse_across_threads, gives_a_block_to_one_thread_only) {
  const auto body = [] {
    const auto* first = new block;
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    delete first;
    std::uintptr_t got[2] = {};
    integer threads{0};
    in_threads(2, [&](unsigned i) {
      got[i] = reinterpret_cast<std::uintptr_t>(new block);
      threads.store(1, relaxed);
    });
    require(got[0] != got[1], "two blocks");
    outcome(got[0] == address, got[1] == address);
  };
  EXPECT_EQ(outcomes_of(across(), body), (std::set<std::string>{"0, 1", "1, 0"}));
  EXPECT_EQ(outcomes_of(own(), body), (std::set<std::string>{"0, 0"})) << "they are main's";
}

// A release happens before the next allocation of the block, and before no other one.
TEST(reuse_across_threads, synchronizes_with_the_release_of_the_block_alone) {
  const auto body = [](bool same_block) {
    auto* first = new block;
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    plain data{0};
    concurrently(
        [&] {
          data.set(1);
          delete first;
        },
        [&] {
          const bool got = reinterpret_cast<std::uintptr_t>(new block) == address;
          if (got == same_block) data.set(2);
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(true); }, across()), violation::none);
  EXPECT_EQ(found_in_every_order([&] { body(false); }, across()), violation::data_race);
}

TEST(reuse_across_threads, does_not_hide_an_access_to_the_earlier_object) {
  struct object {
    plain value{0};
    char bytes[200];
  };
  EXPECT_NE(found_in(
                [] {
                  auto* first = new object;
                  object* volatile stale = first;
                  concurrently([&] { delete first; },
                               [&] {
                                 auto* mine = new object;
                                 mine->value.set(1);
                                 delete mine;
                               },
                               [&] { static_cast<void>(stale->value.get()); });
                },
                across()),
            violation::none);
}

// ---- Memory that keeps its type ----

struct node {
  checked::atomic<node*> next{nullptr};
  checked::atomic<int> key{0};
  char bytes[200];
};

// One thread holds a node that another one has released.
void read_after_release() {
  auto* first = new node;
  checked::atomic<node*> top{first};
  concurrently(
      [&] {
        node* const seen = top.load(acquire);
        if (seen != nullptr) static_cast<void>(seen->next.load(acquire));
      },
      [&] {
        top.store(nullptr, relaxed);
        delete first;
      });
}

TEST(typed_memory, may_be_read_when_it_was_released) {
  EXPECT_EQ(found_in_every_order(&read_after_release, own()), violation::use_after_free);
  EXPECT_EQ(found_in_every_order(&read_after_release, typed()), violation::none);
}

TEST(typed_memory, may_be_compared_and_not_changed) {
  const auto body = [](int expected) {
    auto* first = new node;
    checked::atomic<node*> top{first};
    concurrently(
        [&] {
          if (node* const seen = top.load(acquire)) {
            int key = expected;
            static_cast<void>(seen->key.compare_exchange_strong(key, 7, relaxed, relaxed));
          }
        },
        [&] {
          top.store(nullptr, relaxed);
          delete first;
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(5); }, typed()), violation::none);
  EXPECT_EQ(found_in_every_order([&] { body(0); }, typed()), violation::use_after_free);
}

TEST(typed_memory, may_not_be_written_when_it_was_released) {
  const auto body = [] {
    auto* first = new node;
    node* volatile stale = first;
    delete first;
    stale->key.store(1, relaxed);
  };
  EXPECT_EQ(found_in_every_order(body, typed()), violation::use_after_free);
  EXPECT_THAT(check(typed(), body).violation->message, HasSubstr("memory keeps its type here"));
}

TEST(typed_memory, may_not_be_written_when_the_next_object_may_be_there) {
  EXPECT_EQ(found_in_every_order(
                [] {
                  auto* first = new node;
                  node* volatile stale = first;
                  concurrently([&] { stale->key.store(1, relaxed); },
                               [&] {
                                 delete first;
                                 static_cast<void>(new node);
                               });
                },
                typed()),
            violation::use_after_free);
}

TEST(typed_memory, is_not_for_plain_data) {
  struct with_data {
    plain value{0};
    char bytes[200];
  };
  EXPECT_EQ(found_in_every_order(
                [] {
                  auto* first = new with_data;
                  with_data* volatile stale = first;
                  delete first;
                  static_cast<void>(stale->value.get());
                },
                typed()),
            violation::use_after_free);
}

TEST(typed_memory, is_not_for_objects_on_the_stack) {
  EXPECT_EQ(found_in_every_order(
                [] {
                  alignas(integer) unsigned char place[sizeof(integer)];
                  auto* x = new (place) integer(0);
                  x->~integer();
                  static_cast<void>(x->load());
                },
                typed()),
            violation::use_after_free);
}

// The reader sees the earlier object's value or the next one's, and never anything else.
TEST(typed_memory, shows_the_earlier_value_or_the_next) {
  const auto seen = outcomes_of(typed(), [] {
    auto* first = new node;
    first->key.store(1, relaxed);
    checked::atomic<node*> top{first};
    int key = -1;
    concurrently(
        [&] {
          if (node* const n = top.load(acquire)) key = n->key.load(relaxed);
        },
        [&] {
          top.store(nullptr, relaxed);
          delete first;
          auto* next = new node;
          next->key.store(2, relaxed);
        });
    outcome(key);
  });
  EXPECT_EQ(seen, (std::set<std::string>{"-1", "0", "1", "2"}));
}

// A free list. Without tags, pop() reads the next index of a node that another thread may have
// taken by then, and the compare-exchange does not notice.
template <bool Tags>
struct free_list {
  struct head {
    std::uint32_t index = 0, tag = 0;  // index 0: none
    friend bool operator==(const head&, const head&) = default;
  };
  node* nodes[3] = {nullptr, new node, new node};
  checked::atomic<head> top{head{1, 0}};
  checked::atomic<std::uint32_t> next[3] = {0U, 2U, 0U};

  std::uint32_t pop() {
    head seen = top.load(acquire);
    while (seen.index != 0) {
      const head below{next[seen.index].load(relaxed), seen.tag + (Tags ? 1 : 0)};
      if (top.compare_exchange_strong(seen, below, acq_rel, acquire)) return seen.index;
    }
    return 0;
  }
  void push(std::uint32_t index) {
    head seen = top.load(relaxed);
    do {
      next[index].store(seen.index, relaxed);
    } while (!top.compare_exchange_strong(seen, head{index, seen.tag + (Tags ? 1 : 0)}, acq_rel,
                                          relaxed));
  }
};

template <bool Tags>
void two_users() {
  free_list<Tags> list;
  std::uint32_t kept[3] = {};
  concurrently([&] { kept[0] = list.pop(); },
               [&] {
                 const std::uint32_t first = list.pop();
                 kept[1] = list.pop();
                 if (first != 0) list.push(first);
               });
  kept[2] = list.pop();
  require(kept[0] == 0 || (kept[0] != kept[1] && kept[0] != kept[2]), "a node has one user");
  require(kept[1] == 0 || kept[1] != kept[2], "a node has one user");
}

TEST(typed_memory, a_free_list_needs_tags) {
  EXPECT_EQ(found_in_every_order(&two_users<true>, typed()), violation::none);
  EXPECT_EQ(found_in_every_order(&two_users<false>, typed()), violation::assertion);
}

// As under SLAB_TYPESAFE_BY_RCU: the reader reads, then checks that the object is still the one
// that was meant.
TEST(typed_memory, a_reader_looks_again_whether_the_node_is_still_there) {
  const auto body = [] {
    auto* first = new node;
    first->key.store(1, relaxed);
    checked::atomic<node*> current{first};
    concurrently(
        [&] {
          node* const seen = current.load(acquire);
          const int key = seen->key.load(acquire);
          if (current.load(relaxed) != seen) return;  // what was read may be another object's
          require(key != 0, "a node is whole");
        },
        [&] {
          auto* next = new node;
          next->key.store(2, release);
          current.store(next, release);
          delete first;
          auto* other = new node;  // may be where the first one was
          other->key.store(3, release);
        });
  };
  // If the block is another node's by then, the load may also race with that node's constructor.
  options apart = own();
  apart.reuse_addresses = false;
  EXPECT_EQ(found_in_every_order(body, apart), violation::use_after_free);
  // The key may be what the next node's constructor wrote, which is no release: the second load of
  // `current` may then still be old.
  EXPECT_EQ(found_in_every_order(body, typed()), violation::assertion);
}

}  // namespace
}  // namespace fencepost::verify::testing
