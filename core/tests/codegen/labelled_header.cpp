#include "labelled_header.hpp"

#include <deque>
#include <regex>
#include <sstream>

namespace codegen {
namespace {

struct source_line {
  std::string code, comment;
};

std::vector<source_line> lines_of(std::string_view text) {
  std::vector<source_line> lines{{}};  // lines are counted from one
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    const auto slashes = line.find("//");
    lines.push_back(
        {line.substr(0, slashes), slashes == std::string::npos ? "" : line.substr(slashes + 2)});
  }
  return lines;
}

// The arguments of the call whose parenthesis is at `open`; advances `line` to the last one.
std::string arguments(const std::vector<source_line>& lines, std::size_t& line, std::size_t open) {
  std::string text;
  int depth = 0;
  for (std::size_t at = open; line < lines.size(); ++line, at = 0) {
    for (; at < lines[line].code.size(); ++at) {
      const char c = lines[line].code[at];
      text += c;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0) return text;
    }
  }
  --line;
  return text;
}

}  // namespace

const labelled_operation* labelled_header::at(std::size_t line) const {
  for (const labelled_operation& o : operations) {
    if (o.first_line <= line && line <= o.last_line) return &o;
  }
  return nullptr;
}

labelled_header labels_of(std::string_view text) {
  static const std::regex label{R"(^ *\[([\w.]+)\] (relaxed|acquire|release|acq_rel|seq_cst)\b)"};
  static const std::regex call{
      R"((?:[.>]((?:load|store)(?:_low|_high)?|exchange|compare_exchange_\w+|fetch_\w+))"
      R"(|\b(?:atomic_thread_)?(fence))\()"};
  static const std::regex order{R"(memory_order_(\w+))"};

  labelled_header header;
  std::deque<std::string> waiting;  // labels whose operation has not been found yet
  const auto drop_waiting = [&] {
    for (const std::string& name : waiting) {
      header.errors.push_back("label [" + name + "] stands above no operation");
    }
    waiting.clear();
  };
  const std::vector<source_line> lines = lines_of(text);
  bool in_comment = false;
  for (std::size_t n = 1; n < lines.size(); ++n) {
    const source_line& line = lines[n];
    if (!line.comment.empty() && !in_comment && std::regex_search(line.comment, label)) {
      drop_waiting();
    }
    std::smatch found;
    if (std::regex_search(line.comment, found, label)) waiting.push_back(found[1]);
    in_comment = line.code.find_first_not_of(' ') == std::string::npos && !line.comment.empty();
    if (line.code == "}") drop_waiting();

    for (std::sregex_iterator i{line.code.begin(), line.code.end(), call}, end; i != end; ++i) {
      std::size_t last = n;
      const std::string given =
          arguments(lines, last, static_cast<std::size_t>(i->position() + i->length()) - 1);
      std::smatch with;
      const bool in_assert = line.code.find("assert(") != std::string::npos;
      if (in_assert || !std::regex_search(given, with, order)) continue;
      labelled_operation o;
      o.what = with[1].str() + " " + (*i)[1].str() + (*i)[2].str();
      o.first_line = n;
      o.last_line = last;
      if (!waiting.empty()) {
        o.label = waiting.front();
        waiting.pop_front();
      }
      header.operations.push_back(std::move(o));
    }
  }
  drop_waiting();
  return header;
}

}  // namespace codegen
