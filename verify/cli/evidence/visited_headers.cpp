#include "evidence/visited_headers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/interrupts.hpp"
#include "base/names.hpp"
#include "source/label_reader.hpp"
#include "source/own_headers.hpp"
#include "source/source_files.hpp"
#include "source/weaken.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

class header_finder {
 public:
  header_finder(const necessity_options& options, const std::vector<holding_scenario>& scenarios,
                bool some_left_out)
      : options_(options), scenarios_(scenarios), some_left_out_(some_left_out) {}

  visited_headers run() {
    find_headers();
    for (visited_header& h : found_.headers) match(h);
    return std::move(found_);
  }

 private:
  // Splits the path of a file in the folder of headers into the folder and the rest.
  std::optional<std::pair<fs::path, std::string>> in_folder(const std::string& file) const {
    const std::string path = on_disk(file).generic_string();
    const std::string folder = "/" + options_.folder + "/";
    const std::size_t at = path.rfind(folder);
    if (at == std::string::npos) return std::nullopt;
    return std::pair(fs::path(path.substr(0, at + folder.size() - 1)),
                     path.substr(at + folder.size()));
  }

  void find_own_headers() {
    const std::vector<source_file> all = own_headers("necessity");
    std::set<fs::path> met;
    for (const holding_scenario& c : scenarios_) {
      for (const verify::access_place& p : c.as_written.places) met.insert(on_disk(p.where.file));
    }
    const bool any = std::any_of(all.begin(), all.end(),
                                 [&](const source_file& f) { return met.contains(f.path); });
    std::vector<std::string> names;
    for (const source_file& f : all) names.push_back(f.name);
    if (!any && !interrupted() && !some_left_out_) {
      throw usage_error("necessity: no scenario executes an atomic access in the headers " +
                        joined(names));
    }
    for (const source_file& f : all) add_file(f, "");
    require_matches(options_.patterns, names, "header of the project");
  }

  void find_headers() {
    if (options_.own_headers) return find_own_headers();
    std::set<fs::path> roots;
    for (const holding_scenario& c : scenarios_) {
      for (const verify::access_place& p : c.as_written.places) {
        if (const auto in = in_folder(p.where.file)) roots.insert(in->first);
      }
    }
    if (roots.empty() && !interrupted() && !some_left_out_) {
      throw usage_error("necessity: no scenario executes an atomic access in a header of '" +
                        options_.folder + "'");
    }
    if (roots.empty()) return;  // all were left out, and the report says so
    std::vector<std::string> names;
    for (const fs::path& root : roots) add_files(root, "", names);
    for (const fs::path& root : roots) {
      if (const std::string folder = options_.sources_folder(); !folder.empty())
        add_files(tree_of(root) / folder, folder + "/", names);
    }
    if (!interrupted()) require_matches(options_.patterns, names, "header of " + options_.folder);
  }

  // Returns the source tree, in which the folder of headers is.
  fs::path tree_of(const fs::path& root) const {
    const std::string path = root.generic_string();
    return path.substr(0, path.size() - options_.folder.size());
  }

  // `outside`: the name of a folder of compiled code, "" for headers.
  void add_files(const fs::path& folder, const std::string& outside,
                 std::vector<std::string>& names) {
    for (const source_file& f : read_sources(folder, "necessity")) {
      names.push_back(f.name);
      add_file(f, outside);
    }
  }

  void add_file(const source_file& f, const std::string& outside) {
    if (!is_wanted(options_.patterns, f.name)) return;
    labelled_source source = read_labels(f.path, f.text);
    for (const order_label& l : source.labels) {
      if (l.operation == order_label::none)
        found_.loose.push_back(fmt::format("{}/{}:{}: [{}]",
                                           outside.empty() ? options_.folder : options_.sources,
                                           f.name, l.line, l.name));
    }
    if (source.operations.empty()) return;
    visited_header h;
    h.path = f.path;
    h.report.name = outside + f.name;
    h.report.outside = !outside.empty();
    for (std::size_t i = 0; i < source.operations.size(); ++i) {
      operation_report o;
      if (const order_label* label = source.label_of(i)) {
        o.label = label->name;
        o.partners = label->partners;
      }
      o.source = std::move(source.operations[i]);
      o.outside = h.report.outside;
      h.report.operations.push_back(std::move(o));
    }
    found_.headers.push_back(std::move(h));
  }

  // Assigns each place that the scenarios executed to an operation of the text.
  void match(visited_header& h) {
    std::vector<source_operation> operations;
    for (const operation_report& o : h.report.operations) operations.push_back(o.source);
    for (std::size_t s = 0; s < scenarios_.size(); ++s) {
      for (const verify::access_place& p : scenarios_[s].as_written.places) {
        if (on_disk(p.where.file) != h.path) continue;
        const std::size_t at = find(operations, p.where.line, p.where.column);
        if (at == operations.size() || !is_same(operations[at], p.asked)) {
          throw usage_error(fmt::format(
              "necessity: the program has a {} ({}) at {}:{}, but the file has none there: rebuild "
              "the program",
              to_string(p.asked.what), in_words(p.asked), h.path.string(), p.where.line));
        }
        operation_report& o = h.report.operations[at];
        if (o.asked && *o.asked != p.asked) {
          throw usage_error(fmt::format("necessity: {}:{} has several orders, {} and {}",
                                        h.path.string(), p.where.line, in_words(*o.asked),
                                        in_words(p.asked)));
        }
        o.asked = p.asked;
        std::vector<std::size_t>& visitors = h.visitors[at];
        if (visitors.empty() || visitors.back() != s) visitors.push_back(s);
        std::vector<std::string>& names = h.report.scenarios;
        const std::string_view name = scenarios_[s].what->about.name;
        if (names.empty() || names.back() != name) names.emplace_back(name);
      }
    }
    for (std::size_t i = 0; i < h.report.operations.size(); ++i) {
      operation_report& o = h.report.operations[i];
      o.scenarios = h.visitors[i].size();
      if (!o.asked) {
        o.may_be_exercised = some_left_out_ || interrupted();
        o.reason = reason_for(o.source, "unexercised");
        continue;
      }
      for (order_step& step : weaker(*o.asked)) {
        step_report r;
        r.reason = reason_for(o.source, step.lost);
        r.change = {h.report.name, o.source.line, 0, step.which, step.to, {}, {}};
        r.step = std::move(step);
        o.steps.push_back(std::move(r));
      }
    }
    set_places(h, operations);
  }

  static std::string reason_for(const source_operation& o, const std::string& what) {
    for (const kept_reason& r : o.reasons) {
      if (r.what == what) return r.why;
    }
    return {};
  }

  // Names the place by its label, or by the line that the compiler reports; with the column only if
  // the line has several operations.
  void set_places(visited_header& h, const std::vector<source_operation>& all) {
    for (std::size_t i = 0; i < h.report.operations.size(); ++i) {
      operation_report& o = h.report.operations[i];
      if (h.visitors[i].empty()) continue;
      if (!o.label.empty()) {
        for (step_report& r : o.steps) name_place(r.change, all, i, o.label);
        continue;
      }
      std::uint32_t column = 0;
      std::uint32_t line = 0;
      for (const std::size_t s : h.visitors[i]) {
        for (const verify::access_place& p : scenarios_[s].as_written.places) {
          if (on_disk(p.where.file) != h.path || find(all, p.where.line, p.where.column) != i)
            continue;
          line = p.where.line;
          column = p.where.column;
        }
      }
      const auto on_line = std::count_if(all.begin(), all.end(), [&](const source_operation& s) {
        return s.line == o.source.line;
      });
      for (step_report& r : o.steps) {
        r.change.line = line;
        r.change.column = on_line > 1 ? column : 0;
      }
    }
  }

  const necessity_options& options_;
  const std::vector<holding_scenario>& scenarios_;
  bool some_left_out_;
  visited_headers found_;
};

}  // namespace

visited_headers find_headers(const necessity_options& options,
                             const std::vector<holding_scenario>& scenarios, bool some_left_out) {
  return header_finder(options, scenarios, some_left_out).run();
}

}  // namespace fencepost::cli
