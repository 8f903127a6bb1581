// The graph of a counterexample, and its explanation.
#include <gmock/gmock.h>

#include "fencepost/verify/report.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::size_t count(const execution& e, relation kind) {
  return static_cast<std::size_t>(
      std::count_if(e.edges.begin(), e.edges.end(), [&](const edge& x) { return x.kind == kind; }));
}

// A message of plain data, handed over with these orders.
auto message(std::memory_order sends, std::memory_order receives) {
  return [=] {
    checked::atomic<int> ready{0};
    checked::plain<int> data{0};
    concurrently(
        [&] {
          data.set(42);
          ready.store(1, sends);
        },
        [&] {
          if (ready.load(receives) == 1) require(data.get() == 42);
        });
  };
}

TEST(diagnosis, a_race_names_the_store_that_is_no_release) {
  EXPECT_THAT(what_went_wrong(shortest_counterexample_in(message(relaxed, acquire))),
              AllOf(HasSubstr("thread 2 read ready = 1 (#"), HasSubstr(" is not a release"),
                    Not(HasSubstr("acquire")), HasSubstr("its read of data (#"),
                    HasSubstr("is not ordered after the write by "
                              "thread 1 at diagnosis_test.cpp")));
}

TEST(diagnosis, a_race_names_the_load_that_is_no_acquire) {
  EXPECT_THAT(what_went_wrong(shortest_counterexample_in(message(release, relaxed))),
              AllOf(HasSubstr(" is not an acquire"), Not(HasSubstr("is not a release"))));
}

TEST(diagnosis, a_race_names_both) {
  EXPECT_THAT(what_went_wrong(shortest_counterexample_in(message(relaxed, relaxed))),
              AllOf(HasSubstr("is not a release"), HasSubstr("is not an acquire")));
}

TEST(diagnosis, a_race_of_threads_that_share_nothing_else) {
  const counterexample c = shortest_counterexample_in([] {
    checked::plain<int> data{0};
    concurrently([&] { data.set(1); }, [&] { data.set(2); });
  });
  EXPECT_THAT(what_went_wrong(c), HasSubstr("has read nothing before"));
}

TEST(diagnosis, an_old_value_names_the_write_that_was_missed_and_the_link) {
  const counterexample c = shortest_counterexample_in([] {
    checked::atomic<int> data{0};
    checked::atomic<int> ready{0};
    concurrently(
        [&] {
          data.store(42, relaxed);
          ready.store(1, release);
        },
        [&] {
          if (ready.load(relaxed) == 1) require(data.load(relaxed) == 42, "the message is whole");
        });
  });
  EXPECT_THAT(what_went_wrong(c),
              AllOf(HasSubstr("thread 2 read data = 0 (#"), HasSubstr("its initial value"),
                    HasSubstr("not ordered after the store by thread 1 at diagnosis_test.cpp"),
                    HasSubstr("thread 2 read ready = 1"), HasSubstr("is not an acquire")));
}

// Two threads each write one location and read the other.
void store_buffering() {
  checked::atomic<int> x{0};
  checked::atomic<int> y{0};
  int a = 1;
  int b = 1;
  concurrently(
      [&] {
        x.store(1, release);
        a = y.load(acquire);
      },
      [&] {
        y.store(1, release);
        b = x.load(acquire);
      });
  require(a == 1 || b == 1, "one of them sees the other");
}

TEST(diagnosis, a_notification_is_no_release) {
  const counterexample c = counterexample_in([] {
    checked::mutex m;
    checked::condition_variable changed;
    checked::atomic<int> ready{0};
    checked::thread other([&] {
      ready.store(1, release);
      changed.notify_one();
    });
    {
      std::unique_lock lock(m);
      while (ready.load(acquire) == 0) changed.wait(lock);
    }
    other.join();
  });
  EXPECT_THAT(what_went_wrong(c),
              AllOf(HasSubstr("main read ready = 0 (#"), HasSubstr(": main was woken (#"),
                    HasSubstr(") by the notification at diagnosis_test.cpp"),
                    HasSubstr(", and a notification synchronizes with nothing.")));
}

TEST(diagnosis, store_buffering_lacks_a_fence_in_each_thread) {
  const std::string words = what_went_wrong(shortest_counterexample_in(store_buffering));
  EXPECT_THAT(words, AllOf(HasSubstr("read y = 0"), HasSubstr("read x = 0"),
                           HasSubstr("there is no sequentially consistent fence between #"),
                           HasSubstr(", and between #")));
}

TEST(diagnosis, two_writes_each_against_modification_order) {
  const counterexample c = shortest_counterexample_in([] {
    checked::atomic<int> x{0};
    checked::atomic<int> y{0};
    concurrently(
        [&] {
          x.store(1, relaxed);
          y.store(2, relaxed);
        },
        [&] {
          y.store(1, relaxed);
          x.store(2, relaxed);
        });
    require(x.load(relaxed) != 1 || y.load(relaxed) != 1, "one of them comes last");
  });
  EXPECT_THAT(what_went_wrong(c),
              HasSubstr("contradict program order in their modification order"));
}

TEST(diagnosis, an_interleaving_is_not_blamed_on_a_memory_order) {
  const counterexample c = shortest_counterexample_in([] {
    checked::atomic<int> counter{0};
    in_threads(2, [&](unsigned) { counter.store(counter.load(relaxed) + 1, relaxed); });
    require(counter.load(relaxed) == 2, "nothing is lost");
  });
  EXPECT_THAT(what_went_wrong(c), HasSubstr("This is an interleaving"));
}

struct node {
  checked::atomic<int> shared{0};
};

TEST(diagnosis, an_end_of_life_names_the_access_and_the_link) {
  for (const bool fenced : {false, true}) {
    const counterexample c = shortest_counterexample_in([=] {
      auto* n = new node;
      checked::atomic<int> finished{0};
      concurrently(
          [&] {
            if (fenced) checked::fence(release);
            n->shared.fetch_add(1, relaxed);
            finished.store(1, relaxed);
          },
          [&] {
            if (finished.load(acquire) == 1) delete n;
          });
    });
    EXPECT_EQ(c.kind, violation::use_after_free);
    EXPECT_THAT(what_went_wrong(c),
                AllOf(HasSubstr("thread 2 read finished = 1 (#"), HasSubstr(" is not a release"),
                      Not(HasSubstr("acquire")), HasSubstr("so its destruction of shared (#"),
                      HasSubstr("is not ordered after the fetch_add by thread 1 at "
                                "diagnosis_test.cpp")));
  }
}

// The write that is read is itself the access, so no fence before it orders it.
TEST(diagnosis, an_end_of_life_after_the_last_of_several_references) {
  const std::string words = what_went_wrong(shortest_counterexample_in([] {
    auto* n = new node;
    in_threads(2, [&](unsigned) {
      checked::fence(release);
      if (n->shared.fetch_add(1, relaxed) == 1) delete n;
    });
  }));
  EXPECT_THAT(words,
              AllOf(HasSubstr(" is not a release, and #"), HasSubstr("destruction of shared")));
}

// Returns the explanation for two threads that share nothing else, preferred in the given order.
std::string of_threads_that_share_nothing_else(std::vector<unsigned> order) {
  options o;
  o.priorities = std::move(order);
  const result r = check(o, [] {
    auto* n = new node;
    checked::atomic<int> looks{0};
    concurrently(
        [&] {
          looks.store(1, relaxed);
          n->shared.load(relaxed);
        },
        [&] {
          looks.load(relaxed);
          delete n;
        });
  });
  EXPECT_TRUE(r.violation && r.violation->kind == violation::use_after_free) << to_text(r);
  return r.violation ? what_went_wrong(*r.violation) : "";
}

TEST(diagnosis, an_end_of_life_that_waits_for_nobody) {
  EXPECT_THAT(of_threads_that_share_nothing_else({0, 1, 2}),
              AllOf(HasSubstr("thread 2 has read nothing before #"),
                    HasSubstr("its destruction of shared (#"),
                    HasSubstr("is not ordered after the read by thread 1 at diagnosis_test.cpp")));
}

TEST(diagnosis, an_access_to_what_is_gone_names_what_the_other_knew) {
  EXPECT_THAT(of_threads_that_share_nothing_else({0, 2, 1}),
              AllOf(HasSubstr("thread 2 ends the object's lifetime (#"),
                    HasSubstr(") and has read nothing that thread 1 wrote"),
                    HasSubstr("thread 1 was still to access the object (#"),
                    HasSubstr("This is an interleaving")));
}

TEST(diagnosis, one_thread_alone_has_nothing_to_be_ordered_with) {
  const counterexample c = shortest_counterexample_in([] {
    checked::atomic<int> x{0};
    x.store(1, relaxed);
    require(x.load(relaxed) == 0, "a claim that is wrong");
  });
  EXPECT_THAT(what_went_wrong(c), IsEmpty());
}

TEST(diagnosis, the_graph_has_every_relation) {
  const counterexample c = shortest_counterexample_in(store_buffering);
  // Each thread is created and joined.
  EXPECT_EQ(count(c, relation::synchronizes_with), 4u);
  EXPECT_EQ(count(c, relation::reads_from), 0u);
  EXPECT_EQ(count(c, relation::from_read), 2u);
  EXPECT_EQ(count(c, relation::modification_order), 0u);
  for (const edge& e : c.edges) {
    ASSERT_LT(e.from, c.steps.size());
    ASSERT_LT(e.to, c.steps.size());
    if (e.kind == relation::from_read) {
      EXPECT_EQ(c.steps[e.from].location, e.location);
      EXPECT_EQ(c.steps[e.to].location, e.location);
    }
  }
}

TEST(diagnosis, a_release_that_an_acquire_reads_is_an_edge_and_a_relaxed_one_is_not) {
  for (const auto order : {release, relaxed}) {
    const counterexample c = shortest_counterexample_in([=] {
      checked::atomic<int> x{0};
      concurrently([&] { x.store(1, order); },
                   [&] { require(x.load(acquire) == 0, "a claim that is wrong"); });
    });
    EXPECT_EQ(count(c, relation::reads_from), 1u);
    const bool synchronizes = std::any_of(c.edges.begin(), c.edges.end(), [&](const edge& e) {
      return e.kind == relation::synchronizes_with && c.steps[e.from].kind == step_kind::store &&
             c.steps[e.to].kind == step_kind::load;
    });
    EXPECT_EQ(synchronizes, order == release);
  }
}

class one_label final : public place_names {
 public:
  explicit one_label(source_location where) : where_(where) {}
  std::string label_at(const source_location& where) const override {
    return where == where_ ? "look" : "";
  }

 private:
  source_location where_;
};

TEST(diagnosis, places_are_cited_by_label_or_function_where_lines_would_change) {
  const counterexample late = shortest_counterexample_in([] {
    auto* x = new checked::atomic<int>(0);
    concurrently([&] { x->load(relaxed); }, [&] { delete x; });
  });
  const one_label names(late.where);
  text_style style;
  style.places = &names;
  EXPECT_THAT(to_text(late, style),
              AllOf(HasSubstr("diagnosis_test.cpp:look, in a lambda"),
                    HasSubstr("diagnosis_test.cpp:look: concurrently("),
                    HasSubstr("lifetime ended in concurrently() of programs.hpp or right"),
                    HasSubstr("programs.hpp concurrently: "), Not(ContainsRegex("pp:[0-9]"))));
  EXPECT_THAT(to_text(late), ContainsRegex("lifetime ended at programs.hpp:[0-9]+ or right"));
}

}  // namespace
}  // namespace fencepost::verify::testing
