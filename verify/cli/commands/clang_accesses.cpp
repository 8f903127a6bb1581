#include "commands/clang_accesses.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "commands/clang_types.hpp"

namespace fencepost::cli {
namespace {

std::string demangled(const std::string& name) {
  int wrong = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &wrong), &std::free);
  return wrong == 0 ? std::string(readable.get()) : name;
}

// Calls `f` with the name of each value in a line: %5, %x.addr.
template <class F>
void for_each_value(std::string_view line, F f) {
  for (std::size_t at = 0; (at = line.find('%', at)) != std::string_view::npos;) {
    std::size_t end = at + 1;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 ||
                                 line[end] == '.' || line[end] == '_' || line[end] == '-'))
      ++end;
    f(line.substr(at, end - at));
    at = end;
  }
}

class code_scan {
 public:
  std::vector<std::string> found;

  void take(std::string_view line) {
    if (line.starts_with("define ")) {
      begin(line);
    } else if (line.starts_with("}")) {
      end();
    } else if (!function_.empty() && line.starts_with("  ")) {
      instruction(trimmed(line));
    }
  }

 private:
  void begin(std::string_view line) {
    const std::size_t at = line.find('@');
    if (at == std::string_view::npos) return;
    std::string_view name = line.substr(at + 1);
    if (name.starts_with('"')) name.remove_prefix(1);
    function_ = std::string(name.substr(0, name.find_first_of("(\"")));
    variables_.clear();
  }

  void end() {
    for (const auto& [name, v] : variables_)
      if (v.leaves && !v.accessed_as.empty()) add("an access of type " + v.accessed_as);
    function_.clear();
  }

  void add(const std::string& what) {
    std::string whole = "in " + demangled(function_) + ": " + what;
    if (std::find(found.begin(), found.end(), whole) == found.end())
      found.push_back(std::move(whole));
  }

  void instruction(std::string_view line) {
    const std::string_view whole = line;
    if (line.starts_with('%')) {
      const std::size_t is = line.find(" = ");
      if (is == std::string_view::npos) return;
      const std::string_view name = line.substr(0, is);
      line.remove_prefix(is + 3);
      if (line.starts_with("alloca ")) {
        variables_.try_emplace(std::string(name));
        return;
      }
    }
    for (const std::string_view prefix : {"tail ", "musttail ", "notail "})
      if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    const std::string_view operation = line.substr(0, line.find(' '));
    if (operation == "load" || operation == "store") return access(operation, line);
    const bool in_thread = line.find("syncscope(\"singlethread\")") == std::string_view::npos;
    if ((operation == "atomicrmw" || operation == "cmpxchg") && in_thread) {
      const std::size_t pointer = line.find_first_of("%@");
      add("an atomic operation (" +
          std::string(trimmed(line.substr(0, std::min(pointer, line.size())))) + ")");
    }
    if (operation == "call" || operation == "invoke") {
      if (copies_memory(assembled(line)))
        add("assembly code that copies, fills or compares memory");
      if (has_operands_in_memory(line)) return assembly(line);
      const std::size_t masked = line.find("@llvm.masked.");
      if (masked != std::string_view::npos) {
        const std::string_view name = line.substr(masked + 1);
        add("an access by " + std::string(name.substr(0, name.find('('))));
      }
      for (std::size_t at = 0; (at = line.find("byval(", at)) != std::string_view::npos; ++at)
        by_value(line.substr(at));
      // Neither debug information nor a lifetime marker makes an address escape.
      if (line.find("@llvm.dbg.") != std::string_view::npos ||
          line.find("@llvm.lifetime.") != std::string_view::npos)
        return;
    }
    leave(whole);
  }

  // Returns the instructions of inline assembly: asm sideeffect "incl $0", "=*m,*m"(ptr %p, ptr %p)
  static std::string_view assembled(std::string_view line) {
    const std::size_t code = line.find(" asm ");
    if (code == std::string_view::npos) return {};
    const std::size_t text = line.find('"', code) + 1;
    return line.substr(text, line.find('"', text) - text);
  }

  // False if there are no instructions.
  static bool has_operands_in_memory(std::string_view line) {
    const std::string_view instructions = assembled(line);
    if (instructions.find_first_not_of(" \t;") == std::string_view::npos) return false;
    const auto end = static_cast<std::size_t>(instructions.end() - line.begin());
    return line.substr(end, line.find("\"(", end) - end).find('*') != std::string_view::npos;
  }

  // True if there is an instruction like "rep movsb". (In the compiled program, clang's own copies
  // of structures that are passed by value look the same.)
  static bool copies_memory(std::string_view instructions) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
    for (const std::string_view name : {"movs", "stos", "lods", "scas", "cmps"})
      for (std::size_t at = 0; (at = instructions.find(name, at)) != std::string_view::npos; ++at) {
        const bool begins = at == 0 || letters.find(instructions[at - 1]) == std::string_view::npos;
        const std::string_view rest = instructions.substr(at + name.size());
        const std::size_t more = std::min(rest.find_first_not_of(letters), rest.size());
        // One letter is the size; two are a sign extension, and "d" and "s" are for floating point.
        if (begins && (more == 0 || (more == 1 && rest.front() != 'd' && rest.front() != 's')))
          return true;
      }
    return false;
  }

  void assembly(std::string_view line) {
    bool own = true;
    const std::string_view operands = line.substr(line.rfind("\"("));
    for_each_value(operands, [&](std::string_view name) {
      own = own && variables_.find(name) != variables_.end();
    });
    if (!own || operands.find('@') != std::string_view::npos)
      add("an operand in memory of assembly code");
  }

  // Handles an argument that is copied when it is passed.
  void by_value(std::string_view from) {
    const std::size_t pointer = from.find_first_of("%@", from.find(')'));
    if (pointer == std::string_view::npos) return;
    bool own = false;
    for_each_value(
        from.substr(pointer, from.find_first_of(",)", pointer) - pointer),
        [&](std::string_view name) { own = own || variables_.find(name) != variables_.end(); });
    if (!own) add("a structure that is passed by value from where it is");
  }

  void access(std::string_view operation, std::string_view line) {
    std::string_view rest = trimmed(line.substr(operation.size()));
    bool atomic = false;
    for (const std::string_view prefix : {"atomic ", "volatile "})
      if (rest.starts_with(prefix)) {
        atomic = atomic || prefix == "atomic ";
        rest.remove_prefix(prefix.size());
      }
    // For a load, the hook precedes the instruction; a store is replaced by its hook.
    if (atomic && operation == "store" &&
        line.find("syncscope(\"singlethread\")") == std::string_view::npos)
      add("an atomic store");
    const std::string_view type = type_of(rest);
    const std::size_t comma = line.rfind(", align");
    const std::string_view pointed = line.substr(0, comma);
    const std::size_t at = pointed.find_last_of("%@");
    const std::string_view to =
        at == std::string_view::npos ? std::string_view() : trimmed(pointed.substr(at));
    const auto own = variables_.find(to);
    if (!is_announced(type)) {
      if (own == variables_.end())
        add("an access of type " + std::string(type));
      else
        own->second.accessed_as = type;
    }
    // The stored value may be an address.
    if (operation == "store") leave(pointed.substr(0, std::min(at, pointed.size())));
  }

  void leave(std::string_view line) {
    for_each_value(line, [&](std::string_view name) {
      if (const auto v = variables_.find(name); v != variables_.end()) v->second.leaves = true;
    });
  }

  struct variable {
    bool leaves = false;
    std::string accessed_as;  // the type of an access that is not announced
  };
  std::string function_;
  std::map<std::string, variable, std::less<>> variables_;
};

}  // namespace

std::vector<std::string> unannounced_accesses(std::string_view code) {
  code_scan all;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    all.take(code.substr(0, end));
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return all.found;
}

}  // namespace fencepost::cli
