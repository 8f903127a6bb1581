#include "source/label_checker.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::cli {
namespace {

constexpr std::string_view how_written =
    "'[name] ORDER, with [partner]: why', or '[name] ORDER, alone: why'";

// What a partner's name refers to.
struct partner_place {
  const labelled_source* file = nullptr;
  const order_label* label = nullptr;
};

class label_checker {
 public:
  explicit label_checker(const std::vector<labelled_source>& files) : files_(files) {}

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

std::vector<label_finding> check_labels(const std::vector<labelled_source>& files) {
  return label_checker(files).findings();
}

}  // namespace fencepost::cli
