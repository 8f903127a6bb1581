#include "audit.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "object_code.hpp"

namespace codegen {

namespace fs = std::filesystem;

const std::vector<std::string> slow_functions = {"tail_split::make_room",
                                                 "tail_split::push_slow",
                                                 "tail_split::pop_slow",
                                                 "chase_lev::grow",
                                                 "chase_lev::grow_and_put",
                                                 "chase_lev::take_last",
                                                 "private_deque::answer",
                                                 "private_deque::grow",
                                                 "slab_queue::append",
                                                 "slab_queue::find",
                                                 "slab_queue::emptied",
                                                 "ticket_queue::append",
                                                 "ticket_queue::follow",
                                                 "barrier::await_turn",
                                                 "completion::wake",
                                                 "frame_handshake::join",
                                                 "worker_sleep::post",
                                                 "worker_sleep::fall_asleep",
                                                 "basic_fork_join_worker::sync_stolen",
                                                 "basic_fork_join_worker::split_moved"};

namespace {

std::string text_of(const fs::path& file) {
  std::ifstream in{file};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A slow member function of one of the kit's classes, from its mangled name.
struct member {
  std::string in_class, name;
  bool is_slow() const { return !name.empty(); }
};
member slow_member(const std::string& mangled) {
  static const std::regex beginning{R"(^_ZNK?9fencepost(\d+)(\w+))"};
  std::smatch found;
  if (!std::regex_search(mangled, found, beginning)) return {};
  const std::string in_class = found[2].str().substr(0, std::stoul(found[1]));
  for (const std::string& slow : slow_functions) {
    const auto colons = slow.find("::");
    if (slow.substr(0, colons) != in_class) continue;
    const std::string name = slow.substr(colons + 2);
    const std::string part = std::to_string(name.size()) + name;
    for (const char after : {'E', 'I'}) {  // the end of the name, or its template arguments
      if (mangled.find(part + after) != std::string::npos) return {in_class, name};
    }
  }
  return {in_class, {}};
}

class auditor {
 public:
  auditor(object_code code, fs::path include) : code_{std::move(code)}, include_{include} {}

  audited run() && {
    for (const auto& [name, body] : code_) {
      if (name.rfind("op_", 0) != 0) continue;
      const auto end = name.find("__");
      const std::string component = name.substr(3, end - 3);
      std::set<std::string> seen;
      visit(component, name.substr(end + 2), name, seen);
    }
    for (const auto& [file, header] : headers_) {
      for (const std::string& error : header.errors) {
        result_.errors.push_back(file + ": " + error);
      }
    }
    return std::move(result_);
  }

 private:
  void visit(const std::string& component, const std::string& operation, const std::string& name,
             std::set<std::string>& seen) {
    const auto body = code_.find(name);
    if (body == code_.end() || !seen.insert(name).second) return;
    std::string& listing = result_.listings[component + " " + operation];
    listing += "   " + name + ":\n";
    for (const instruction& each : body->second.instructions) {
      listing += "      " + each.text + '\n';
      const std::string kind = order_of(each.text);
      if (kind.empty()) continue;
      const std::string label = label_of(each);
      if (label.empty()) {
        result_.errors.push_back(component + ", " + operation + ": \"" + each.text +
                                 "\" belongs to no label; it comes from" + origin(each));
      } else {
        result_.found[{component, operation, label}].insert(kind);
      }
    }
    for (const std::string& callee : body->second.calls) {
      const member slow = slow_member(callee);
      if (!slow.is_slow() || slow.name == operation) {
        visit(component, operation, callee, seen);
      } else if (component.rfind(slow.in_class, 0) == 0) {
        // The slow functions of a component's members are audited with the members' own components.
        visit(component, slow.name, callee, slow_seen_[component + " " + slow.name]);
      }
    }
  }

  // The label of the innermost place that lies in a component's header.
  std::string label_of(const instruction& each) {
    for (const source_place& p : each.places) {
      const std::string file = below_include(p.file);
      if (file.empty() || file.rfind("atomics/", 0) == 0) continue;
      const auto [header, is_new] = headers_.try_emplace(file);
      if (is_new) header->second = labels_of(text_of(include_ / "fencepost" / file));
      const labelled_operation* o = header->second.at(p.line);
      if (o == nullptr || o->label.empty()) return {};
      return fs::path(file).filename().string() + "/" + o->label;
    }
    return {};
  }

  std::string below_include(const std::string& file) const {
    const std::string folder = (include_ / "fencepost").string() + "/";
    return file.rfind(folder, 0) == 0 ? file.substr(folder.size()) : "";
  }

  static std::string origin(const instruction& each) {
    std::string text;
    for (const source_place& p : each.places) {
      text += "\n      " + p.file + ":" + std::to_string(p.line);
    }
    return text.empty() ? " a place that is not known" : text;
  }

  const object_code code_;
  const fs::path include_;
  std::map<std::string, labelled_header> headers_;
  std::map<std::string, std::set<std::string>> slow_seen_;
  audited result_;
};

std::string listed(const kinds& of) {
  std::string text;
  for (const std::string& kind : of) text += (text.empty() ? "" : ", ") + kind;
  return text.empty() ? "nothing" : text;
}

}  // namespace

audited audit(const target& t, const std::string& source, const fs::path& include) {
  const fs::path folder = FENCEPOST_CODEGEN_SOURCES;
  const temporary_file object{std::string(t.name) + "_" + source + ".o"};
  const temporary_file listing{std::string(t.name) + "_" + source + ".txt"};
  // DWARF 4: objdump 2.40 does not understand the ranges of clang++'s DWARF 5.
  const std::string compile = compiler_for(t) + " " + t.flags +
                              " -std=c++20 -O2 -gdwarf-4 -DNDEBUG -I" + include.string() +
                              " -c -o " + object.path().string() + " " +
                              (folder / "operations" / (source + ".cpp")).string();
  const std::string dump = objdump_for(t) + " -drl --inlines --no-show-raw-insn " +
                           object.path().string() + " >" + listing.path().string();
  for (const std::string& command : {compile, dump}) {
    // NOLINTNEXTLINE(cert-env33-c): the commands are the compilers of targets.hpp
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  }
  std::ifstream in{listing.path()};
  return auditor{read_objdump(in), include}.run();
}

std::vector<std::string> differences(const target& t, const column& expected,
                                     const audited& found) {
  std::set<std::string> components;
  for (const auto& [operation, listing] : found.listings) {
    components.insert(operation.substr(0, operation.find(' ')));
  }
  std::set<row_key> keys;
  for (const column* each : {&expected, &found.found}) {
    for (const auto& [key, of] : *each) {
      if (components.contains(key.component)) keys.insert(key);
    }
  }
  std::vector<std::string> all;
  for (const row_key& key : keys) {
    const auto kinds_in = [&key](const column& of) {
      const auto row = of.find(key);
      return row == of.end() ? kinds{} : row->second;
    };
    const kinds wanted = kinds_in(expected), got = kinds_in(found.found);
    if (wanted == got) continue;
    const std::string operation = key.component + " " + key.operation;
    const auto listing = found.listings.find(operation);
    all.push_back(
        operation + ", [" + key.label + "], " + t.name + ": expected " + listed(wanted) +
        ", found " + listed(got) + "\n" +
        (listing == found.listings.end() ? "   the function is not there\n" : listing->second));
  }
  return all;
}

header_labels labels_of_headers(const fs::path& include) {
  header_labels all;
  const fs::path root = include / "fencepost";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string file = fs::relative(entry.path(), root).string();
    if (file.rfind("atomics/", 0) == 0) continue;  // policies are not components
    labelled_header header = labels_of(text_of(entry.path()));
    if (header.operations.empty() && header.errors.empty()) continue;
    all[file] = std::move(header);
  }
  return all;
}

}  // namespace codegen
