// The includes are what rooms.txt allows: no source includes a header of a folder that its own
// folder may not know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

using folders = std::map<std::string, std::set<std::string>>;  // and what each may include
using sources = std::map<std::string, std::string>;            // the text, by path

folders read_folders(std::istream& in) {
  folders all;
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string::npos) continue;
    std::set<std::string>& known = all[line.substr(0, colon)];
    std::istringstream words(line.substr(colon + 1));
    for (std::string word; words >> word;) known.insert(word);
  }
  return all;
}

// Those of the tree that have a folder in the list, without tests.
sources read_sources(const fs::path& root) {
  sources all;
  for (const char* const top : {"core", "models", "verify", "stress"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string name = entry.path().lexically_relative(root).generic_string();
      if (!entry.is_regular_file() || name.find("/tests/") != std::string::npos) continue;
      if (!name.ends_with(".hpp") && !name.ends_with(".cpp") && !name.ends_with(".in")) continue;
      std::ifstream in(entry.path());
      all[name].assign(std::istreambuf_iterator<char>(in), {});
    }
  }
  return all;
}

// "": it belongs to none.
std::string folder_of(const std::string& file, const folders& all) {
  std::string longest;
  for (const auto& [folder, known] : all) {
    if (file.starts_with(folder + "/") && folder.size() > longest.size()) longest = folder;
  }
  return longest;
}

// The header that `file` includes by this name: that beside it, or else the one that has most of
// its path in common. "": another project's, or one that is made by the build.
std::string included(const std::string& file, const std::string& name, const sources& all) {
  std::string beside = (fs::path(file).parent_path() / name).lexically_normal().generic_string();
  if (all.contains(beside)) return beside;
  std::string best;
  std::size_t most = 0;
  for (const auto& [header, text] : all) {
    if (!header.ends_with("/" + name)) continue;
    const auto differ = std::mismatch(file.begin(), file.end(), header.begin(), header.end());
    const auto common = static_cast<std::size_t>(differ.first - file.begin());
    if (best.empty() || common > most) best = header;
    most = std::max(most, common);
  }
  return best;
}

std::vector<std::string> findings(const sources& all, const folders& rooms) {
  static const std::regex include{R"re(^\s*#\s*include\s+"([^"]+)")re"};
  std::vector<std::string> wrong;
  for (const auto& [file, text] : all) {
    const std::string from = folder_of(file, rooms);
    if (from.empty()) {
      wrong.push_back(file + ": its folder is not in ci/tests/includes/rooms.txt");
      continue;
    }
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      const std::string header = included(file, match[1], all);
      const std::string to = folder_of(header, rooms);
      if (header.empty() || to == from || rooms.at(from).contains(to)) continue;
      wrong.push_back(file + ":" + std::to_string(number) + " includes " + header + ", but " +
                      from + " may not know " + to);
    }
  }
  return wrong;
}

// Files of one name, but for those whose name says the same thing of another component, front end
// or program.
std::vector<std::string> shared_names(const std::vector<std::string>& files) {
  static const std::set<std::string> of_each{
      "claims.hpp", "faults.hpp", "specification.hpp",                // of a component
      "atomic.hpp", "mutex.hpp",  "thread.hpp",        "policy.hpp",  // of a way to check
      "main.cpp",   "relacy.hpp",
      "named.hpp",  // of a test, which needs two
  };
  std::map<std::string, std::string> first;
  std::vector<std::string> wrong;
  for (const std::string& file : files) {
    const std::string name = file.substr(file.rfind('/') + 1);
    if (of_each.contains(name)) continue;
    const auto [other, is_new] = first.try_emplace(name, file);
    if (!is_new) wrong.push_back(other->second + ", " + file);
  }
  return wrong;
}

std::vector<std::string> files_of_the_tree() {
  std::vector<std::string> all;
  for (const char* const top : {"core", "models", "verify", "stress"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(FENCEPOST_TREE) / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".hpp" && extension != ".cpp") continue;
      all.push_back(entry.path().lexically_relative(FENCEPOST_TREE).generic_string());
    }
  }
  std::ranges::sort(all);
  return all;
}

folders rooms_of_the_tree() {
  std::ifstream in(fs::path(FENCEPOST_TREE) / "ci/tests/includes/rooms.txt");
  return read_folders(in);
}

TEST(includes, are_those_that_the_table_allows) {
  const sources all = read_sources(FENCEPOST_TREE);
  ASSERT_GT(all.size(), 200U);
  EXPECT_THAT(findings(all, rooms_of_the_tree()), testing::IsEmpty());
}

TEST(names, stand_for_one_thing_each) {
  std::vector<std::string> files = files_of_the_tree();
  ASSERT_GT(files.size(), 400U);
  EXPECT_THAT(shared_names(files), testing::IsEmpty());
  files.emplace_back("verify/cli/base/explorer.hpp");
  EXPECT_THAT(shared_names(files), testing::ElementsAre("verify/checker/src/execute/explorer.hpp, "
                                                        "verify/cli/base/explorer.hpp"));
}

TEST(includes, that_are_planted_are_found) {
  sources all = read_sources(FENCEPOST_TREE);
  const auto plant = [&](const std::string& file, const std::string& name) {
    sources planted = all;
    planted.at(file).insert(0, "#include \"" + name + "\"\n");
    return findings(planted, rooms_of_the_tree());
  };
  EXPECT_THAT(plant("core/include/fencepost/sync/barrier.hpp", "fencepost/scenario/scenario.hpp"),
              testing::ElementsAre("core/include/fencepost/sync/barrier.hpp:1 includes "
                                   "models/scenario/include/fencepost/scenario/scenario.hpp, but "
                                   "core/include/fencepost/sync may not know models/scenario"));
  EXPECT_THAT(plant("verify/cli/base/names.cpp", "run/entry.hpp"), testing::SizeIs(1));
  EXPECT_THAT(plant("verify/cli/run/entry.hpp", "fencepost/stress/stress_run.hpp"),
              testing::SizeIs(1));
  all["verify/attic/box.hpp"] = "";
  EXPECT_THAT(findings(all, rooms_of_the_tree()), testing::SizeIs(1));
}

TEST(includes, rooms_are_folders_of_the_tree_and_know_each_other_one_way) {
  const folders rooms = rooms_of_the_tree();
  const auto knows = [&](const std::string& from, const std::string& to) {
    std::set<std::string> met;
    std::vector<std::string> open{from};
    while (!open.empty()) {
      const std::string at = open.back();
      open.pop_back();
      for (const std::string& next : rooms.at(at)) {
        if (met.insert(next).second) open.push_back(next);
      }
    }
    return met.contains(to);
  };
  for (const auto& [room, known] : rooms) {
    EXPECT_TRUE(fs::is_directory(fs::path(FENCEPOST_TREE) / room)) << room;
    for (const std::string& other : known) ASSERT_TRUE(rooms.contains(other)) << other;
  }
  for (const auto& [room, known] : rooms) EXPECT_FALSE(knows(room, room)) << room;
}

}  // namespace
