// Writes the table in which with_order.hpp looks up operations by label: for each label of the
// headers, the operation that it names and where that is in the source.
//
// usage: fencepost_label_sites FOLDER OUTPUT
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "source/label_reader.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> headers_in(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const fs::directory_entry& e : fs::recursive_directory_iterator(folder)) {
    if (e.path().extension() == ".hpp") all.push_back(e.path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string text_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns "load" for "state_.load".
std::string_view operation_of(const source_operation& o) {
  const std::string_view name = o.name;
  return name.substr(name.rfind('.') + 1);  // npos + 1 is 0
}

// Returns the kind of operation in the table, which is named after the policy's function.
std::string_view kind_of(const source_operation& o) {
  const std::string_view name = operation_of(o);
  if (name.starts_with("compare_exchange")) return "compare_exchange";
  for (const std::string_view kind :
       {"load", "store", "exchange", "fetch_add", "fetch_sub", "fetch_or", "fence"}) {
    if (name == kind) return kind;
  }
  return "other";
}

void print(std::ostream& out, const std::string& file, const labelled_source& source) {
  for (const order_label& l : source.labels) {
    if (l.operation == order_label::none) continue;
    const source_operation& o = source.operations[l.operation];
    const source_operation before =
        l.operation == 0 ? source_operation() : source.operations[l.operation - 1];
    out << "    {\"" << file << "\", \"" << l.name << "\", operation::" << kind_of(o)
        << ", std::memory_order_" << o.orders.front() << ", std::memory_order_" << o.orders.back()
        << ", " << std::boolalpha << operation_of(o).ends_with("_weak") << ", {" << before.line
        << ", " << before.column << "}, {" << o.line << ", " << o.column << "}},\n";
  }
}

std::string table_of(const fs::path& folder) {
  std::ostringstream out;
  out << "// Generated from the labels of the library's headers by fencepost_label_sites.\n"
         "#pragma once\n\n"
         "#include <atomic>\n\n"
         "#include \"fencepost/models/orders/label_site.hpp\"\n\n"
         "namespace fencepost::models {\n\n"
         "inline constexpr label_site label_sites[] = {\n";
  for (const fs::path& path : headers_in(folder)) {
    const std::string file = (folder.filename() / fs::relative(path, folder)).generic_string();
    print(out, file, read_labels(path.string(), text_in(path)));
  }
  out << "};\n\n}  // namespace fencepost::models\n";
  return out.str();
}

}  // namespace
}  // namespace fencepost::cli

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: fencepost_label_sites FOLDER OUTPUT");
    const std::filesystem::path output = argv[2];
    const std::string table = fencepost::cli::table_of(argv[1]);
    std::filesystem::create_directories(output.parent_path());
    std::ofstream(output, std::ios::binary) << table;
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "fencepost_label_sites: " << e.what() << '\n';
    return 1;
  }
}
