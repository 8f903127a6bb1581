// Runs directory_scan on trees whose contents are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

struct ran {
  int status;
  std::string output;
};

ran scan(const std::string& arguments) {
  const std::string command = std::string{DIRECTORY_SCAN} + " " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  ran r{-1, {}};
  if (pipe == nullptr) return r;
  char text[256];
  while (std::fgets(text, sizeof text, pipe) != nullptr) r.output += text;
  const int ended = pclose(pipe);
  if (WIFEXITED(ended)) r.status = WEXITSTATUS(ended);
  return r;
}

class directory_scan : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  const fs::path root_ = fs::path{testing::TempDir()} /
                         (std::string{"directory_scan_"} +
                          testing::UnitTest::GetInstance()->current_test_info()->name());
};

// 4 directories, each with a link to the root, which must not be followed, and 4 directories of 10
// files.
TEST_F(directory_scan, counts_what_is_there) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const fs::path directory = root_ / std::to_string(i) / std::to_string(j);
      fs::create_directories(directory);
      for (int k = 0; k < 10; ++k) std::ofstream{directory / std::to_string(k)} << k;
    }
    fs::create_directory_symlink(root_, root_ / std::to_string(i) / "up");
  }
  const ran r = scan(root_.string());
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.output, testing::StartsWith("20 directories, 160 files, 4 symlinks, 0 others; "));
  EXPECT_THAT(r.output, testing::EndsWith(" entries/s\n"));
  // The same with one worker.
  const ran one = scan("--workers 1 " + root_.string());
  EXPECT_EQ(one.status, 0);
  EXPECT_THAT(one.output, testing::StartsWith("20 directories, 160 files, 4 symlinks, 0 others; "));
}

// Pipes and dangling links are not files, and hidden entries count.
TEST_F(directory_scan, every_entry_is_what_it_is) {
  fs::create_directory(root_ / ".hidden");
  std::ofstream{root_ / "..."} << "a file, and not one of the two that are left out";
  fs::create_symlink(root_ / "nothing", root_ / "dangling");
  ASSERT_EQ(::mkfifo((root_ / "pipe").c_str(), 0600), 0);
  const ran r = scan(root_.string());
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.output, testing::StartsWith("1 directories, 1 files, 1 symlinks, 1 others; "));
}

TEST_F(directory_scan, what_cannot_be_read_is_said) {
  fs::create_directory(root_ / "closed");
  fs::permissions(root_ / "closed", fs::perms::none);
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const ran r = scan(root_.string());
  fs::permissions(root_ / "closed", fs::perms::owner_all);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.output, testing::HasSubstr("closed: Permission denied"));
}

TEST_F(directory_scan, an_empty_directory_is_no_trouble) {
  const ran r = scan(root_.string());
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.output, testing::StartsWith("0 directories, 0 files, 0 symlinks"));
}

TEST_F(directory_scan, what_is_no_directory_is_refused) {
  EXPECT_EQ(scan((root_ / "nothing").string()).status, 2);
  EXPECT_EQ(scan(". .").status, 2);
  EXPECT_EQ(scan("--workers 0 .").status, 2);
  EXPECT_EQ(scan("--workers 1x .").status, 2);
  EXPECT_EQ(scan("--workers 1 . .").status, 2);
}

}  // namespace
