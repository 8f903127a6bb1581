#include "base/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace fencepost::cli {
namespace {

// Inline parts are marked by control characters, which do not occur in texts.
constexpr char begin_code = '\x01';
constexpr char begin_strong = '\x02';
constexpr char begin_link = '\x03';
constexpr char link_to = '\x04';
constexpr char end_part = '\x05';

// Calls `plain` for each character of the text, and `begin` and `finish` for the marks. At a link,
// `begin` also receives the text that begins with its address; see address().
template <class Plain, class Begin, class End>
void read(std::string_view text, Plain plain, Begin begin, End finish) {
  std::vector<char> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == begin_code || c == begin_strong || c == begin_link) {
      open.push_back(c);
      begin(c, c == begin_link ? text.substr(text.find(link_to, i) + 1) : std::string_view());
    } else if (c == link_to) {
      i = text.find(end_part, i) - 1;
    } else if (c == end_part) {
      finish(open.back());
      open.pop_back();
    } else {
      plain(c, !open.empty() && open.back() == begin_code);
    }
  }
}

std::string_view address(std::string_view rest) { return rest.substr(0, rest.find(end_part)); }

// ---- Markdown ----

std::string markdown(std::string_view text, bool in_table) {
  std::string out;
  std::vector<std::string> addresses;
  read(
      text,
      [&](char c, bool is_code) {
        if (c == '|' && in_table) {
          out += "\\|";
        } else if (!is_code && (c == '<' || c == '*' || c == '[' || c == ']')) {
          out += {'\\', c};
        } else {
          out += c;
        }
      },
      [&](char mark, std::string_view rest) {
        if (mark == begin_link) addresses.emplace_back(address(rest));
        out += mark == begin_code ? "`" : mark == begin_strong ? "**" : "[";
      },
      [&](char mark) {
        out += mark == begin_code     ? "`"
               : mark == begin_strong ? "**"
                                      : "](" + addresses.back() + ")";
        if (mark == begin_link) addresses.pop_back();
      });
  return out;
}

struct markdown_writer {
  std::string operator()(const page_heading& h) const {
    return std::string(h.level, '#') + " " + markdown(h.text, false) + "\n";
  }
  std::string operator()(const page_paragraph& p) const { return markdown(p.text, false) + "\n"; }
  std::string operator()(const page_list& l) const {
    std::string out;
    for (const std::string& item : l.items) out += "- " + markdown(item, false) + "\n";
    return out;
  }
  std::string operator()(const page_table& t) const {
    std::string out = "|";
    for (const page_table::column& c : t.columns) out += " " + markdown(c.title, true) + " |";
    out += "\n|";
    for (const page_table::column& c : t.columns) out += c.number ? " ---: |" : " --- |";
    out += "\n";
    for (const auto& row : t.rows) {
      out += "|";
      for (const std::string& cell : row) out += " " + markdown(cell, true) + " |";
      out += "\n";
    }
    return out;
  }
};

// ---- HTML ----

std::string escaped(char c) {
  switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    default: return {c};
  }
}

std::string html(std::string_view text, std::string_view base) {
  std::string out;
  bool linked = false;
  read(
      text, [&](char c, bool) { out += escaped(c); },
      [&](char mark, std::string_view rest) {
        if (mark == begin_code) out += "<code>";
        if (mark == begin_strong) out += "<strong>";
        if (mark != begin_link) return;
        const bool inside = rest.starts_with('#');
        linked = inside || !base.empty();
        if (!linked) return;
        out += fmt::format("<a href=\"{}", inside ? "" : base);
        for (const char c : address(rest)) out += escaped(c);
        out += "\">";
      },
      [&](char mark) {
        if (mark == begin_link)
          out += linked ? "</a>" : "";
        else
          out += mark == begin_code ? "</code>" : "</strong>";
      });
  return out;
}

// Returns the anchor that GitHub gives the heading.
std::string anchor(std::string_view heading) {
  std::string out;
  read(
      heading,
      [&](char c, bool) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-')
          out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else if (c == ' ')
          out += '-';
      },
      [](char, std::string_view) {}, [](char) {});
  return out;
}

struct html_writer {
  std::string_view base;

  std::string operator()(const page_heading& h) const {
    return fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", h.level, anchor(h.text),
                       html(h.text, base));
  }
  std::string operator()(const page_paragraph& p) const {
    return "<p>" + html(p.text, base) + "</p>\n";
  }
  std::string operator()(const page_list& l) const {
    std::string out = "<ul>\n";
    for (const std::string& item : l.items) out += "<li>" + html(item, base) + "</li>\n";
    return out + "</ul>\n";
  }
  std::string operator()(const page_table& t) const {
    std::string out = "<div class=\"table\"><table>\n<thead><tr>";
    const auto cell = [&](const char* kind, bool number, const std::string& text) {
      return fmt::format("<{0}{1}>{2}</{0}>", kind, number ? " class=\"number\"" : "",
                         html(text, base));
    };
    for (const page_table::column& c : t.columns) out += cell("th", c.number, c.title);
    out += "</tr></thead>\n<tbody>\n";
    for (const auto& row : t.rows) {
      out += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) out += cell("td", t.columns[i].number, row[i]);
      out += "</tr>\n";
    }
    return out + "</tbody>\n</table></div>\n";
  }
};

std::string index(const page& all, std::string_view base) {
  std::string out = "<nav>\n";
  for (const auto& block : all) {
    const auto* const h = std::get_if<page_heading>(&block);
    if (h == nullptr || h->level < 2 || h->level > 3) continue;
    out += fmt::format("<a class=\"level{}\" href=\"#{}\">{}</a>\n", h->level, anchor(h->text),
                       html(h->text, base));
  }
  return out + "</nav>\n";
}

}  // namespace

std::string code(std::string_view text) { return begin_code + std::string(text) + end_part; }
std::string strong(std::string_view text) { return begin_strong + std::string(text) + end_part; }
std::string link(std::string_view text, std::string_view to) {
  return fmt::format("{}{}{}{}{}", begin_link, text, link_to, to, end_part);
}

std::string to_markdown(const page& all) {
  std::string out;
  for (const auto& block : all) {
    if (!out.empty()) out += "\n";
    out += std::visit(markdown_writer{}, block);
  }
  return out;
}

std::string to_html(const page& all, std::string_view base) {
  std::string out;
  bool indexed = false;
  for (const auto& block : all) {
    const auto* const h = std::get_if<page_heading>(&block);
    if (!indexed && h != nullptr && h->level == 2) {
      out += index(all, base);
      indexed = true;
    }
    out += std::visit(html_writer{base}, block);
  }
  return out;
}

}  // namespace fencepost::cli
