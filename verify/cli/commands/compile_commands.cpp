// fencepost c++ and cc: compile programs for the checker.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <sstream>
#include <string_view>

#include "base/usage.hpp"
#include "commands/clang_accesses.hpp"
#include "commands/clang_sources.hpp"
#include "commands/command.hpp"
#include "commands/runtime_of_programs.hpp"

namespace fencepost::cli {
namespace {

// Refuses arguments that would replace our runtime with another, or leave accesses out.
void refuse_arguments(const std::string& command, const std::vector<std::string>& arguments) {
  constexpr std::string_view known[] = {
      "-static",           "-static-pie",       "-static-libtsan",     "-static-libgcc",
      "-static-libstdc++", "-nostdlib",         "-nodefaultlibs",      "-fopenmp",
      "-fgnu-tm",          "-fno-sanitize=all", "-fno-sanitize=thread"};
  for (const std::string& a : arguments) {
    const bool sanitizes = a.starts_with("-fsanitize=") && a != "-fsanitize=thread";
    if (sanitizes || std::find(std::begin(known), std::end(known), a) != std::end(known))
      throw usage_error(command + ": " + a + " cannot be used with the checker");
  }
}

// Decides by the compiler's name, or by its output for --version, as for /usr/bin/c++.
bool is_clang(const std::string& compiler) {
  const std::string_view name = std::string_view(compiler).substr(compiler.rfind('/') + 1);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("clang")) return true;
  if (has("g++") || has("gcc")) return false;
  return ask({compiler, "--version"}).text.find("clang") != std::string::npos;
}

// Takes "--compiler NAME" from the front of the arguments, where a launcher of CMake puts it;
// without it, the environment may name the compiler.
std::string name_of_compiler(const std::string& command, std::vector<std::string>& given) {
  if (given.front() == "--compiler") {
    if (given.size() < 2)
      throw usage_error(command + ": --compiler needs the name of a compiler after it");
    std::string name = given[1];
    given.erase(given.begin(), given.begin() + 2);
    return name;
  }
  const char* const wanted = std::getenv(command == "cc" ? "FENCEPOST_CC" : "FENCEPOST_CXX");
  if (wanted != nullptr && *wanted != '\0') return wanted;
  return command == "cc" ? "gcc" : "g++";
}

// The same for clang, which spells some options differently. Also refuses what would hide the code
// from require_announced().
void refuse_arguments_of_clang(const std::string& command,
                               const std::vector<std::string>& arguments) {
  constexpr std::string_view beginnings[] = {"-fsanitize-",    "-fno-sanitize-", "-static-libsan",
                                             "-shared-libsan", "-stdlib=libc++", "-flto",
                                             "-fopenmp",       "-m32",           "-mx32",
                                             "-fprofile-",     "--config",       "@",
                                             "--cuda",         "-Xclang",        "-mllvm",
                                             "-fplugin",       "-fpass-plugin"};
  for (const std::string& a : arguments) {
    const bool refused = std::any_of(std::begin(beginnings), std::end(beginnings),
                                     [&](std::string_view b) { return a.starts_with(b); });
    if (refused)
      throw usage_error(command + ": " + a + " of clang cannot be used with the checker");
  }
}

// Refuses each source file in which clang would make accesses that it does not announce. Called
// before the files are compiled.
void require_announced(const std::string& command, const std::vector<std::string>& compiler,
                       const std::vector<std::string>& given,
                       const std::vector<std::string>& flags) {
  for (const source_question& q : questions_for(given)) {
    std::vector<std::string> words = compiler;
    words.insert(words.end(), q.arguments.begin(), q.arguments.end());
    words.insert(words.end(), flags.begin(), flags.end());
    const answer code = ask(words);
    if (code.status != 0) std::exit(code.status < 0 ? 1 : code.status);  // clang has said why
    std::string hidden;
    for (const std::string& what : unannounced_accesses(code.text)) hidden += "\n  " + what;
    if (!hidden.empty())
      throw usage_error(
          command + ": " + q.file +
          " cannot be checked when compiled by clang, because the checker would not observe:" +
          hidden);
  }
}

// Returns the option for the plugin with which gcc announces structures that are passed and
// returned, if there is one for this version.
std::vector<std::string> plugin_for(const std::string& compiler, const std::string& folder) {
  const char* const supported = FENCEPOST_STRUCTURES_BY_GCC;
  if (*supported == '\0' ||
      ask({compiler, "-dumpfullversion"}).text != std::string(supported) + '\n')
    return {};
  return {"-fplugin=" + folder + "/gcc_structures.so"};
}

// True if the arguments name a file. Without one, our own libraries would be all that is linked.
bool names_a_file(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "-o")
      ++i;
    else if (arguments[i] == "-" || !arguments[i].starts_with('-'))
      return true;
  }
  return false;
}

std::vector<std::string> words_of(const char* written) {
  std::istringstream all(written);
  return {std::istream_iterator<std::string>(all), {}};
}

}  // namespace

// Arguments of a compiler are not for our parser.
bool is_compilation(int argc, const char* const* argv) {
  if (argc < 3) return false;
  const std::string_view command = argv[1];
  const std::string_view first = argv[2];
  return (command == "c++" || command == "cc") && first != "--help" && first != "-h";
}

[[noreturn]] void compile(int argc, const char* const* argv) {
  const std::string command = argv[1];
  std::vector<std::string> given(argv + 2, argv + argc);
  const std::string name = name_of_compiler(command, given);
  refuse_arguments(command, given);
  if (!names_a_file(given)) {
    given.insert(given.begin(), name);
    execute(given);  // the compiler reports that there is no file, or answers, as for --version
  }
  const std::string folder = runtime_folder();
  std::vector<std::string> compiler{name, "-O0", "-g", "-I", folder + "/testing"};
  // Our headers replace those of GoogleTest, and all that is in its libraries.
  std::erase_if(given, [](const std::string& a) { return a == "-lgtest" || a == "-lgtest_main"; });
  const bool by_clang = is_clang(name);
  std::vector<std::string> flags =
      words_of(by_clang ? FENCEPOST_PROGRAM_CLANG_FLAGS : FENCEPOST_PROGRAM_FLAGS);
  flags.insert(flags.end(), {"-isystem", folder + "/std"});
  if (by_clang) {
    refuse_arguments_of_clang(command, given);
    require_announced(command, compiler, given, flags);
    // Linked before all other libraries, whose functions it interposes (-lm). g++ does this by
    // itself.
    compiler.insert(
        compiler.end(),
        {"-L" + folder, "-Wl,--push-state,--no-as-needed,-lfencepost_program,--pop-state"});
  } else {
    flags.push_back("-B" + folder);
    const std::vector<std::string> plugin = plugin_for(name, folder);
    flags.insert(flags.end(), plugin.begin(), plugin.end());
  }
  flags.insert(flags.end(), {"-Wl,-rpath," + folder, "-Wl,-lfencepost_main_of_tests"});
  std::vector<std::string> words = compiler;
  words.insert(words.end(), given.begin(), given.end());
  words.insert(words.end(), flags.begin(), flags.end());
  execute(words);
}

command compile_command(program&, const std::string& name) {
  const std::string language = name == "cc" ? "C" : "C++";
  command c{name, "Compile and link a " + language + " program to be checked as it is",
            "The compiler is " +
                std::string(name == "cc" ? "gcc, or FENCEPOST_CC" : "g++, or FENCEPOST_CXX") +
                " of the environment (" + (name == "cc" ? "clang" : "clang++") +
                "), or NAME where the arguments\n"
                "begin with --compiler NAME. It is given -O0 -g before the arguments.\n"
                "Exit status: the compiler's; 2 wrong usage, or clang emits accesses that the "
                "checker would not observe.\n"};
  auto arguments = std::make_shared<std::vector<std::string>>();
  c.option("arguments", *arguments, "ARGUMENT", "The arguments for the compiler").is_required();
  c.run = [] { return int{exit_usage}; };  // compile() has done it
  return c;
}

}  // namespace fencepost::cli
