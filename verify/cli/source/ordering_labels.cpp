#include "source/ordering_labels.hpp"

#include <algorithm>
#include <utility>

#include "source/label_sentence.hpp"

namespace fencepost::cli {
namespace {

constexpr std::string_view how_written =
    "'[name] ORDER, with [partner]: why', or '[name] ORDER, alone: why'";

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
class reader {
 public:
  reader(labelled_source& into, std::string_view text) : into_(into), text_(text), reach_(text) {}

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

// What a partner's name refers to.
struct partner_place {
  const labelled_source* file = nullptr;
  const order_label* label = nullptr;
};

class checker {
 public:
  explicit checker(const std::vector<labelled_source>& files) : files_(files) {}

  std::vector<label_finding> findings() && {
    for (const labelled_source& f : files_) {
      findings_.insert(findings_.end(), f.findings.begin(), f.findings.end());
      for (std::size_t i = 0; i < f.operations.size(); ++i) check_operation(f, i);
      for (const bare_member& m : f.bare_members) {
        say(f, m.line,
            m.name +
                " is a member that the checker does not watch: make it a P::plain<...>, or say why "
                "that is not needed in a comment above it: 'unwatched: why'");
      }
      for (const order_label& l : f.labels) {
        check_place(f, l);
        if (!l.malformed) check_partners(f, l);
      }
    }
    std::stable_sort(findings_.begin(), findings_.end(), [](const auto& a, const auto& b) {
      return std::pair(std::string_view(a.path), a.line) <
             std::pair(std::string_view(b.path), b.line);
    });
    return std::move(findings_);
  }

 private:
  void say(const labelled_source& f, std::uint32_t line, std::string message) {
    findings_.push_back({f.path, line, std::move(message)});
  }

  void check_operation(const labelled_source& f, std::size_t i) {
    const source_operation& o = f.operations[i];
    const order_label* label = f.label_of(i);
    if (label == nullptr) {
      say(f, o.line,
          o.name + " has no label: write " + std::string(how_written) +
              " in a comment directly above the statement");
    } else if (!label->malformed) {
      check_orders(f, *label, o);
    }
  }

  void check_orders(const labelled_source& f, const order_label& l, const source_operation& o) {
    const auto differs = [&](const std::string& said, const std::string& is, const char* when) {
      if (said == is) return;
      say(f, l.line,
          "[" + l.name + "] says " + said + when + ", but " + o.name + " in line " +
              std::to_string(o.line) + " has " + is + when + ": correct the comment or the code");
    };
    differs(l.orders.front(), o.orders.front(), "");
    if (l.orders.size() > 1 && o.orders.size() > 1) {
      differs(l.orders[1], o.orders[1], " on failure");
    } else if (l.orders.size() > 1) {
      say(f, l.line,
          "[" + l.name + "] says " + l.orders[1] + " on failure, but " + o.name + " in line " +
              std::to_string(o.line) + " has no such order: remove it");
    } else if (o.orders.size() > 1 && o.orders[1] != o.orders[0]) {
      say(f, l.line,
          "[" + l.name + "] does not say the order on failure: write '" + o.orders[0] + ", " +
              o.orders[1] + " on failure'");
    }
  }

  void check_place(const labelled_source& f, const order_label& l) {
    if (l.operation == order_label::none) {
      say(f, l.line,
          "[" + l.name +
              "] belongs to no operation: put it directly above one, with as many labels as there "
              "are operations, or remove it");
    }
    const order_label* first = f.find(l.name);
    if (first != &l) {
      say(f, l.line,
          "[" + l.name + "] is in line " + std::to_string(first->line) +
              " already: a label must be unique in its file");
    }
  }

  // Returns what the name refers to in this file, or in all files that have the given name.
  std::vector<partner_place> places(const labelled_source& from, const std::string& partner) const {
    const std::size_t slash = partner.find('/');
    std::vector<partner_place> found;
    for (const labelled_source& f : files_) {
      const bool here = slash == std::string::npos;
      if (here ? &f != &from : f.name != partner.substr(0, slash)) continue;
      found.push_back({&f, f.find(here ? partner : partner.substr(slash + 1))});
    }
    return found;
  }

  bool names(const labelled_source& f, const order_label& l, const labelled_source& other,
             const order_label& wanted) const {
    return std::any_of(l.partners.begin(), l.partners.end(), [&](const std::string& partner) {
      const auto meant = places(f, partner);
      return std::any_of(meant.begin(), meant.end(), [&](const partner_place& p) {
        return p.file == &other && p.label != nullptr && p.label->name == wanted.name;
      });
    });
  }

  void check_partners(const labelled_source& f, const order_label& l) {
    for (const std::string& partner : l.partners) {
      std::vector<partner_place> meant = places(f, partner);
      const std::string who = "[" + l.name + "] names [" + partner + "]";
      if (meant.empty()) {
        say(f, l.line,
            who + ", but there is no file '" + partner.substr(0, partner.find('/')) +
                "' among those that were read");
        continue;
      }
      const std::string file = meant.front().file->path;
      std::erase_if(meant, [](const partner_place& p) { return p.label == nullptr; });
      if (meant.empty()) {
        say(f, l.line,
            who + ", but there is no such label in " + file +
                ": correct the name, or label the partner");
        continue;
      }
      const bool back = std::any_of(meant.begin(), meant.end(), [&](const partner_place& p) {
        return p.label->malformed || names(*p.file, *p.label, f, l);
      });
      if (back) continue;
      const partner_place& p = meant.front();
      const std::string self = p.file == &f ? l.name : f.name + "/" + l.name;
      say(f, l.line,
          who + ", which does not name it back: write [" + self + "] in " + p.file->path + ":" +
              std::to_string(p.label->line) + ", or remove the partner here");
    }
  }

  const std::vector<labelled_source>& files_;
  std::vector<label_finding> findings_;
};

}  // namespace

const order_label* labelled_source::label_of(std::size_t operation) const noexcept {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const order_label& l) { return l.operation == operation; });
  return found == labels.end() ? nullptr : &*found;
}

const order_label* labelled_source::find(std::string_view label) const noexcept {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const order_label& l) { return l.name == label; });
  return found == labels.end() ? nullptr : &*found;
}

labelled_source read_labels(std::string path, std::string_view text) {
  labelled_source source;
  source.name = path.substr(path.rfind('/') + 1);
  source.path = std::move(path);
  source.operations = scan(text);
  source.bare_members = bare_members(text);
  reader(source, text).read_all();
  return source;
}

std::vector<label_finding> check_labels(const std::vector<labelled_source>& files) {
  return checker(files).findings();
}

}  // namespace fencepost::cli
