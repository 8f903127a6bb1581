// The program as a whole: its commands, and its messages about arguments that it does not
// understand.
#include "commands/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <new>
#include <sstream>

#include "base/names.hpp"
#include "base/printable.hpp"
#include "base/screen.hpp"
#include "base/streams.hpp"
#include "base/this_program.hpp"
#include "base/usage.hpp"
#include "commands/command.hpp"
#include "fencepost/verify/report.hpp"

#if !defined(FENCEPOST_VERSION)
#define FENCEPOST_VERSION "0"
#endif

namespace fencepost::cli {
namespace {

constexpr const char* version = "fencepost " FENCEPOST_VERSION;

std::vector<std::string_view> names_of(const std::vector<command>& commands) {
  std::vector<std::string_view> names;
  for (const command& c : commands) names.push_back(c.name);
  return names;
}

std::string all_commands(const application& all) {
  std::string text = "the commands are";
  for (const std::string_view name : names_of(all.commands)) {
    text.append(text.ends_with("are") ? " " : ", ").append(name);
  }
  return text;
}

std::string no_command(const application& all, const std::string& word) {
  std::string message = "there is no command '" + word + "'";
  if (const std::string near = did_you_mean(word, names_of(all.commands)); !near.empty()) {
    return message + near;
  }
  return message + "; " + all_commands(all);
}

void add(CLI::App& to, const argument& a) {
  if (a.takes == argument::values::none) {
    to.add_flag_callback(
          a.names, [&a] { a.set({}); }, a.text)
        ->disable_flag_override();
    return;
  }
  CLI::Option* o = to.add_option(
      a.names,
      [&a](const std::vector<std::string>& given) {
        a.set(given);
        return true;
      },
      a.text);
  o->type_name(a.type)->default_str(a.shown_default)->required(a.required);
  if (a.check)
    o->check(CLI::Validator([&a](const std::string& text) { return a.check(text); }, ""));
  if (a.takes == argument::values::listed) o->expected(CLI::detail::expected_max_vector_size);
  if (a.takes == argument::values::repeated) {
    o->expected(CLI::detail::expected_max_vector_size);
    o->allow_extra_args(false);  // what follows its value is a pattern
    o->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

// The parser refers to `all`; it sets `chosen` to the command that was given.
std::unique_ptr<CLI::App> parser_of(const application& all, const command*& chosen) {
  auto app = std::make_unique<CLI::App>(all.text, all.name);
  app->set_version_flag("--version", version, all.arguments.front().text);
  app->set_help_flag(all.arguments.back().names, all.arguments.back().text);
  app->require_subcommand(1);
  app->footer(all.footer);
  for (const command& c : all.commands) {
    CLI::App* parser = app->add_subcommand(c.name, c.text);
    if (!c.footer.empty()) parser->footer(c.footer);
    for (const argument& a : c.arguments) add(*parser, a);
    parser->callback([&c, &chosen] { chosen = &c; });
  }
  return app;
}

// Wraps lines of CLI11's help to the width of the terminal.
std::string folded(const std::string& text) {
  constexpr std::size_t indent = 30;  // the column in which CLI11 describes options
  const std::size_t width = std::max<std::size_t>(screen(stdout, when::never).width(), 2 * indent);
  std::string all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool described = line.starts_with("  ");
    const bool splits = line.size() > width && (!described || line[indent - 1] == ' ');
    if (!splits) {
      all += line + "\n";
      continue;
    }
    const std::size_t from = described ? indent : 0;
    std::string before = line.substr(0, from);
    for (const std::string& part : verify::wrapped(line.substr(from), width - from)) {
      all += before + part + "\n";
      before.assign(from, ' ');
    }
  }
  return all;
}

std::string help(const application& all, const std::string& name) {
  const command* chosen = nullptr;
  const auto app = parser_of(all, chosen);
  // The help of the program, as if no command had been given.
  if (name.empty()) {
    return folded(app->get_formatter()->make_help(app.get(), all.name, CLI::AppFormatMode::Normal));
  }
  for (const CLI::App* c : app->get_subcommands({})) {
    if (c->get_name() == name) return folded(c->help(all.name));
  }
  throw usage_error(no_command(all, name));
}

command help_command(program& p) {
  command c{"help", "Print the options of a command, or the list of commands",
            "Exit status: 0; 2 wrong usage.\n"};
  auto name = std::make_shared<std::string>();
  c.option("command", *name, "COMMAND", "The command; without it, print the list of commands");
  c.run = [name, &p] {
    print(stdout, help(describe(p), *name));
    return int{exit_as_expected};
  };
  return c;
}

command version_command() {
  command c{"version", "Print the version of the program", "Exit status: 0; 2 wrong usage.\n"};
  c.run = [] {
    print(stdout, std::string(version) + "\n");
    return int{exit_as_expected};
  };
  return c;
}

std::string without_value(const std::string& option) { return option.substr(0, option.find('=')); }

// The message for an argument that no command takes, or not this one.
std::string not_expected(const application& all, const CLI::App& app, const CLI::App* command,
                         const std::string& word) {
  if (!word.starts_with('-')) {
    return command == nullptr ? no_command(all, word)
                              : command->get_name() + ": '" + word + "' is an argument too many";
  }
  const std::string option = without_value(word);
  std::vector<std::string> names;
  for (const CLI::Option* o : (command == nullptr ? app : *command).get_options()) {
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : o->get_snames()) names.push_back("-" + name);
  }
  if (std::find(names.begin(), names.end(), option) != names.end()) {
    return "'" + option + "' is an option of " + command->get_name() +
           ": give it after the command";
  }
  const std::string near = did_you_mean(option, {names.begin(), names.end()});
  const bool may_be_passed_on = command != nullptr && command->get_name() == "check";
  return (command == nullptr ? "" : command->get_name() + ": ") + "there is no option '" + option +
         "'" + near + (may_be_passed_on ? "; put the program's own arguments after --" : "");
}

// CLI11's message for the error, or a better one where that says too little.
std::string explained(const CLI::ParseError& e, const application& all, const CLI::App& app,
                      const CLI::App* command) {
  std::string what = e.what();
  const auto number_after = [&](std::string_view words) {
    const std::size_t at = what.find(words);
    return at == std::string::npos ? std::string() : what.substr(at + words.size());
  };
  const std::vector<std::string> words = app.remaining(true);
  if (!words.empty()) return not_expected(all, app, command, words.front());
  if (const std::string times = number_after(": At Most 1 required but received ");
      !times.empty()) {
    return what.substr(0, what.find(':')) + ": given " + times + " times; once is enough";
  }
  if (const std::string value = number_after(": 1 required "); value.ends_with(" missing")) {
    return what.substr(0, what.find(':')) + ": its " + value.substr(0, value.rfind(' ')) +
           " is missing";
  }
  if (what.find("flag override") != std::string::npos) {
    return "--" + what.substr(0, what.find(' ')) + ": takes no value";
  }
  if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr) {
    if (command == nullptr) return "a command is missing; " + all_commands(all);
    const std::string missing = what.substr(0, what.find(' '));
    return command->get_name() + ": no " + missing + (missing.ends_with('s') ? " are" : " is") +
           " given";
  }
  return what;
}

int refuse(const std::string& message) {
  print(stderr, printable_message(this_program().name + ": " + message) + "\n");
  return exit_usage;
}

int parse_and_run(int argc, const char* const* argv, const std::vector<entry>& entries) {
  if (this_program().is_fencepost) {
    if (is_compilation(argc, argv)) compile(argc, argv);
    argc = count_for_parser(argc, argv);
  }
  program p{entries, argc > 0 ? argv[0] : this_program().name};
  const application all = describe(p);
  const command* chosen = nullptr;
  const std::unique_ptr<CLI::App> app = parser_of(all, chosen);
  try {
    app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(stdout, folded(app->help()));
    return exit_as_expected;
  } catch (const CLI::CallForVersion& e) {
    print(stdout, std::string(e.what()) + "\n");
    return exit_as_expected;
  } catch (const CLI::ParseError& e) {
    const std::vector<CLI::App*> given = app->get_subcommands();
    const CLI::App* const command = given.empty() ? nullptr : given.front();
    return refuse(explained(e, all, *app, command) + "\n'" + all.name + " " +
                  (command == nullptr ? "" : command->get_name() + " ") +
                  "--help' lists what is accepted");
  }
  return chosen->run();
}

}  // namespace

application describe(program& p) {
  std::vector<command> commands = {
      list_command(p),        verify_command(p),  shard_command(p),  run_shard_command(p),
      merge_command(p),       explain_command(p), litmus_command(p), necessity_command(p),
      certificate_command(p), labels_command(p),  stress_command(p)};
  if (this_program().is_fencepost) {  // these need files that are installed beside the program
    commands.push_back(compile_command(p, "c++"));
    commands.push_back(compile_command(p, "cc"));
    commands.push_back(check_command(p));
  }
  commands.push_back(help_command(p));
  commands.push_back(version_command());
  return {this_program().name,
          "A model checker for C++20 concurrency, and the scenarios that it checks.",
          "Exit status: 0 all as expected; 1 something is not; 2 wrong usage or bad input;\n"
          "3 a limit was hit, or an interrupt came, before the exploration was complete\n"
          "(0 with --accept-incomplete, unless it was an interrupt).\n",
          {{"--version", "", "Print the version and exit", argument::values::none, {}},
           {"-h,--help", "", "Print this and exit", argument::values::none, {}}},
          std::move(commands)};
}

int run(int argc, const char* const* argv, const std::vector<entry>& entries) {
  return run(argc, argv, [&] { return entries; });
}

int run(int argc, const char* const* argv, const std::function<std::vector<entry>()>& table) {
  try {
    const standard_streams streams;
    try {
      const int status = parse_and_run(argc, argv, table());
      standard_streams::finish();
      return status;
    } catch (const usage_error& e) {
      return refuse(e.what());
    } catch (const std::bad_alloc&) {
      return refuse("no memory is left");
    } catch (const std::exception& e) {
      return refuse(std::string("a fault of the program, which should be reported: ") + e.what());
    }
  } catch (const reader_gone&) {
    ::raise(SIGPIPE);
    return 128 + SIGPIPE;  // if SIGPIPE is blocked
  }
}

}  // namespace fencepost::cli
