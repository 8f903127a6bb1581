// A counterexample shows an address by the object at it, so that it is the same on every machine.
#include <alloca.h>
#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct node {
  checked::atomic<node*> next{nullptr};
  int value = 0;
};

// Returns what each step of the counterexample shows after ":= ".
std::vector<std::string> shown(const std::function<void()>& body) {
  const result r = check({}, [&] {
    body();
    require(false, "the end");
  });
  std::vector<std::string> all;
  if (!r.violation) return {to_text(r)};
  for (const step& s : r.violation->steps) {
    const std::size_t value = s.text.find(":= ");
    if (value != std::string::npos) all.push_back(s.text.substr(value + 3));
  }
  return all;
}

TEST(addresses, of_a_location_have_its_name) {
  const result r = check({}, [] {
    node last, first;
    checked::atomic<node*> head{nullptr};
    last.next.store(nullptr, relaxed);
    first.next.store(&last, relaxed);
    head.store(&first, relaxed);
    require(head.load(relaxed) != &first, "never");
  });
  const std::string text = to_text(r);
  EXPECT_THAT(text, HasSubstr("store relaxed next@1 := 0"));
  EXPECT_THAT(text, HasSubstr("store relaxed next@2 := &next@1"));
  EXPECT_THAT(text, HasSubstr("store relaxed head := &next@2"));
  EXPECT_THAT(text, HasSubstr("load relaxed head = &next@2, from #"));
}

TEST(addresses, of_other_objects_are_numbered) {
  EXPECT_THAT(shown([] {
                int one = 0, two = 0;
                const auto three = std::make_unique<std::array<int, 8>>();
                checked::atomic<int*> pointer{nullptr};
                pointer.store(&two, relaxed);
                pointer.store(&one, relaxed);
                pointer.store(&two, relaxed);
                pointer.store(three->data() + 3, relaxed);
                pointer.store(three->data(), relaxed);
              }),
              ElementsAre("&1", "&2", "&1", "&3+12", "&3"));
}

TEST(addresses, have_their_tags_beside_them) {
  EXPECT_THAT(shown([] {
                node here;
                const auto other = std::make_unique<int>(0);
                checked::atomic<std::uintptr_t> tagged{0};
                tagged.store(reinterpret_cast<std::uintptr_t>(&here) + 1, relaxed);
                tagged.store(reinterpret_cast<std::uintptr_t>(other.get()) + 2, relaxed);
                here.next.store(nullptr, relaxed);
              }),
              ElementsAre("&b+1", "&1+2", "0"));
}

TEST(addresses, of_a_location_that_no_step_accesses_are_numbered) {
  const result r = check({}, [] {
    node never;
    int other = 0;
    checked::atomic<void*> pointer{nullptr};
    pointer.store(&other, relaxed);
    pointer.store(&never, relaxed);
    require(pointer.load(relaxed) == nullptr, "never");
  });
  EXPECT_THAT(to_text(r), HasSubstr("store relaxed pointer := &1"));
  EXPECT_THAT(to_text(r), HasSubstr("store relaxed pointer := &2"));
}

TEST(addresses, of_an_object_that_comes_where_another_was_are_its_own) {
  options reusing;
  reusing.reuse_addresses = true;
  const result r = check(reusing, [] {
    checked::atomic<node*> head{nullptr};
    for (int i = 0; i < 2; ++i) {
      const auto here = std::make_unique<node>();
      here->next.store(nullptr, relaxed);
      head.store(here.get(), relaxed);
    }
    require(head.load(relaxed) == nullptr, "never");
  });
  EXPECT_THAT(to_text(r), HasSubstr("store relaxed head := &next@1"));
  EXPECT_THAT(to_text(r), HasSubstr("store relaxed head := &next@2"));
}

TEST(addresses, are_not_looked_for_in_numbers) {
  EXPECT_THAT(shown([] {
                checked::atomic<std::uint64_t> number{0};
                number.store(0x1300'0000, relaxed);
                number.store(~std::uint64_t{0}, relaxed);
                number.store(0xffff'0000'0000'0000, relaxed);
              }),
              ElementsAre("0x13000000", "-1", "0xffff000000000000"));
}

// Simulates that another compiler or machine lays out the frames differently.
TEST(addresses, do_not_depend_on_where_a_frame_has_its_objects) {
  const auto counterexample_with = [](std::size_t pad) {
    result r = check({}, [=] {
      [[maybe_unused]] volatile auto* frame = static_cast<char*>(alloca(pad));
      checked::atomic<node*> head{nullptr};
      node ours;
      concurrently(
          [&] {
            [[maybe_unused]] volatile auto* larger = static_cast<char*>(alloca(3 * pad));
            node theirs;
            theirs.next.store(head.load(relaxed), relaxed);
            head.store(&theirs, relaxed);
            head.store(&ours, relaxed);
          },
          [&] { require(head.load(relaxed) == nullptr, "never"); });
    });
    r.seconds = 0;
    return to_text(r);
  };
  const std::string text = counterexample_with(16);
  EXPECT_THAT(text, HasSubstr(":= &"));
  for (const std::size_t pad : {32u, 48u, 112u, 1024u})
    EXPECT_EQ(counterexample_with(pad), text) << pad;
}

}  // namespace
}  // namespace fencepost::verify::testing
