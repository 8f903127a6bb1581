#include "source/source_scan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names(const std::vector<source_operation>& all) {
  std::vector<std::string> found;
  for (const source_operation& o : all) found.push_back(o.name);
  return found;
}

TEST(source_scan, finds_accesses_and_fences_with_their_orders) {
  const auto all = scan(R"(
    back_.store(at + 1, std::memory_order_release);
    P::fence(std::memory_order_seq_cst);
    if (!p->front.compare_exchange_strong(seen, next(seen, 1), std::memory_order::acq_rel,
                                          std::memory_order::relaxed)) {}
    owner_.slots[at].load(std::memory_order_relaxed);
    word_.store_high(to, std::memory_order_relaxed);
  )");
  EXPECT_THAT(names(all), ElementsAre("back_.store", "fence", "p->front.compare_exchange_strong",
                                      "owner_.slots[at].load", "word_.store_high"));
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].line, 2u);
  EXPECT_EQ(all[0].column, 16u);
  EXPECT_THAT(all[0].orders, ElementsAre("release"));
  EXPECT_THAT(all[2].orders, ElementsAre("acq_rel", "relaxed"));
  EXPECT_EQ(all[2].line, 4u);
}

TEST(source_scan, one_access_inside_another) {
  const auto all = scan(
      "to[i].store(from[i].load(std::memory_order_acquire),\n"
      "            std::memory_order_release);");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "to[i].store");
  EXPECT_THAT(all[0].orders, ElementsAre("release"));
  EXPECT_EQ(all[1].name, "from[i].load");
  EXPECT_THAT(all[1].orders, ElementsAre("acquire"));
}

TEST(source_scan, leaves_out_what_is_no_access) {
  EXPECT_THAT(names(scan(R"text(
    // x.load(std::memory_order_acquire)
    /* x.load(std::memory_order_acquire)
       fence(std::memory_order_seq_cst); */
    const char* text = "x.load(std::memory_order_acquire)";
    T load(std::memory_order o) const;
    case std::memory_order_acquire: return f(std::memory_order_release);
    queue.wait(lock);
    std::exchange(front, nullptr);
    assert(x.load(std::memory_order_relaxed) == 1'000 && "quoted");
    word_.load();
  )text")),
              IsEmpty());
}

TEST(source_scan, lines_stay_right_after_comments_and_literals) {
  const auto all = scan(
      "/* one\n two */ const char c = '\\n'; auto n = 1'000'000; // '\n"
      "const char* s = \"a \\\" b\";\n"
      "x.load(std::memory_order_acquire);\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].line, 4u);
  EXPECT_EQ(all[0].column, 7u);
}

TEST(source_scan, reasons_stand_above_and_beside_the_statement) {
  const auto all = scan(R"(
    // Says more. Kept short. acquire: pairs with publish(), kept acquire: only load
    // buffering could tell. More to say.
    if (x.load(std::memory_order_acquire) == 0) return;
    y.compare_exchange_strong(seen, 1, std::memory_order_acquire,  // kept strong: no loop around it
                              std::memory_order_acquire);  // kept acquire on failure: see below
    z.load(std::memory_order_acquire);
    // kept acquire: of the next one

    w.load(std::memory_order_acquire);
    v.load(std::memory_order_acquire);  // kept acquire:
    u.load(std::memory_order_acquire);  // kept going: is no order
  )");
  ASSERT_EQ(all.size(), 6u);
  ASSERT_EQ(all[0].reasons.size(), 1u);
  EXPECT_EQ(all[0].reasons[0].what, "acquire");
  EXPECT_EQ(all[0].reasons[0].why, "only load buffering could tell");
  ASSERT_EQ(all[1].reasons.size(), 2u);
  EXPECT_EQ(all[1].reasons[0].what, "strong");
  EXPECT_EQ(all[1].reasons[0].why, "no loop around it");
  EXPECT_EQ(all[1].reasons[1].what, "acquire on failure");
  EXPECT_EQ(all[1].reasons[1].why, "see below");
  for (std::size_t i = 2; i < 6; ++i) EXPECT_THAT(all[i].reasons, IsEmpty()) << all[i].name;
}

// Compilers differ in the column, and in the line, that they report for a call.
TEST(source_scan, a_place_is_found_as_each_compiler_names_it) {
  const auto all = scan(
      "x.load(std::memory_order_acquire) + y.load(std::memory_order_acquire);\n"
      "z.load(std::memory_order_acquire);\n"
      "some->thing\n"
      "    .load(std::memory_order_acquire);");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(find(all, 1, 7), 0u);   // g++: the parenthesis
  EXPECT_EQ(find(all, 1, 1), 0u);   // clang++: the beginning
  EXPECT_EQ(find(all, 1, 43), 1u);  // g++
  EXPECT_EQ(find(all, 1, 37), 1u);  // clang++
  EXPECT_EQ(find(all, 2, 0), 2u);   // only the line is known
  EXPECT_EQ(find(all, 1, 0), 4u);   // ambiguous: two on the line
  EXPECT_EQ(find(all, 3, 1), 3u);   // clang++
  EXPECT_EQ(find(all, 4, 10), 3u);  // g++
  EXPECT_EQ(find(all, 5, 1), 4u);
  EXPECT_EQ(find(all, 5, 0), 4u);
}

TEST(source_scan, no_text_is_too_broken) {
  for (const char* text :
       {"", "(", ")))", "\"", "'", "/*", "//", "x.load(std::memory_order_",
        "x.load(std::memory_order_acquire", "]]].load(std::memory_order_acquire)",
        "fence(std::memory_order_seq_cst)"}) {
    static_cast<void>(scan(text));
  }
  EXPECT_EQ(scan("fence(std::memory_order_seq_cst)").size(), 1u);
}

}  // namespace
}  // namespace fencepost::cli
