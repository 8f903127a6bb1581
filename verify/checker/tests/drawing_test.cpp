// Pictures of executions: whether they show everything that they should, and in the right place.
#include "fencepost/verify/drawing.hpp"

#include <gmock/gmock.h>

#include <map>
#include <regex>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

counterexample lost_message() {
  return shortest_counterexample_in([] {
    checked::atomic<int> ready{0};
    checked::plain<int> data{0};
    concurrently(
        [&] {
          data.set(42);
          ready.store(1, relaxed);
        },
        [&] {
          if (ready.load(acquire) == 1) require(data.get() == 42);
        });
  });
}

counterexample store_buffering() {
  return shortest_counterexample_in([] {
    checked::atomic<int> x{0};
    checked::atomic<int> y{0};
    int a = 1;
    int b = 1;
    concurrently(
        [&] {
          x.store(1, release);
          a = y.load(acquire);
        },
        [&] {
          y.store(1, release);
          b = x.load(acquire);
        });
    require(a == 1 || b == 1, "one of them sees the other");
  });
}

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  return static_cast<std::size_t>(std::distance(
      std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()));
}

struct rectangle {
  int x, y, width, height;
};

// The boxes of the steps, by the steps' numbers.
std::map<int, rectangle> boxes(const std::string& svg) {
  static const std::regex expression(
      R"re(class="step[^"]*" data-step="(\d+)">\n<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)")re");
  std::map<int, rectangle> all;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), expression);
       at != std::sregex_iterator(); ++at) {
    const auto number = [&](std::size_t group) { return std::stoi((*at)[group].str()); };
    all[number(1)] = {number(2), number(3), number(4), number(5)};
  }
  return all;
}

drawing_style everything(const char* title) {
  drawing_style style;
  style.title = title;
  style.max_steps = 0;
  return style;
}

TEST(drawing, a_box_a_step_in_lanes_and_none_over_another) {
  const counterexample c = lost_message();
  const std::map<int, rectangle> all = boxes(to_svg(c, everything("lost")));
  ASSERT_EQ(all.size(), c.steps.size());
  for (const auto& [a, first] : all) {
    for (const auto& [b, second] : all) {
      const unsigned of_first = c.steps[static_cast<std::size_t>(a) - 1].thread;
      const unsigned of_second = c.steps[static_cast<std::size_t>(b) - 1].thread;
      EXPECT_EQ(of_first == of_second, first.x == second.x);
      if (a < b && of_first == of_second) {
        EXPECT_LE(first.y + first.height, second.y);
      }
    }
  }
}

TEST(drawing, lines_of_reads_from_and_synchronizes_with_go_down) {
  const counterexample c = shortest_counterexample_in([] {
    checked::atomic<int> x{0};
    concurrently([&] { x.store(1, release); },
                 [&] { require(x.load(acquire) == 0, "a claim that is wrong"); });
  });
  const std::string svg = to_svg(c, everything("down"));
  const std::map<int, rectangle> all = boxes(svg);
  std::size_t lines = 0;
  for (const edge& e : c.edges) {
    if (e.kind != relation::reads_from && e.kind != relation::synchronizes_with) continue;
    ++lines;
    EXPECT_LT(all.at(static_cast<int>(e.from) + 1).y, all.at(static_cast<int>(e.to) + 1).y);
  }
  EXPECT_GE(lines, 4u);
  EXPECT_THAT(svg, HasSubstr(">rf, sw</text>"));
}

TEST(drawing, a_race_is_two_marked_boxes_and_a_line_between_them) {
  const std::string svg = to_svg(lost_message(), everything("race"));
  EXPECT_EQ(count(svg, "class=\"step wrong\""), 3u);  // and the violation itself
  EXPECT_EQ(count(svg, "class=\"edge unordered\" [^\n]*<path"), 1u);
  EXPECT_EQ(count(svg, "class=\"edge rf\" [^\n]*<path"), 1u);
  EXPECT_THAT(svg, HasSubstr(">not ordered</text>"));
}

TEST(drawing, both_reads_of_store_buffering_are_seen_to_be_out_of_date) {
  const std::string svg = to_svg(store_buffering(), everything("both"));
  EXPECT_EQ(count(svg, "class=\"edge unordered\" [^\n]*<path"), 2u);
  EXPECT_EQ(count(svg, "class=\"step wrong\""), 5u);
}

TEST(drawing, graphviz_gets_a_cluster_a_thread_and_edges_between_nodes_that_are_there) {
  const counterexample c = store_buffering();
  const std::string dot = to_dot(c, everything("store \"buffering\" \\"));
  EXPECT_EQ(count(dot, "subgraph cluster_"), 3u);
  EXPECT_THAT(dot, HasSubstr(R"(digraph "store \"buffering\" \\" {)"));
  std::set<std::string> nodes;
  static const std::regex node(R"(\n    (s\d+) \[label=)");
  for (auto at = std::sregex_iterator(dot.begin(), dot.end(), node); at != std::sregex_iterator();
       ++at) {
    nodes.insert((*at)[1].str());
  }
  EXPECT_EQ(nodes.size(), c.steps.size());
  static const std::regex arrow(R"(\n  (s\d+) -> (s\d+) \[)");
  std::size_t arrows = 0;
  for (auto at = std::sregex_iterator(dot.begin(), dot.end(), arrow); at != std::sregex_iterator();
       ++at) {
    EXPECT_TRUE(nodes.contains((*at)[1].str()) && nodes.contains((*at)[2].str()));
    ++arrows;
  }
  EXPECT_GT(arrows, c.steps.size());
  EXPECT_EQ(count(dot, "fr, not ordered"), 2u);
}

TEST(drawing, text_is_escaped) {
  counterexample c = lost_message();
  c.steps.back().text = "a < b & \"c\"";
  const std::string svg = to_svg(c, everything("<title>"));
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  EXPECT_THAT(svg, HasSubstr("&lt;title&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<title><title>")));
}

TEST(drawing, of_a_long_one_the_middle_is_left_out_and_its_lines_with_it) {
  counterexample c = store_buffering();
  const step turn = c.steps[3];
  for (std::uint32_t i = 0; i < 200; ++i) {
    c.steps.push_back(turn);
    c.steps.back().where.line = i + 1;
  }
  c.edges.push_back({relation::reads_from, 100, c.steps.size() - 1, "a"});
  drawing_style style;
  style.max_steps = 30;
  const std::string svg = to_svg(c, style);
  EXPECT_EQ(boxes(svg).size(), 30u);
  EXPECT_THAT(svg, HasSubstr("steps left out ..."));
}

TEST(drawing, no_steps_at_all) {
  EXPECT_THAT(to_svg(counterexample{}, {}), HasSubstr("no steps"));
  EXPECT_THAT(to_dot(counterexample{}, {}), HasSubstr("digraph"));
}

}  // namespace
}  // namespace fencepost::verify::testing
