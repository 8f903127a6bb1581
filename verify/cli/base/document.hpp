// A page of headings, paragraphs and tables, as Markdown and as HTML.
//
// Texts are plain, except for what code(), link() and strong() of this header put into them.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fencepost::cli {

struct page_heading {
  unsigned level;  // 1 is the title
  std::string text;
};
struct page_paragraph {
  std::string text;
};
struct page_list {
  std::vector<std::string> items;
};
struct page_table {
  struct column {
    std::string title;
    bool number = false;  // right-aligned
  };
  std::vector<column> columns;
  std::vector<std::vector<std::string>> rows;
};

using page = std::vector<std::variant<page_heading, page_paragraph, page_list, page_table>>;

std::string code(std::string_view);
std::string strong(std::string_view);
std::string link(std::string_view text, std::string_view to);

std::string to_markdown(const page&);
// Returns the content of the body, with an index of the headings of levels 2 and 3 before the first
// heading of level 2. Links to files begin with `base`; if it is empty, they are not links.
std::string to_html(const page&, std::string_view base);

}  // namespace fencepost::cli
