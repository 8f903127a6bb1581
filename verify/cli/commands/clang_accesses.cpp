#include "commands/clang_accesses.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <optional>

namespace fencepost::cli {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::string demangled(const std::string& name) {
  int wrong = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &wrong), &std::free);
  return wrong == 0 ? std::string(readable.get()) : name;
}

std::optional<unsigned> number(std::string_view digits) {
  unsigned n = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (wrong != std::errc() || end != digits.data() + digits.size()) return {};
  return n;
}

std::string_view trimmed(std::string_view t) {
  const std::size_t begin = t.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return t.substr(begin, t.find_last_not_of(' ') - begin + 1);
}

// A type is what comes first, with all that is in its brackets.
std::string_view type_of(std::string_view t) {
  int depth = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i] == '<' || t[i] == '{' || t[i] == '[' || t[i] == '(') ++depth;
    if (t[i] == '>' || t[i] == '}' || t[i] == ']' || t[i] == ')') --depth;
    if (depth == 0 && (t[i] == ',' || (t[i] == ' ' && t.substr(i, 2) != " (")))
      return t.substr(0, i);
  }
  return t;
}

unsigned bits_of_structure(std::string_view type);

// 0: of a type for which nobody knows.
unsigned bits_of(std::string_view type) {
  if (type == "ptr" || type.ends_with("*")) return 64;
  if (type == "float") return 32;
  if (type == "double") return 64;
  if (type == "half" || type == "bfloat") return 16;
  if (type == "fp128") return 128;
  if (type == "x86_fp80") return 80;
  if (type.starts_with('i')) return number(type.substr(1)).value_or(0);
  const bool vector = type.starts_with('<');
  if ((vector || type.starts_with('[')) && type.size() > 2) {
    const std::string_view inside = type.substr(1, type.size() - 2);
    const std::size_t by = inside.find(" x ");
    if (by == std::string_view::npos) return 0;
    return number(trimmed(inside.substr(0, by))).value_or(0) *
           bits_of(trimmed(inside.substr(by + 3)));
  }
  if (type.starts_with("{ ") && type.ends_with(" }")) return bits_of_structure(type);
  return 0;
}

// As functions return them in registers: numbers and pointers, each at a multiple of its size.
unsigned bits_of_structure(std::string_view type) {
  std::string_view left = trimmed(type.substr(1, type.size() - 2));
  unsigned end = 0;
  unsigned alignment = 8;
  while (!left.empty()) {
    const std::string_view member = type_of(left);
    const unsigned bits = member.starts_with('{') ? 0 : bits_of(member);
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return 0;
    alignment = std::max(alignment, bits);
    end = (end + bits - 1) / bits * bits + bits;
    left = trimmed(left.substr(std::min(member.size() + 1, left.size())));
  }
  return (end + alignment - 1) / alignment * alignment;
}

bool is_announced(std::string_view type) {
  const unsigned bits = bits_of(type);
  const unsigned bytes = (bits + 7) / 8;
  return bits != 0 && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16);
}

// The names of values within a line: %5, %x.addr.
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
    if (is_one_of(operation, {"atomicrmw", "cmpxchg"}) && in_thread) {
      const std::size_t pointer = line.find_first_of("%@");
      add("an atomic operation (" +
          std::string(trimmed(line.substr(0, std::min(pointer, line.size())))) + ")");
    }
    if (is_one_of(operation, {"call", "invoke"})) {
      const std::size_t masked = line.find("@llvm.masked.");
      if (masked != std::string_view::npos) {
        const std::string_view name = line.substr(masked + 1);
        add("an access by " + std::string(name.substr(0, name.find('('))));
      }
      for (std::size_t at = 0; (at = line.find("byval(", at)) != std::string_view::npos; ++at)
        by_value(line.substr(at));
      // Neither debug information nor a lifetime lets an address leave.
      if (line.find("@llvm.dbg.") != std::string_view::npos ||
          line.find("@llvm.lifetime.") != std::string_view::npos)
        return;
    }
    leave(whole);
  }

  // An argument that is copied where it is passed.
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
    // Of loads the hook comes before the instruction; stores are replaced by theirs.
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
    // What is stored may be an address.
    if (operation == "store") leave(pointed.substr(0, std::min(at, pointed.size())));
  }

  void leave(std::string_view line) {
    for_each_value(line, [&](std::string_view name) {
      if (const auto v = variables_.find(name); v != variables_.end()) v->second.leaves = true;
    });
  }

  struct variable {
    bool leaves = false;
    std::string accessed_as;  // of a type that is not announced
  };
  std::string function_;
  std::map<std::string, variable, std::less<>> variables_;
};

// Those that are followed by a word of their own.
constexpr std::string_view with_a_word[] = {
    "-D",           "-U",      "-I",         "-include",    "-imacros",
    "-isystem",     "-iquote", "-idirafter", "-isysroot",   "-iprefix",
    "-iwithprefix", "-target", "--param",    "-Xassembler", "-Xpreprocessor",
    "-include-pch", "-B",      "--sysroot",  "-iframework", "-isystem-after",
    "-resource-dir"};
// And those that are left out: what becomes of the code does not matter here.
constexpr std::string_view left_out_with_a_word[] = {
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-L", "-l", "-u", "-z", "-e", "-T", "-Xlinker", "-framework"};
constexpr std::string_view left_out[] = {"-c",   "-S",  "-M",  "-MM",       "-MD",
                                         "-MMD", "-MP", "-MG", "-emit-llvm"};

bool is_source(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  return is_one_of(name.substr(dot),
                   {".c",   ".C",  ".cc", ".CC",   ".cp",  ".cxx",  ".CXX",  ".cpp", ".CPP",
                    ".c++", ".i",  ".ii", ".cppm", ".ccm", ".cxxm", ".c++m", ".iim", ".ixx",
                    ".ll",  ".bc", ".m",  ".mm",   ".M",   ".mi",   ".mii"});
}

template <std::size_t size>
bool is_in(std::string_view word, const std::string_view (&all)[size]) {
  return std::find(std::begin(all), std::end(all), word) != std::end(all);
}

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

std::vector<source_question> questions_for(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  struct source {
    std::string file, language;
  };
  std::vector<source> sources;
  std::string language;
  const auto end = arguments.end();
  for (auto a = arguments.begin(); a != end; ++a) {
    if (is_one_of(*a, {"-E", "-M", "-MM", "-fsyntax-only", "-###", "--version", "-v"}) &&
        (*a != "-v" || arguments.size() == 1))
      return {};
    if (is_in(*a, left_out)) continue;
    if (is_in(*a, left_out_with_a_word)) {
      if (a + 1 != end) ++a;
    } else if (*a == "-x") {
      if (a + 1 != end) language = *++a;
    } else if (a->starts_with("-x")) {
      language = a->substr(2);
    } else if (is_in(*a, with_a_word)) {
      kept.push_back(*a);
      if (a + 1 != end) kept.push_back(*++a);
    } else if (a->starts_with("-o") || a->starts_with("-Wl,") || a->starts_with("-l") ||
               a->starts_with("-L")) {
      continue;
    } else if (a->starts_with("-") && *a != "-") {
      kept.push_back(*a);
    } else if ((!language.empty() && language != "none") || is_source(*a)) {
      sources.push_back({*a, language == "none" ? "" : language});
    }
  }
  std::vector<source_question> all;
  for (const source& s : sources) {
    source_question& q = all.emplace_back(source_question{s.file, kept});
    if (!s.language.empty()) q.arguments.insert(q.arguments.end(), {"-x", s.language});
    q.arguments.insert(q.arguments.end(), {s.file, "-S", "-emit-llvm", "-g0", "-w", "-o", "-"});
  }
  return all;
}

}  // namespace fencepost::cli
