#include "base/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

using ::testing::HasSubstr;

const page small = {
    page_heading{1, "A page"},
    page_paragraph{"Of <T> and a*b, " + code("x | <y>*") + ", " + strong("bold") + " and " +
                   link("a [link]", "some/file.md") + "."},
    page_heading{2, "The " + code("first") + " part"},
    page_list{{"one", "two"}},
    page_table{{{"name"}, {"count", true}}, {{code("a|b"), "1"}, {"c|d", "2"}}},
};

TEST(document, as_markdown) {
  EXPECT_EQ(to_markdown(small),
            "# A page\n\n"
            "Of \\<T> and a\\*b, `x | <y>*`, **bold** and [a \\[link\\]](some/file.md).\n\n"
            "## The `first` part\n\n"
            "- one\n- two\n\n"
            "| name | count |\n| --- | ---: |\n| `a\\|b` | 1 |\n| c\\|d | 2 |\n");
}

TEST(document, as_html) {
  const std::string text = to_html(small, "tree/");
  EXPECT_THAT(text, HasSubstr("<h1 id=\"a-page\">A page</h1>"));
  EXPECT_THAT(text,
              HasSubstr("Of &lt;T&gt; and a*b, <code>x | &lt;y&gt;*</code>, "
                        "<strong>bold</strong> and <a href=\"tree/some/file.md\">a [link]</a>"));
  EXPECT_THAT(text,
              HasSubstr("<a class=\"level2\" href=\"#the-first-part\">The <code>first</code>"));
  EXPECT_THAT(text, HasSubstr("<td class=\"number\">2</td>"));
}

TEST(document, without_a_tree_links_to_files_are_text_and_links_within_stay) {
  const page two = {page_paragraph{link("out", "file.md") + " " + link("in", "#here")}};
  EXPECT_EQ(to_html(two, ""), "<p>out <a href=\"#here\">in</a></p>\n");
}

TEST(document, links_in_a_row_keep_their_addresses) {
  const page links = {page_paragraph{link("a", "x") + strong(link("b", "y")) + code("c")}};
  EXPECT_EQ(to_markdown(links), "[a](x)**[b](y)**`c`\n");
}

}  // namespace
}  // namespace fencepost::cli
