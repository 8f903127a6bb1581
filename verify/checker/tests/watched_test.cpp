// What a verdict says of the objects that were watched, and bodies in which there were none.
#include <atomic>

#include "fencepost/verify/report.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

// A structure whose payload is plain data. If `Payload` is int, its races go unnoticed.
template <template <class> class Atomic, class Payload>
struct mailbox {
  Payload message{0};
  Atomic<int> full{0};
};
template <class T>
using unchecked_atomic = std::atomic<T>;
template <class T>
using checked_atomic = checked::atomic<T>;

TEST(watched, how_many_atomics_and_plain_objects) {
  const result r = check({}, [] {
    checked::mutex m;
    checked::plain<int> a{0}, b{0};
    mailbox<checked_atomic, checked::plain<int>> box;
    concurrently([&] { box.message.set(1); },
                 [&] {
                   m.lock();
                   m.unlock();
                 });
  });
  ASSERT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.atomics, 2U);
  EXPECT_EQ(r.plain, 3U);
  EXPECT_NE(to_text(r).find("watched: 2 atomics and 3 plain objects"), std::string::npos)
      << to_text(r);
}

TEST(watched, the_largest_number_in_an_execution) {
  const result r = check({}, [] {
    checked::atomic<int> x{0};
    checked::thread t([&] { x.store(1); });
    if (x.load() == 1) {
      const checked::atomic<int> another{0};
      const checked::plain<int> data{0};
    }
    t.join();
  });
  ASSERT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.atomics, 2U);
  EXPECT_EQ(r.plain, 1U);
}

// The program races, but is verified, since the message is not wrapped; the verdict says so.
TEST(watched, that_no_plain_data_was) {
  const result r = check({}, [] {
    mailbox<checked_atomic, int> box;
    checked::thread sender([&] {
      box.message = 7;
      box.full.store(1, relaxed);
    });
    if (box.full.load(relaxed) == 1) require(box.message == 7);
    sender.join();
  });
  ASSERT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.plain, 0U);
  EXPECT_NE(to_text(r, {.width = 200})
                .find("watched: 1 atomic; no plain data was watched: data races are not "
                      "checked"),
            std::string::npos)
      << to_text(r);
}

void expect_misuse(const std::function<void()>& body, const options& o = {}) {
  const result r = check(o, body);
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::misuse) << to_text(r);
  EXPECT_NE(r.violation->message.find("template on the policy"), std::string::npos);
}

TEST(watched, nothing_at_all_is_misuse) {
  expect_misuse([] {});
  expect_misuse([] { require(true); });
  // The template argument was forgotten.
  expect_misuse([] {
    mailbox<unchecked_atomic, int> box;
    box.full.store(1);
    require(box.full.load() == 1);
  });
  expect_misuse([] {
    mailbox<unchecked_atomic, int> box;
    concurrently([&] { box.full.store(1); }, [&] { static_cast<void>(box.full.load()); });
  });
  expect_misuse([] { checked::fence(seq_cst); });
  options o;
  o.samples = 3;
  expect_misuse([] { std::vector<int>(3); }, o);
}

template <class P>
struct forgotten {
  static constexpr auto about = scenario{.name = "mailbox/forgotten", .threads = 2};
  mailbox<unchecked_atomic, int> box;
  void thread(unsigned i) {
    if (i == 0) box.full.store(1);
  }
};

TEST(watched, a_scenario_that_ignores_its_policy_is_misuse) {
  const result r = check_scenario<forgotten<checked>>();
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::misuse) << to_text(r);
}

TEST(watched, one_object_is_enough) {
  EXPECT_TRUE(check({}, [] { const checked::atomic<int> x{0}; }));
  EXPECT_TRUE(check({}, [] { const checked::plain<int> x{0}; }));
  EXPECT_TRUE(check({}, [] { const checked::mutex m; }));
  EXPECT_TRUE(check({}, [] { const checked::condition_variable c; }));
}

}  // namespace
}  // namespace fencepost::verify::testing
