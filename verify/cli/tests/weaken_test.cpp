#include "source/weaken.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;
using verify::access;
using verify::access_place;
using verify::order;

source_location at(const char* file, std::uint32_t line, std::uint32_t column) {
  source_location where;
  where.file = file;
  where.line = line;
  where.column = column;
  return where;
}

// A temporary file with this text, which the destructor removes.
class written {
 public:
  explicit written(const std::string& text)
      : path_((fs::temp_directory_path() / ("fencepost_weaken_" + std::to_string(::getpid())))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~written() { fs::remove(path_); }

  access_place place(std::uint32_t line, std::uint32_t column, order o) const {
    return {at(path_.c_str(), line, column), {access::load, o}};
  }

 private:
  std::string path_;
};

constexpr const char* text =
    "// [first], [second] acquire, alone: two of a line.\n"
    "x.load(std::memory_order_acquire) + y.load(std::memory_order_acquire);\n"
    "z.load(std::memory_order_relaxed);\n";

TEST(weaken, a_named_place_is_the_operation_wherever_the_compiler_sees_it) {
  const auto operations = scan(text);
  verify::order_change c{"a.hpp"};
  name_place(c, operations, 1, "second");
  EXPECT_EQ(to_text(c), "a.hpp:second=relaxed");
  EXPECT_FALSE(c.concerns(at("a.hpp", 2, 1)));  // clang++: x.load
  EXPECT_FALSE(c.concerns(at("a.hpp", 2, 7)));  // g++
  EXPECT_TRUE(c.concerns(at("a.hpp", 2, 37)));  // clang++: y.load
  EXPECT_TRUE(c.concerns(at("a.hpp", 2, 43)));  // g++
  EXPECT_FALSE(c.concerns(at("a.hpp", 3, 1)));
  EXPECT_FALSE(c.concerns(at("b.hpp", 2, 43)));
  EXPECT_TRUE(c.concerns(at("a.hpp", 2, 0)));  // only the line is known
}

TEST(weaken, places_are_shown_by_their_labels) {
  const written file(text);
  EXPECT_EQ(place_name(file.place(2, 7, order::acquire).where), "first");
  EXPECT_EQ(place_name(file.place(2, 37, order::acquire).where), "second");
  EXPECT_EQ(place_name(file.place(3, 7, order::relaxed).where), "3");
  EXPECT_EQ(place_name(at("no/such/file.hpp", 3, 7)), "3");
}

TEST(weaken, a_source_that_has_changed_is_refused) {
  const written file(text);
  const verify::order_change c{"a.hpp"};
  EXPECT_NO_THROW(require_same_source(c, file.place(2, 7, order::acquire), true));
  EXPECT_THROW(require_same_source(c, file.place(2, 7, order::seq_cst), true), usage_error);
  EXPECT_THROW(require_same_source(c, file.place(9, 7, order::acquire), true), usage_error);
}

TEST(weaken, a_planted_fault_runs_another_order_of_the_same_source) {
  const written file(text);
  const verify::order_change c{"a.hpp"};
  EXPECT_NO_THROW(require_same_source(c, file.place(2, 7, order::relaxed), false));
  access_place store = file.place(2, 7, order::relaxed);
  store.asked.what = access::store;
  EXPECT_THROW(require_same_source(c, store, false), usage_error);
  EXPECT_THROW(require_same_source(c, file.place(9, 7, order::acquire), false), usage_error);
}

}  // namespace
}  // namespace fencepost::cli
