#include "source/label_reader.hpp"

#include <algorithm>
#include <utility>

#include "source/label_sentence.hpp"

namespace fencepost::cli {
namespace {

// A comment beside code, or lines of nothing but comment.
struct comment_block {
  std::uint32_t line = 0;
  std::uint32_t last_line = 0;
  bool beside = false;
  std::string text;  // with its line breaks
};

std::vector<comment_block> blocks_of(std::string_view text) {
  std::vector<comment_block> all;
  for (const source_comment& c : comments_in(text)) {
    const bool goes_on =
        !all.empty() && !all.back().beside && !c.beside && all.back().last_line + 1 == c.line;
    if (!goes_on) all.push_back({c.line, c.line, c.beside, {}});
    all.back().last_line = c.line;
    if (goes_on) all.back().text += '\n';
    all.back().text += c.text;
  }
  return all;
}

// Whether a label in the line `above` may name an operation at some place: not across a blank line,
// and not outside the braces that enclose the label; but the label may be above "} while (".
class reach {
 public:
  explicit reach(std::string_view text) : code_(code_in(text)), text_(text) {
    lines_.push_back(0);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos;)
      lines_.push_back(++at);
  }

  bool goes(std::uint32_t above, std::uint32_t line, std::uint32_t column) const {
    for (std::uint32_t l = above; l + 1 < line; ++l) {
      const std::size_t end = lines_[l + 1];
      if (text_.substr(lines_[l], end - lines_[l]).find_first_not_of(" \t\r\n") == text_.npos)
        return false;
    }
    int depth = 0;
    std::size_t at = code_.find_first_not_of(" \t\r\n", lines_[above]);
    if (at != std::string::npos && code_[at] == '}') ++at;
    for (; at < lines_[line - 1] + column; ++at) {
      depth += code_[at] == '{' ? 1 : code_[at] == '}' ? -1 : 0;
      if (depth < 0) return false;
    }
    return true;
  }

 private:
  std::string code_;
  std::string_view text_;
  std::vector<std::size_t> lines_;  // where each line begins
};

// Gives each label the operation that it names.
class label_reader {
 public:
  label_reader(labelled_source& into, std::string_view text)
      : into_(into), text_(text), reach_(text) {}

  void read_all() {
    const std::vector<comment_block> blocks = blocks_of(text_);
    std::vector<std::vector<std::size_t>> labels;  // of each block
    for (const comment_block& b : blocks) labels.push_back(read(b));
    for (const bool beside : {true, false}) {
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (labels[i].empty() || blocks[i].beside != beside) continue;
        std::size_t next = i + 1;  // the next block with labels
        while (next < blocks.size() && (labels[next].empty() || blocks[next].beside)) ++next;
        const std::uint32_t end = next < blocks.size() ? blocks[next].line : ~0U;
        if (beside)
          name_beside(blocks[i], labels[i]);
        else
          name_below(blocks[i], labels[i], end);
      }
    }
  }

 private:
  std::vector<std::size_t> read(const comment_block& b) {
    std::vector<std::size_t> labels;
    for (label_sentence& s : label_sentences(b.text)) {
      const auto line =
          b.line + static_cast<std::uint32_t>(std::count(
                       b.text.begin(), b.text.begin() + static_cast<std::ptrdiff_t>(s.at), '\n'));
      if (!s.fault.empty()) {
        into_.findings.push_back({into_.path, line, s.fault});
      }
      for (std::string& name : s.labels) {
        labels.push_back(into_.labels.size());
        into_.labels.push_back({std::move(name), line,
                                s.fault.empty() ? s.orders : std::vector<std::string>{}, s.partners,
                                s.reason, order_label::none, !s.fault.empty()});
      }
    }
    return labels;
  }

  bool is_free(std::size_t operation) const { return into_.label_of(operation) == nullptr; }

  void name_beside(const comment_block& b, const std::vector<std::size_t>& labels) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < into_.operations.size() && at < labels.size(); ++i) {
      const source_operation& o = into_.operations[i];
      if (o.line <= b.line && b.line <= o.last_line && is_free(i))
        into_.labels[labels[at++]].operation = i;
    }
  }

  // Names the operations that follow, up to the next labels.
  void name_below(const comment_block& b, const std::vector<std::size_t>& labels,
                  std::uint32_t end) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < into_.operations.size() && at < labels.size(); ++i) {
      const source_operation& o = into_.operations[i];
      if (o.line <= b.last_line || !is_free(i)) continue;
      if (o.line >= end || !reach_.goes(b.last_line, o.line, o.column)) return;
      into_.labels[labels[at++]].operation = i;
    }
  }

  labelled_source& into_;
  std::string_view text_;
  reach reach_;
};

}  // namespace

labelled_source read_labels(std::string path, std::string_view text) {
  labelled_source source;
  source.name = path.substr(path.rfind('/') + 1);
  source.path = std::move(path);
  source.operations = scan(text);
  source.bare_members = bare_members(text);
  label_reader(source, text).read_all();
  return source;
}

}  // namespace fencepost::cli
