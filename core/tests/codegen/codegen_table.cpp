#include "codegen_table.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace codegen {
namespace {

constexpr std::string_view header_row =
    "| operation | label | source | x86-64 | AArch64, LSE | AArch64, LL/SC |";
constexpr std::string_view dashes = "| --- | --- | --- | --- | --- | --- |";

std::string written(const kinds& of) {
  std::string text;
  for (const std::string& kind : of) text += (text.empty() ? "`" : ", `") + kind + "`";
  return text.empty() ? "-" : text;
}

// The kinds in a text that written() has produced.
kinds kinds_in(const std::string& text) {
  kinds all;
  for (std::size_t at = 0; (at = text.find('`', at)) != std::string::npos;) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    all.insert(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return all;
}

std::string cell(const kinds& gcc, const kinds& clang) {
  if (gcc == clang) return written(gcc);
  return "g++ " + written(gcc) + "; clang++ " + written(clang);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t at = line.find("| ");
  while (at != std::string::npos) {
    const std::size_t end = line.find(" |", at + 2);
    if (end == std::string::npos) break;
    cells.push_back(line.substr(at + 2, end - at - 2));
    at = line.find("| ", end);
  }
  return cells;
}

// All labelled operations, by keys such as "tail_split.hpp/push.fence".
std::map<std::string, const labelled_operation*> by_label(const header_labels& headers) {
  std::map<std::string, const labelled_operation*> all;
  for (const auto& [file, header] : headers) {
    for (const labelled_operation& o : header.operations) {
      all.emplace(std::filesystem::path(file).filename().string() + "/" + o.label, &o);
    }
  }
  return all;
}

kinds kinds_of(const column& of, const row_key& key) {
  const auto row = of.find(key);
  return row == of.end() ? kinds{} : row->second;
}

std::set<row_key> rows_of(const table& all) {
  std::set<row_key> rows;
  for (const column& each : all) {
    for (const auto& [key, of] : each) rows.insert(key);
  }
  return rows;
}

}  // namespace

table read_table(const std::string& page) {
  table all;
  std::istringstream in{page};
  std::string component;
  bool inside = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line == table_begin) inside = true;
    if (line == table_end) return all;
    if (!inside) continue;
    if (line.rfind("### ", 0) == 0) component = line.substr(4);
    if (line.rfind("| ", 0) != 0 || line == header_row || line == dashes) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 6) {
      throw std::runtime_error("line " + std::to_string(number) +
                               " of docs/generated-code.md has " + std::to_string(cells.size()) +
                               " cells, but a row has 6: " + line);
    }
    const kinds label = kinds_in(cells[1]);
    const row_key key{component, cells[0], label.empty() ? "" : *label.begin()};
    for (std::size_t t = 0; t < audited_targets.size(); ++t) {
      const std::string& both = cells[3 + t / 2];
      const std::size_t semicolon = both.find("; clang++ ");
      const std::string own = semicolon == std::string::npos ? both
                              : t % 2 == 0                   ? both.substr(0, semicolon)
                                                             : both.substr(semicolon);
      if (kinds of = kinds_in(own); !of.empty()) all[t][key] = std::move(of);
    }
  }
  throw std::runtime_error("docs/generated-code.md has no lines \"" + std::string(table_begin) +
                           "\" and \"" + std::string(table_end) + "\" around its table");
}

std::string write_table(const table& all, const header_labels& headers) {
  const auto operations = by_label(headers);
  std::set<std::string> labels;
  std::ostringstream out;
  std::string component;
  for (const row_key& key : rows_of(all)) {
    if (key.component != component) {
      component = key.component;
      out << "\n### " << component << "\n\n" << header_row << '\n' << dashes << '\n';
    }
    const auto o = operations.find(key.label);
    out << "| " << key.operation << " | `" << key.label << "` | "
        << (o == operations.end() ? "no such label" : o->second->what) << " |";
    for (std::size_t t = 0; t < all.size(); t += 2) {
      out << ' ' << cell(kinds_of(all[t], key), kinds_of(all[t + 1], key)) << " |";
    }
    out << '\n';
    labels.insert(key.label);
  }
  out << "\n### What no row has\n\n"
         "Labelled operations that are more than a relaxed load or store, in no operation "
         "above:\n\n";
  for (const auto& [label, o] : operations) {
    if (!o->is_plain() && !labels.contains(label))
      out << "- `" << label << "`, " << o->what << '\n';
  }
  out << '\n';
  return out.str();
}

std::string with_table(const std::string& page, const std::string& new_table) {
  read_table(page);  // throws unless the page has these lines
  const std::size_t begin = page.find(table_begin) + table_begin.size() + 1;
  return page.substr(0, begin) + new_table + page.substr(page.find(table_end));
}

std::string different_lines(const std::string& page, const std::string& should_be) {
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  };
  const std::vector<std::string> a = lines_of(page);
  const std::vector<std::string> b = lines_of(should_be);
  // The length of the longest common subsequence of the remaining lines of both.
  std::vector<std::vector<std::size_t>> common(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string text;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      text += std::to_string(i + 1) + ": - " + a[i] + "\n";
      ++i;
    } else {
      text += std::to_string(i + 1) + ": + " + b[j++] + "\n";
    }
  }
  if (text.empty() && page != should_be) text = "the end of the last line\n";
  return text;
}

}  // namespace codegen
