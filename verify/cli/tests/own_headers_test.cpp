// The names of the headers of another project, and which of them a path refers to.
#include "source/own_headers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/this_program.hpp"
#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

using testing::ElementsAre;

// A source tree, and a program that was built from it.
class own_headers_test : public testing::Test {
 protected:
  own_headers_test() { std::filesystem::create_directories(tree_); }
  ~own_headers_test() override {
    become(before_);
    std::filesystem::remove_all(tree_);
  }

  void built_with(const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) {
      const std::filesystem::path path = std::filesystem::path(tree_) / name;
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path) << "// " << name;
      paths.push_back(path.string());
    }
    become({"sample", tree_, tree_ + "/build", paths, false});
  }
  std::string in_tree(const std::string& name) const { return tree_ + "/" + name; }

 private:
  program_identity before_ = this_program();
  std::string tree_ = testing::TempDir() + "own_headers_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name() + "/sample";
};

TEST_F(own_headers_test, names_begin_where_the_paths_part) {
  built_with({"include/box/b.hpp", "include/box/detail/a.hpp"});
  EXPECT_TRUE(has_own_headers());
  EXPECT_EQ(own_headers_folder(), "include/box");
  EXPECT_THAT(own_header_names(), ElementsAre("b.hpp", "detail/a.hpp"));
  const std::vector<source_file> all = own_headers("test");
  EXPECT_EQ(all[0].text, "// include/box/b.hpp");
  EXPECT_EQ(all[1].path, in_tree("include/box/detail/a.hpp"));
}

TEST_F(own_headers_test, folders_whose_names_begin_alike_are_two) {
  built_with({"box/a.hpp", "box_of_boxes/b.hpp"});
  EXPECT_EQ(own_headers_folder(), "sample");
  EXPECT_THAT(own_header_names(), ElementsAre("box/a.hpp", "box_of_boxes/b.hpp"));
}

TEST_F(own_headers_test, one_header_at_the_top_has_its_own_name) {
  built_with({"a.hpp"});
  EXPECT_EQ(own_headers_folder(), "sample");
  EXPECT_THAT(own_header_names(), ElementsAre("a.hpp"));
}

TEST_F(own_headers_test, a_name_that_another_ends_in_is_the_path) {
  built_with({"a.hpp", "detail/a.hpp"});
  EXPECT_THAT(own_header_names(), ElementsAre(in_tree("a.hpp"), "detail/a.hpp"));
}

TEST_F(own_headers_test, a_path_means_those_that_end_in_it) {
  built_with({"a.hpp", "detail/a.hpp", "detail/data.hpp"});
  const auto meant = [](const std::string& path) {
    std::vector<std::string> names;
    for (const source_file& f : files_ending_in(path)) names.push_back(f.name);
    return names;
  };
  EXPECT_THAT(meant("detail/a.hpp"), ElementsAre("detail/a.hpp"));
  EXPECT_THAT(meant("a.hpp"), ElementsAre(in_tree("a.hpp"), "detail/a.hpp"));
  EXPECT_THAT(meant(in_tree("a.hpp")), ElementsAre(in_tree("a.hpp")));
  EXPECT_THAT(meant("ta.hpp"), ElementsAre());
}

TEST_F(own_headers_test, one_that_is_gone_is_named) {
  built_with({"a.hpp"});
  std::filesystem::remove(in_tree("a.hpp"));
  try {
    own_headers("test");
    FAIL() << "it was read";
  } catch (const usage_error& e) {
    EXPECT_EQ(e.what(), "test: cannot read '" + in_tree("a.hpp") + "'");
  }
}

}  // namespace
}  // namespace fencepost::cli
