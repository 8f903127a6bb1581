// Annotations for GitHub Actions: what is escaped, and which file they name.
#include "fencepost/verify/annotation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace fencepost::verify {
namespace {

class annotation_test : public testing::Test {
 protected:
  annotation_test() { set("GITHUB_WORKSPACE", "/home/runner/work/box"); }
  ~annotation_test() override {
    set("GITHUB_ACTIONS", actions_);
    set("GITHUB_WORKSPACE", workspace_);
  }

  static void set(const char* name, const std::string& value) {
    if (value.empty())
      unsetenv(name);
    else
      setenv(name, value.c_str(), 1);
  }
  static std::string at(const char* file, unsigned line, const char* message = "wrong") {
    return github_error(source_location::current(file, "f", line), message);
  }

 private:
  static std::string value_of(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  }
  std::string actions_ = value_of("GITHUB_ACTIONS");
  std::string workspace_ = value_of("GITHUB_WORKSPACE");
};

TEST_F(annotation_test, only_a_workflow_wants_them) {
  for (const auto& [value, wants] : {std::pair("true", true), {"false", false}, {"", false}}) {
    set("GITHUB_ACTIONS", value);
    EXPECT_EQ(is_in_github_actions(), wants) << value;
  }
}

TEST_F(annotation_test, files_of_the_workspace_are_relative_to_it) {
  EXPECT_EQ(at("/home/runner/work/box/include/box.hpp", 7),
            "::error file=include/box.hpp,line=7::wrong");
  EXPECT_EQ(at("/home/runner/work/box/build/../box.hpp", 7), "::error file=box.hpp,line=7::wrong");
}

TEST_F(annotation_test, other_files_keep_their_names) {
  EXPECT_EQ(at("/home/runner/work/box_of_boxes/box.hpp", 7),
            "::error file=/home/runner/work/box_of_boxes/box.hpp,line=7::wrong");
  EXPECT_EQ(at("/usr/include/c++/12/atomic", 7),
            "::error file=/usr/include/c++/12/atomic,line=7::wrong");
  set("GITHUB_WORKSPACE", "");
  EXPECT_EQ(at("/home/runner/work/box/box.hpp", 7),
            "::error file=/home/runner/work/box/box.hpp,line=7::wrong");
}

TEST_F(annotation_test, what_the_runner_would_read_otherwise_is_escaped) {
  EXPECT_EQ(at("/home/runner/work/box/a,b:c%.hpp", 7, "50 %:\r\nno, ::error::"),
            "::error file=a%2Cb%3Ac%25.hpp,line=7::50 %25:%0D%0Ano, ::error::");
}

TEST_F(annotation_test, thread_0_is_main) {
  EXPECT_EQ(github_error({}, "read by thread 0, not by thread 01"),
            "::error::read by main, not by thread 01");
}

TEST_F(annotation_test, without_a_place_there_is_the_message) {
  EXPECT_EQ(github_error({}, "nothing was found"), "::error::nothing was found");
}

TEST_F(annotation_test, the_place_is_the_last_of_the_thread_in_the_workspace) {
  const auto step_at = [](unsigned thread, const char* file, unsigned line) {
    step s;
    s.thread = thread;
    s.where = source_location::current(file, "f", line);
    return s;
  };
  counterexample c;
  c.thread = 1;
  c.where = source_location::current("/usr/include/c++/12/atomic", "load", 5);
  c.steps = {step_at(1, "/home/runner/work/box/box.hpp", 3),
             step_at(1, "/home/runner/work/box/box.hpp", 4),
             step_at(2, "/home/runner/work/box/box.hpp", 6),
             step_at(1, "/usr/include/c++/12/atomic", 5)};
  EXPECT_EQ(annotated_place(c).line, 4u);
  c.where = source_location::current("/home/runner/work/box/box.hpp", "get", 9);
  EXPECT_EQ(annotated_place(c).line, 9u);
  c.where = source_location::current("/usr/include/c++/12/atomic", "load", 5);
  c.steps.resize(0);
  EXPECT_EQ(annotated_place(c).line, 5u);
}

}  // namespace
}  // namespace fencepost::verify
