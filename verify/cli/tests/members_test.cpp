#include "source/members.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace fencepost::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// The names of those of these members that are bare in a class template on the policy.
std::vector<std::string> bare(const std::string& members, const std::string& above = "") {
  std::vector<std::string> names;
  for (const bare_member& m : bare_members(above +
                                           "template <class T, class P = default_atomics>\n"
                                           "class queue {\n" +
                                           members + "};\n")) {
    names.push_back(m.name);
  }
  return names;
}

TEST(members, that_are_not_made_of_the_policy_are_bare) {
  EXPECT_THAT(bare("  T item_;\n"
                   "  T* next_ = nullptr;\n"
                   "  const std::uint32_t count_{1};\n"
                   "  std::unique_ptr<T> owned_;\n"
                   "  std::array<int, 4> numbers_{};\n"
                   "  int rows_[2][3] = {};\n"
                   "  void (*run_)(T& item) noexcept;\n"
                   "  std::function<void(int)> call_;\n"
                   "  alignas(64) bool flag_ = false;\n"
                   "  [[no_unique_address]] T empty_;\n"),
              ElementsAre("item_", "next_", "count_", "owned_", "numbers_", "rows_", "run_",
                          "call_", "flag_", "empty_"));
}

TEST(members, that_are_made_of_the_policy_are_not) {
  EXPECT_THAT(bare("  alignas(64) typename P::template atomic<T*> head_{nullptr};\n"
                   "  const typename P::template plain<T*> next_;\n"
                   "  typename P::mutex mutex_;\n"
                   "  event_count<P> idle_;\n"
                   "  using slot = typename P::template plain<T>;\n"
                   "  using row = std::array<slot, 3>;\n"
                   "  slot one_;\n"
                   "  std::array<slot, 2> two_;\n"
                   "  row three_;\n"),
              IsEmpty());
}

TEST(members, of_a_class_that_is_made_of_the_policy_are_not) {
  EXPECT_THAT(bare("  struct cell {\n"
                   "    typename P::template atomic<int> flag{0};\n"
                   "    bool full() const { return flag.load(std::memory_order_relaxed) != 0; }\n"
                   "  };\n"
                   "  cell cell_;\n"
                   "  struct value {  // unwatched: by value\n"
                   "    typename P::template plain<int>* where;\n"
                   "  };\n"
                   "  value value_;\n"),
              ElementsAre("value_"));
}

TEST(members, that_only_point_to_such_are_bare) {
  EXPECT_THAT(bare("  using slot = typename P::template plain<T>;\n"
                   "  slot* first_;\n"
                   "  event_count<P>& idle_;\n"
                   "  std::unique_ptr<slot[]> all_;\n"
                   "  typename P::template atomic<int>* last_;\n"
                   "  std::unique_ptr<typename P::template plain<T>[]> items_;\n"),
              ElementsAre("first_", "idle_", "all_", "last_", "items_"));
}

TEST(members, are_found_among_functions_aliases_and_classes) {
  EXPECT_THAT(bare(" public:\n"
                   "  explicit queue(int n) : a_{n}, b_{n} {\n"
                   "    int local = 0;\n"
                   "    for (int i = 0; i < n; ++i) local += i;\n"
                   "  }\n"
                   "  T* pop() noexcept;\n"
                   "  static constexpr int most = 3;\n"
                   "  enum class state { up, down };\n"
                   "  friend class other;\n"
                   "  template <class F>\n"
                   "  void call(F&& f) const {\n"
                   "    T copy;\n"
                   "  }\n"
                   "  struct place {\n"
                   "    bool is() const { return at == 0; }\n"
                   "    int at;\n"
                   "  };\n"
                   " private:\n"
                   "  place place_;\n"
                   "  int a_, b_;\n"),
              ElementsAre("at", "place_", "b_"));
}

TEST(members, of_classes_without_the_policy_are_not_asked_for) {
  EXPECT_THAT(bare_members("template <class T>\nstruct pair { T a, b; };\n"), IsEmpty());
  EXPECT_THAT(bare_members("template <class Pool>\nstruct pair { Pool* a; };\n"), IsEmpty());
}

TEST(members, with_a_reason_are_left_out) {
  EXPECT_THAT(bare("  // The first; unwatched: the owner's.\n"
                   "  T* a_;\n"
                   "  T* b_;\n"
                   "\n"
                   "  T* c_;\n"
                   "  T* d_;  // unwatched: never changed\n"
                   "  T* e_;\n"
                   "  struct f {  // unwatched: by value\n"
                   "    int g;\n"
                   "\n"
                   "    int h;\n"
                   "  };\n"
                   "  // unwatched:\n"
                   "  T* i_;\n"),
              ElementsAre("c_", "e_", "i_"));
  EXPECT_THAT(bare("  T* a_;\n"), ElementsAre("a_"));
  EXPECT_THAT(bare("  T* a_;\n", "// A handle. unwatched: its own thread's.\n"), IsEmpty());
  EXPECT_THAT(bare("  T* a_;\n", "// unwatched: another's.\n\n"), ElementsAre("a_"));
}

// Removes the plain<...> of each member of the library, one at a time: the member is then bare.
TEST(members, of_the_library_are_bare_without_their_plain) {
  const std::string plain = "typename P::template plain<";
  std::size_t taken_away = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(FENCEPOST_LIBRARY)) {
    if (file.path().extension() != ".hpp" || file.path().parent_path().filename() == "atomics")
      continue;
    std::ifstream in(file.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(bare_members(text), IsEmpty()) << file.path();
    for (std::size_t at = text.find(plain); at != std::string::npos;
         at = text.find(plain, at + 1)) {
      const std::size_t line = text.rfind('\n', at) + 1;
      const std::string before = text.substr(line, at - line);
      if (before.find("using ") != std::string::npos || before.find('}') != std::string::npos)
        continue;  // an alias; an initialiser
      std::size_t end = at + plain.size();
      for (int depth = 1; depth != 0; ++end)
        depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
      const std::string bare = text.substr(0, at) +
                               text.substr(at + plain.size(), end - 1 - at - plain.size()) +
                               text.substr(end);
      EXPECT_THAT(bare_members(bare), Not(IsEmpty()))
          << file.path() << ": " << text.substr(at, text.find('\n', at) - at);
      ++taken_away;
    }
  }
  EXPECT_GT(taken_away, 10U);
}

}  // namespace

// GoogleTest looks for a function of this name.
// NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const bare_member& m, std::ostream* out) { *out << m.line << ": " << m.name; }

}  // namespace fencepost::cli
