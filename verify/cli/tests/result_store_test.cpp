#include "run/result_store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

using verify::options;
using verify::result;
using verify::verdict;

class a_store : public ::testing::Test {
 protected:
  a_store() { sample_.digest = "d1"; }
  ~a_store() override { std::remove(path_.c_str()); }

  std::string text() const {
    std::ifstream in(path_);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }
  void append(const std::string& text) const { std::ofstream(path_, std::ios::app) << text; }

  std::string path_ = ::testing::TempDir() + "store_" + std::to_string(::getpid());
  entry sample_{scenario{.name = "sample/one"}, {}};
};

result with(verdict v, std::string limit = "") {
  result r;
  r.outcome = v;
  r.executions = 7;
  r.limit = std::move(limit);
  if (v == verdict::violated) {
    r.violation.emplace();
    r.violation->kind = violation::data_race;
    r.violation->steps.resize(100);
  }
  return r;
}

options weakened(std::uint32_t line) {
  options o;
  o.changes = {{.file = "x.hpp", .line = line}};
  return o;
}

TEST_F(a_store, finds_what_was_added_also_in_another_process) {
  {
    result_store s(path_, {"d1"});
    EXPECT_FALSE(s.find(sample_, weakened(1)));
    s.add(sample_, weakened(1), with(verdict::violated));
    s.add(sample_, weakened(2), with(verdict::verified));
    EXPECT_TRUE(s.find(sample_, weakened(1)));
  }
  const result_store s(path_, {"d1"});
  const auto found = s.find(sample_, weakened(1));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, verdict::violated);
  ASSERT_TRUE(found->violation);
  EXPECT_EQ(found->violation->kind, violation::data_race);
  EXPECT_EQ(found->violation->steps.size(), 1u) << "that there are steps is all that is kept";
  EXPECT_EQ(s.find(sample_, weakened(2))->outcome, verdict::verified);
}

TEST_F(a_store, what_a_result_depends_on_is_part_of_its_name) {
  result_store s(path_, {"d1"});
  s.add(sample_, weakened(1), with(verdict::verified));
  EXPECT_FALSE(s.find(sample_, weakened(2)));
  EXPECT_FALSE(s.find(sample_, {}));
  options model = weakened(1);
  model.model = verify::memory_model::rc11;
  EXPECT_FALSE(s.find(sample_, model));
  entry other = sample_;
  other.about.name = "sample/two";
  EXPECT_FALSE(s.find(other, weakened(1)));
  other = sample_;
  other.digest = "d2";
  EXPECT_FALSE(s.find(other, weakened(1)));
}

TEST_F(a_store, a_changed_program_has_no_results) {
  result_store(path_, {"d1"}).add(sample_, weakened(1), with(verdict::verified));
  const result_store s(path_, {"d2"});
  EXPECT_FALSE(s.find(sample_, weakened(1)));
  EXPECT_EQ(text().find("d1"), std::string::npos) << "and the file is rid of them";
}

TEST_F(a_store, what_a_limit_ended_counts_for_that_limit_only) {
  options limited = weakened(1);
  limited.max_executions = 10;
  options higher = weakened(1);
  higher.max_executions = 100;
  result_store s(path_, {"d1"});
  s.add(sample_, limited, with(verdict::incomplete, "max_executions"));
  EXPECT_TRUE(s.find(sample_, limited));
  EXPECT_FALSE(s.find(sample_, higher));
  s.add(sample_, higher, with(verdict::verified));
  EXPECT_EQ(s.find(sample_, limited)->outcome, verdict::verified);
}

// With other limits on executions or re-executions, the verdict may differ.
TEST_F(a_store, a_result_under_xc20_counts_for_its_limits_only) {
  options how = weakened(1);
  how.model = verify::memory_model::xc20;
  how.max_executions = 10;
  result_store s(path_, {"d1"});
  s.add(sample_, how, with(verdict::verified));
  EXPECT_TRUE(s.find(sample_, how));
  options other = how;
  other.max_executions = 100;
  EXPECT_FALSE(s.find(sample_, other)) << "of another number of runs";
  other = how;
  other.reexecutions = how.reexecutions + 1;
  EXPECT_FALSE(s.find(sample_, other)) << "of more re-executions";
  other.reexecutions = how.reexecutions - 1;
  EXPECT_FALSE(s.find(sample_, other)) << "of fewer re-executions";
  other = how;
  other.model = verify::memory_model::rc20;
  EXPECT_FALSE(s.find(sample_, other));
}

TEST_F(a_store, an_interrupted_result_is_none) {
  result_store s(path_, {"d1"});
  s.add(sample_, weakened(1), with(verdict::incomplete, "interrupted"));
  EXPECT_FALSE(s.find(sample_, weakened(1)));
}

TEST_F(a_store, code_without_a_digest_has_no_results) {
  entry unknown = sample_;
  unknown.digest.clear();
  result_store s(path_, {"", "d1"});
  s.add(unknown, weakened(1), with(verdict::verified));
  EXPECT_FALSE(s.find(unknown, weakened(1)));
}

TEST_F(a_store, half_a_line_is_forgotten) {
  result_store(path_, {"d1"}).add(sample_, weakened(1), with(verdict::verified));
  append("{\"key\": \"d1 sam");
  {
    result_store s(path_, {"d1"});
    EXPECT_TRUE(s.find(sample_, weakened(1)));
    s.add(sample_, weakened(2), with(verdict::verified));
  }
  const result_store s(path_, {"d1"});
  EXPECT_TRUE(s.find(sample_, weakened(2))) << "what was added after it is whole";
}

TEST_F(a_store, another_file_is_left_alone) {
  append("dear diary\n");
  EXPECT_THROW(result_store(path_, {"d1"}), usage_error);
  EXPECT_EQ(text(), "dear diary\n");
  EXPECT_THROW(result_store("/no/such/folder/x", {"d1"}), usage_error);
}

TEST_F(a_store, without_a_file_it_keeps_nothing) {
  result_store s("", {"d1"});
  s.add(sample_, weakened(1), with(verdict::verified));
  EXPECT_FALSE(s.find(sample_, weakened(1)));
}

}  // namespace
}  // namespace fencepost::cli
