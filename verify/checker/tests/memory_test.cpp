// Memory: lifetimes, leaks, limits, addresses that are reused.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using plain = checked::plain<int>;
using integer = checked::atomic<int>;

// Hides the pointer from the compiler, which would warn.
template <class T>
T* laundered(T* p) {
  T* volatile hidden = p;
  return hidden;
}

struct node {
  integer shared{0};
  plain own{0};
};

// One thread releases the node that another one may still use.
violation released_while(void (*use)(node&), std::memory_order done) {
  return found_in([=] {
    auto* n = new node;
    integer finished{0};
    concurrently(
        [&] {
          use(*n);
          finished.store(1, done);
        },
        [&] {
          if (finished.load(acquire) == 1) {
            delete n;
            n = nullptr;
          }
        });
    delete n;
  });
}

TEST(use_after_free, through_an_atomic) {
  EXPECT_EQ(released_while([](node& n) { n.shared.store(1); }, relaxed), violation::use_after_free);
  EXPECT_EQ(released_while([](node& n) { static_cast<void>(n.shared.load()); }, relaxed),
            violation::use_after_free);
  EXPECT_EQ(released_while([](node& n) { n.shared.fetch_add(1); }, relaxed),
            violation::use_after_free);
}

TEST(use_after_free, through_plain_data) {
  EXPECT_EQ(released_while([](node& n) { n.own.set(1); }, relaxed), violation::use_after_free);
  EXPECT_EQ(released_while([](node& n) { static_cast<void>(n.own.get()); }, relaxed),
            violation::use_after_free);
}

TEST(use_after_free, not_where_the_use_happens_before_the_release) {
  EXPECT_EQ(released_while([](node& n) { n.shared.store(1); }, release), violation::none);
  EXPECT_EQ(released_while([](node& n) { n.own.set(1); }, release), violation::none);
}

TEST(use_after_free, in_one_thread) {
  EXPECT_EQ(found_in([] {
              auto* n = new node;
              delete laundered(n);
              n->shared.store(1);
            }),
            violation::use_after_free);
  EXPECT_EQ(found_in([] {
              auto* n = new node;
              delete laundered(n);
              static_cast<void>(n->own.get());
            }),
            violation::use_after_free);
}

TEST(use_after_free, of_memory_that_is_released_without_a_destructor) {
  EXPECT_EQ(found_in([] {
              void* raw = ::operator new(sizeof(integer));
              auto* a = new (raw) integer{1};
              ::operator delete(laundered(raw));
              static_cast<void>(a->load());
            }),
            violation::use_after_free);
}

TEST(use_after_free, of_an_object_that_began_in_a_block_which_is_not_the_newest) {
  EXPECT_EQ(found_in([] {
              void* raw = ::operator new(sizeof(integer));
              const integer before{0};
              ::operator delete(laundered(::operator new(sizeof(integer))));
              auto* a = new (raw) integer{1};
              ::operator delete(laundered(raw));
              static_cast<void>(a->load());
            }),
            violation::use_after_free);
}

// Under AddressSanitizer as well, the checker is the one to report it.
TEST(use_after_free, of_an_object_whose_scope_has_ended) {
  EXPECT_EQ(found_in([] {
              checked::atomic<integer*> shared{nullptr};
              checked::thread t([&] {
                integer local{0};
                shared.store(&local);
              });
              if (integer* a = shared.load()) a->store(1);
              t.join();
            }),
            violation::use_after_free);
}

// Whichever of the two was explored last, the other thread's steps are shown as well, and its name
// is given.
TEST(use_after_free, shows_the_access_that_is_not_ordered) {
  const auto body = [] {
    auto* n = new node;
    integer finished{0};
    concurrently(
        [&] {
          n->shared.fetch_add(1, relaxed);
          finished.store(1, relaxed);
        },
        [&] {
          if (finished.load(relaxed) == 1) delete n;
        });
  };
  const result r = check({}, body);
  ASSERT_TRUE(r.violation);
  EXPECT_EQ(r.violation->kind, violation::use_after_free);
  EXPECT_NE(r.violation->message.find("the access to it by thread 1"), std::string::npos)
      << r.violation->message;
  const auto& steps = r.violation->steps;
  EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const step& s) {
    return s.thread == 1 && s.text.starts_with("fetch_add");
  })) << to_text(r);
  EXPECT_EQ(steps.back().kind, step_kind::violation);
}

// The release is on its way when the other thread has taken all its steps but the last.
TEST(use_after_free, shows_what_the_other_threads_did) {
  options o;
  o.priorities = {0, 2, 1};
  o.check_leaks = false;
  const result r = check(o, [] {
    auto* n = new node;
    integer pinned{0};
    concurrently(
        [&] {
          if (pinned.load(relaxed) == 0) delete n;
        },
        [&] {
          pinned.store(1, relaxed);
          n->shared.load(relaxed);
        });
  });
  ASSERT_TRUE(r.violation);
  EXPECT_EQ(r.violation->kind, violation::use_after_free);
  const auto& steps = r.violation->steps;
  EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const step& s) {
    return s.thread == 2 && s.kind == step_kind::load;
  })) << to_text(r);
  EXPECT_EQ(steps.back().kind, step_kind::violation);
}

TEST(double_free, is_found) {
  EXPECT_EQ(found_in([] {
              auto* p = new int(1);
              delete laundered(p);
              delete p;
            }),
            violation::double_free);
}

TEST(double_free, of_two_threads_that_both_believe_to_be_the_last) {
  const auto body = [](bool wrong) {
    integer references{2};
    auto* p = new int(1);
    in_threads(2, [&](unsigned) {
      if (wrong) {
        const int left = references.load() - 1;
        references.store(left);
        if (left == 0) delete p;
      } else if (references.fetch_sub(1) == 1) {
        delete p;
      }
    });
  };
  EXPECT_EQ(found_in([&] { body(false); }), violation::none);
  EXPECT_EQ(found_in([&] { body(true); }), violation::leak) << "both may see two";
  options o;
  o.check_leaks = false;
  EXPECT_EQ(found_in([&] { body(true); }, o), violation::none);
}

TEST(invalid_free, of_an_object_on_the_stack) {
  EXPECT_EQ(found_in([] {
              int local = 0;
              delete laundered(&local);
            }),
            violation::invalid_free);
}

TEST(invalid_free, of_an_object_on_the_stack_of_another_thread) {
  EXPECT_EQ(found_in([] {
              int local = 0;
              checked::thread t([&] { ::operator delete(laundered(&local)); });
              t.join();
            }),
            violation::invalid_free);
}

TEST(invalid_free, of_a_pointer_into_a_block) {
  for (const std::size_t offset : {1U, 4U, 16U, 32U, 48U}) {
    EXPECT_EQ(found_in([=] {
                auto* block = static_cast<char*>(::operator new(64));
                ::operator delete(laundered(block + offset));
              }),
              violation::invalid_free)
        << offset;
  }
}

TEST(leak, of_a_block_that_nobody_releases) {
  const auto body = [] {
    const integer watched{0};
    static_cast<void>(laundered(new int(1)));
  };
  EXPECT_EQ(found_in(body), violation::leak);
  options o;
  o.check_leaks = false;
  EXPECT_EQ(found_in(body, o), violation::none);
}

TEST(leak, in_one_execution_of_many) {
  EXPECT_EQ(found_in([] {
              checked::atomic<int*> slot{nullptr};
              in_threads(2, [&](unsigned i) {
                int* mine = new int(static_cast<int>(i));
                int* expected = nullptr;
                if (!slot.compare_exchange_weak(expected, mine) && expected != nullptr) delete mine;
              });
              delete slot.load();
            }),
            violation::leak)
      << "after a spurious failure the block is forgotten";
}

TEST(leak, names_the_allocation) {
  const result r = check({}, [] {
    delete laundered(new int(0));
    static_cast<void>(laundered(new std::int64_t(1)));
  });
  ASSERT_TRUE(r.violation);
  EXPECT_NE(r.violation->message.find("8 bytes"), std::string::npos) << r.violation->message;
  EXPECT_NE(r.violation->message.find("allocation 2"), std::string::npos) << r.violation->message;
}

TEST(containers, work_in_a_body) {
  const result r = check({}, [] {
    std::vector<int> numbers;
    std::map<std::string, int> names;
    integer x{0};
    std::vector<std::unique_ptr<plain>> own;
    for (int i = 0; i < 10; ++i) {
      numbers.push_back(i);
      names["a key that does not fit into a short string, number " + std::to_string(i)] = i;
      own.push_back(std::make_unique<plain>(i));
    }
    in_threads(2, [&](unsigned i) {
      std::vector<int> mine(100, 1);
      auto text = std::make_shared<std::string>(100, 'x');
      own[i]->set(own[i]->get() + static_cast<int>(mine.size() + text->size()));
      x.fetch_add(own[i]->get());
    });
    require(x.load() == 401 && numbers.size() == 10 && names.size() == 10, "contents");
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 2U);
}

TEST(containers, of_the_test_itself_may_be_used_by_the_body) {
  std::vector<int> seen;
  seen.reserve(100);  // the body's allocations end with the execution
  options o;
  o.repeat = false;  // each execution once
  const result r = check(o, [&] {
    integer x{0};
    in_threads(2, [&](unsigned) { x.fetch_add(1); });
    seen.push_back(x.load());
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(seen, (std::vector<int>{2, 2}));
}

TEST(allocation, is_aligned) {
  struct alignas(64) wide {
    char c[64];
  };
  struct alignas(4096) page {
    char c[4096];
  };
  EXPECT_EQ(found_in([] {
              const integer watched{0};
              const auto aligned = [](const void* p, std::size_t to) {
                require(reinterpret_cast<std::uintptr_t>(p) % to == 0, "aligned");
              };
              for (std::size_t n = 0; n < 40; ++n) {
                const std::unique_ptr<char[]> bytes(new char[n]);
                aligned(bytes.get(), alignof(std::max_align_t));
                const auto one = std::make_unique<wide>();
                aligned(one.get(), 64);
                const auto two = std::make_unique<page>();
                aligned(two.get(), 4096);
                const std::unique_ptr<wide[]> many(new wide[3]);
                aligned(many.get(), 64);
              }
            }),
            violation::none);
}

TEST(allocation, blocks_do_not_overlap) {
  for (const bool reuse : {false, true}) {
    options o;
    o.reuse_addresses = reuse;
    EXPECT_EQ(
        found_in(
            [] {
              const integer watched{0};
              std::vector<std::unique_ptr<std::string>> all;
              for (unsigned i = 0; i < 60; ++i) {
                all.push_back(std::make_unique<std::string>(i * 7 % 50, static_cast<char>(i)));
                if (i % 3 == 2) all.erase(all.begin() + i / 3);
              }
              for (const auto& text : all)
                for (const char c : *text) require(c == text->front(), "nobody else wrote here");
            },
            o),
        violation::none);
  }
}

TEST(allocation, is_at_the_same_address_in_every_run) {
  EXPECT_EQ(found_in([] {
              checked::atomic<int*> x{nullptr};
              int* own[2] = {};
              in_threads(2, [&](unsigned i) {
                own[i] = new int;
                x.exchange(own[i]);
                static_cast<void>(x.load());
              });
              delete own[0];
              delete own[1];
            }),
            violation::none);
}

TEST(allocation, ends_at_the_limit) {
  options o;
  o.memory_size = 1 << 20;
  const result r = check(o, [] {
    for (;;) static_cast<void>(laundered(new char[1000]));
  });
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_NE(r.limit.find("memory_size"), std::string::npos) << r.limit;
}

TEST(allocation, that_could_never_fit_is_refused) {
  const result r = check({}, [] { static_cast<void>(laundered(new char[std::size_t{1} << 40])); });
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_NE(r.limit.find("memory_size"), std::string::npos) << r.limit;
}

TEST(allocation, within_the_limit_is_possible_in_every_thread) {
  EXPECT_EQ(found_in([] {
              const integer watched{0};
              in_threads(3, [](unsigned) {
                std::vector<char> large(std::size_t{32} << 20);
                large.back() = 1;
              });
            }),
            violation::none);
}

// The length of an array is stored before it, where AddressSanitizer, with clang++, allows no
// access.
TEST(memory, arrays_are_made_anew_in_each_execution) {
  for (const bool reuse : {false, true}) {
    options o;
    o.reuse_addresses = reuse;
    const auto body = [] {
      for (int turn = 0; turn < 2; ++turn) {
        const auto items = std::make_unique<integer[]>(4);
        concurrently([&] { items[3].store(1, relaxed); }, [&] { items[3].store(2, relaxed); });
      }
      // One of these blocks has the array's address, if addresses are reused.
      for (std::size_t size = 8; size <= 256; size += 8) {
        const std::vector<char> other(size);
        require(other.front() == 0, "as constructed");
      }
    };
    EXPECT_EQ(found_in(body, o), violation::none) << reuse;
  }
}

// A stack that trusts addresses: a on top of b. The first thread reads the top and what is below
// it, and then swaps; meanwhile the second one pops both, releases a, and pushes a new node. If
// that has a's address, the first thread makes b the top, which was popped long ago.
void aba() {
  struct link {};
  auto* a = new link;
  auto* b = new link;
  checked::atomic<link*> top{a};
  integer popped{0};
  concurrently(
      [&] {
        link* seen = top.load(acquire);
        if (seen == a && top.compare_exchange_strong(seen, b, acq_rel, acquire))
          require(popped.load(relaxed) == 0, "b comes back to the top after it was popped");
      },
      [&] {
        link* seen = a;
        if (!top.compare_exchange_strong(seen, b, acq_rel, acquire)) return;
        seen = b;
        if (!top.compare_exchange_strong(seen, nullptr, acq_rel, acquire)) return;
        popped.store(1, relaxed);
        delete a;
        top.store(new link, release);
      });
}

TEST(address_reuse, aba_is_found_only_on_request) {
  options o;
  o.check_leaks = false;
  EXPECT_EQ(found_in(aba, o), violation::none);
  o.reuse_addresses = true;
  EXPECT_EQ(found_in(aba, o), violation::assertion);
}

TEST(address_reuse, an_access_to_the_earlier_object_at_an_address_is_still_found) {
  options o;
  o.reuse_addresses = true;
  EXPECT_EQ(found_in(
                [] {
                  auto* first = new node;
                  node& gone = *laundered(first);
                  delete first;
                  const auto second = std::make_unique<plain>(0);
                  const auto third = std::make_unique<std::string>(sizeof(node) - 1, 'x');
                  static_cast<void>(gone.own.get());
                },
                o),
            violation::use_after_free);
}

}  // namespace
}  // namespace fencepost::verify::testing
