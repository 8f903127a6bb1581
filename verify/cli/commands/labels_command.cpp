// fencepost labels: the ordering labels of the sources, and what is wrong with them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/verify/report.hpp"
#include "source/label_checker.hpp"
#include "source/label_reader.hpp"
#include "source/own_headers.hpp"
#include "source/source_files.hpp"

namespace fencepost::cli {
namespace {

struct labels_options : common_options {
  std::vector<std::string> folders = {"core/include/fencepost", "core/src",
                                      "models/scenario/include/fencepost"};
};

// "seq_cst, relaxed on failure".
std::string orders_in_words(const std::vector<std::string>& orders) {
  if (orders.size() < 2) return joined(orders);
  return orders[0] + ", " + orders[1] + " on failure";
}

// Partners that do not fit beside the rest continue on lines of their own.
std::string table_of(const screen& out, const labelled_source& f) {
  std::size_t label = 5;
  std::size_t operation = 9;
  std::size_t order = 5;
  for (std::size_t i = 0; i < f.operations.size(); ++i) {
    const order_label* l = f.label_of(i);
    label = std::max(label, l == nullptr ? 0 : l->name.size());
    operation = std::max(operation, f.operations[i].name.size());
    order = std::max(order, orders_in_words(f.operations[i].orders).size());
  }
  const auto row = [&](const std::string& line, const std::string& name, const std::string& what,
                       const std::string& orders) {
    return fmt::format("  {:>4}  {:<{}}  {:<{}}  {:<{}}  ", line, name, label, what, operation,
                       orders, order);
  };
  std::string text = out.tinted(tint::strong, f.path) + "\n";
  text += row("line", "label", "operation", "order") + "partners\n";
  for (std::size_t i = 0; i < f.operations.size(); ++i) {
    const source_operation& o = f.operations[i];
    const order_label* l = f.label_of(i);
    const std::string begin =
        row(std::to_string(o.line), l == nullptr ? "" : l->name, o.name, orders_in_words(o.orders));
    const std::string partners = l == nullptr          ? "no label"
                                 : l->partners.empty() ? "alone"
                                                       : joined(l->partners);
    const std::size_t room = std::max(out.width(), begin.size() + 40) - begin.size();
    std::string indent = begin;
    for (const std::string& part : verify::wrapped(partners, room)) {
      text += indent + (l == nullptr ? out.tinted(tint::bad, part) : part) + "\n";
      indent = std::string(begin.size(), ' ');
    }
  }
  return text;
}

json json_of(const labelled_source& f) {
  json j{{"file", f.path}, {"operations", json::array()}};
  for (std::size_t i = 0; i < f.operations.size(); ++i) {
    const source_operation& o = f.operations[i];
    json one{{"line", o.line}, {"column", o.column}, {"operation", o.name}, {"orders", o.orders}};
    if (const order_label* l = f.label_of(i)) {
      one["label"] = l->name;
      one["partners"] = l->partners;
      one["reason"] = l->reason;
    }
    j["operations"].push_back(std::move(one));
  }
  return j;
}

// Returns the files of the folders; without folders, the headers that the program was built with.
std::vector<source_file> files_of(const labels_options& options) {
  std::vector<source_file> all;
  if (options.folders.empty()) {
    all = own_headers("labels");
    for (source_file& f : all) f.path = f.name;  // as it is shown
  }
  for (const std::string& folder : options.folders) {
    for (source_file& f : read_sources(folder, "labels")) all.push_back(std::move(f));
  }
  if (all.empty() && options.folders.empty()) {
    throw usage_error("labels: no headers are known; pass them to fencepost_add_model_cli(" +
                      this_program().name +
                      " ... HEADERS ...), or name their folder with --headers");
  }
  return all;
}

int run_labels(const labels_options& options) {
  std::vector<labelled_source> files;
  std::vector<std::string> names;
  std::vector<bool> wanted;
  for (const source_file& f : files_of(options)) {
    files.push_back(read_labels(f.path, f.text));
    names.push_back(f.name);
    wanted.push_back(is_wanted(options.patterns, f.name));
  }
  require_matches(
      options.patterns, names,
      options.folders.empty() ? "header of the project" : "file of " + joined(options.folders));
  output_files to("labels", {{"--json", options.json}});
  screen out(to.text(), options.color);

  std::size_t read = 0;
  std::size_t operations = 0;
  std::size_t labelled = 0;
  json shown = json::array();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const labelled_source& f = files[i];
    if (!wanted[i] || (f.operations.empty() && f.labels.empty())) continue;
    ++read;
    operations += f.operations.size();
    for (std::size_t o = 0; o < f.operations.size(); ++o) labelled += f.label_of(o) != nullptr;
    out.print(table_of(out, f) + "\n");
    shown.push_back(json_of(f));
  }
  // Only findings in the wanted files are shown; a partner may be in any file.
  std::vector<label_finding> findings = check_labels(files);
  std::erase_if(findings, [&](const label_finding& found) {
    const auto in = std::find_if(files.begin(), files.end(),
                                 [&](const labelled_source& f) { return f.path == found.path; });
    return !wanted[static_cast<std::size_t>(in - files.begin())];
  });
  json wrong = json::array();
  for (const label_finding& f : findings) {
    out.print(fmt::format("{}:{}: {}\n", f.path, f.line, f.message));
    wrong.push_back({{"file", f.path}, {"line", f.line}, {"message", f.message}});
  }
  const exit_status status = findings.empty() ? exit_as_expected : exit_unexpected;
  out.print(fmt::format("{}{} operations in {} file{}, {} with a label; {} finding{}\n",
                        findings.empty() ? "" : "\n", operations, read, read == 1 ? "" : "s",
                        labelled, findings.size(), findings.size() == 1 ? "" : "s"));

  json whole = document("labels");
  whole["exit_status"] = static_cast<int>(status);
  whole["files"] = std::move(shown);
  whole["findings"] = std::move(wrong);
  write_json(to, whole);
  to.save();
  return status;
}

}  // namespace

command labels_command(program&) {
  command c{"labels", "Check the labels of the atomic accesses and fences in the sources",
            "Exit status: 0 nothing is wrong; 1 something is; 2 wrong usage or bad input.\n"};
  auto options = std::make_shared<labels_options>();
  if (!this_program().is_fencepost) options->folders.clear();
  c.option("patterns", options->patterns, "PATTERN",
           "Files: a path within the folder, a part of it (deque), or a name without folder and "
           "extension (chase_lev); *, ? and [...] match as in a shell");
  add_common(c, *options, "");
  argument& headers =
      c.option("--headers", options->folders, "FOLDER",
               "The folders of the sources, in the current directory or in the tree that the "
               "program was built from");
  if (!options->folders.empty())
    headers.showing_default("[" + fmt::format("{}", fmt::join(options->folders, ",")) + "]");
  c.run = [options] { return run_labels(*options); };
  return c;
}

}  // namespace fencepost::cli
