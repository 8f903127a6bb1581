#include "source/weaken.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "base/names.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "source/label_reader.hpp"
#include "source/own_headers.hpp"
#include "source/source_files.hpp"
#include "source/source_labels.hpp"

namespace fencepost::cli {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw std::invalid_argument("'" + std::string(text) + "': " + why);
}

std::string labels_of(const labelled_source& source) {
  std::string names;
  for (const order_label& l : source.labels) names += (names.empty() ? "" : ", ") + l.name;
  return names;
}

// Returns the one file with the label among those that may be meant; throws if there is none or
// several.
labelled_source source_with(std::string_view text, const std::string& file,
                            const std::string& label) {
  std::vector<labelled_source> have;
  std::string others;
  std::vector<std::string> known;
  const std::vector<source_file> meant = files_ending_in(file);
  if (meant.empty() && has_own_headers()) {
    refuse(text, "there is no file '" + file + "' among the headers that " + this_program().name +
                     " was built with: " + joined(own_header_names()));
  }
  if (meant.empty()) refuse(text, "there is no file '" + file + "' in " + source_tree());
  for (const source_file& f : meant) {
    labelled_source source = read_labels(f.path, f.text);
    if (!source.labels.empty()) others += "\n  " + f.name + " has the labels " + labels_of(source);
    for (const order_label& l : source.labels) known.push_back(l.name);
    source.path = f.name;
    if (source.find(label) != nullptr) have.push_back(std::move(source));
  }
  if (have.empty()) {
    std::vector<std::string_view> names;
    for (const std::string& name : known) names.push_back(name);
    refuse(text, "there is no label '" + label + "' in '" + file + "'" +
                     (others.empty() ? ", which has none" : did_you_mean(label, names) + others));
  }
  if (have.size() > 1) {
    std::string message = "several files have the label '" + label + "'; name one of them:";
    for (const labelled_source& source : have) message += "\n  " + source.path;
    refuse(text, message);
  }
  const auto& labels = have.front().labels;
  if (std::count_if(labels.begin(), labels.end(),
                    [&](const order_label& l) { return l.name == label; }) > 1) {
    refuse(text, "'" + have.front().path + "' has that label twice; '" + this_program().name +
                     " labels' reports where");
  }
  return std::move(have.front());
}

std::optional<labelled_source> source_at(const source_location& where) {
  if (where.file == nullptr) return std::nullopt;
  const auto text = text_of(on_disk(where.file));
  if (!text) return std::nullopt;
  return read_labels(where.file, *text);
}

}  // namespace

verify::order_change change_from(std::string_view text) {
  const std::string_view place = text.substr(0, text.rfind('='));
  const std::size_t colon = place.rfind(':');
  const std::string_view last =
      colon == std::string_view::npos ? std::string_view() : place.substr(colon + 1);
  const std::string by_label = "; for a label, FILE:LABEL=ORDER";
  if (last.empty() || std::isalpha(static_cast<unsigned char>(last.front())) == 0) {
    try {
      return verify::order_change_from(text);
    } catch (const std::invalid_argument& e) {
      throw std::invalid_argument(e.what() + by_label);
    }
  }
  verify::order_change c;
  try {
    c = verify::order_change_at({}, text);
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(e.what() + by_label);
  }
  c.file = place.substr(0, colon);
  if (c.file.empty()) refuse(text, "there is no file");
  const labelled_source source = source_with(text, c.file, std::string(last));
  const order_label& label = *source.find(last);
  if (label.operation == order_label::none) {
    refuse(text, "the label belongs to no operation; '" + this_program().name +
                     " labels' reports what is wrong");
  }
  name_place(c, source.operations, label.operation, last);
  c.file = source.path;
  return c;
}

void name_place(verify::order_change& c, const std::vector<source_operation>& of,
                std::size_t operation, std::string_view label) {
  c.name = c.file + ":" + std::string(label);
  c.line = of[operation].line;
  c.column = of[operation].column;
  if (operation > 0) c.after = {of[operation - 1].line, of[operation - 1].column};
}

bool is_same(const source_operation& o, const verify::asked_for& asked) {
  return !o.orders.empty() && o.orders.front() == to_string(asked.success) &&
         o.name.ends_with("fence") == (asked.what == verify::access::fence);
}

bool may_be(const source_operation& o, verify::access what) {
  const std::size_t dot = o.name.rfind('.');
  const std::string_view name = std::string_view(o.name).substr(dot + 1);  // npos + 1 is 0
  if (name.ends_with("fence")) return what == verify::access::fence;
  if (name.starts_with("compare_exchange")) return what == verify::access::compare_exchange;
  if (name.starts_with("load")) return what == verify::access::load;
  if (name.starts_with("store")) return what == verify::access::store;
  return what != verify::access::fence;
}

std::string place_name(const source_location& where) {
  const std::string label = source_labels().label_at(where);
  return label.empty() ? std::to_string(where.line) : label;
}

void require_same_source(const verify::order_change& c, const verify::access_place& p,
                         bool as_written) {
  const auto source = source_at(p.where);
  if (!source) return;
  const std::size_t at = find(source->operations, p.where.line, p.where.column);
  if (at < source->operations.size() &&
      (as_written ? is_same(source->operations[at], p.asked)
                  : may_be(source->operations[at], p.asked.what))) {
    return;
  }
  throw usage_error("--weaken " + to_text(c) + ": " + p.where.file +
                    " is not the file that the program was built from: rebuild the program");
}

}  // namespace fencepost::cli
