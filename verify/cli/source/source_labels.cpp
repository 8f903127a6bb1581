#include "source/source_labels.hpp"

#include "source/label_reader.hpp"
#include "source/source_files.hpp"

namespace fencepost::cli {

std::string source_labels::label_at(const source_location& where) const {
  if (where.file == nullptr) return {};
  const auto [at, is_new] = files_.try_emplace(where.file);
  if (is_new) {
    if (const auto text = text_of(on_disk(where.file))) {
      at->second = read_labels(where.file, *text);
    }
  }
  if (!at->second) return {};
  const labelled_source& source = *at->second;
  const order_label* label = source.label_of(find(source.operations, where.line, where.column));
  return label == nullptr ? std::string() : label->name;
}

}  // namespace fencepost::cli
