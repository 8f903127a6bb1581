// The program as a whole: its commands, and what it says of those that it does not understand.
#include "commands/program.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>

#include "base/names.hpp"
#include "base/printable.hpp"
#include "base/streams.hpp"
#include "base/usage.hpp"
#include "commands/command.hpp"

#if !defined(FENCEPOST_VERSION)
#define FENCEPOST_VERSION "0"
#endif

namespace fencepost::cli {
namespace {

constexpr const char* version = "fencepost " FENCEPOST_VERSION;

std::vector<std::string_view> commands_of(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* a : app.get_subcommands({})) names.push_back(a->get_name());
  return names;
}

std::string all_commands(const CLI::App& app) {
  std::string text = "the commands are";
  for (const std::string_view name : commands_of(app)) {
    text.append(text.ends_with("are") ? " " : ", ").append(name);
  }
  return text;
}

std::string no_command(const CLI::App& app, const std::string& word) {
  std::string message = "there is no command '" + word + "'";
  if (const std::string near = did_you_mean(word, commands_of(app)); !near.empty()) {
    return message + near;
  }
  return message + "; " + all_commands(app);
}

void add_help(CLI::App& app, program& p) {
  CLI::App* command = app.add_subcommand("help", "Print the options of a command");
  command->footer("Exit status: 0; 2 wrong usage.\n");
  auto name = std::make_shared<std::string>();
  command->add_option("command", *name, "The command; none: the commands")->type_name("COMMAND");
  command->callback([name, &app, &p] {
    p.action = [name, &app] {
      const CLI::App* meant = nullptr;
      for (const CLI::App* a : app.get_subcommands({})) {
        if (a->get_name() == *name) meant = a;
      }
      if (!name->empty() && meant == nullptr) throw usage_error(no_command(app, *name));
      // Of the program: as if no command had been given.
      print(stdout, meant != nullptr ? meant->help(app.get_name())
                                     : app.get_formatter()->make_help(&app, app.get_name(),
                                                                      CLI::AppFormatMode::Normal));
      return int{exit_as_expected};
    };
  });
}

void add_version(CLI::App& app, program& p) {
  CLI::App* command = app.add_subcommand("version", "Print the version of the program");
  command->footer("Exit status: 0; 2 wrong usage.\n");
  command->callback([&p] {
    p.action = [] {
      print(stdout, std::string(version) + "\n");
      return int{exit_as_expected};
    };
  });
}

std::string without_value(const std::string& option) { return option.substr(0, option.find('=')); }

// An argument that no command takes, or not this one.
std::string not_expected(const CLI::App& app, const CLI::App* command, const std::string& word) {
  if (!word.starts_with('-')) {
    return command == nullptr ? no_command(app, word)
                              : command->get_name() + ": '" + word + "' is one argument too many";
  }
  const std::string option = without_value(word);
  std::vector<std::string> names;
  for (const CLI::Option* o : (command == nullptr ? app : *command).get_options()) {
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : o->get_snames()) names.push_back("-" + name);
  }
  if (std::find(names.begin(), names.end(), option) != names.end()) {
    return "'" + option + "' is an option of " + command->get_name() +
           ": name it after the command";
  }
  return (command == nullptr ? "" : command->get_name() + ": ") + "there is no option '" + option +
         "'" + did_you_mean(option, {names.begin(), names.end()});
}

// CLI11's words, where they say too little.
std::string in_words(const CLI::ParseError& e, const CLI::App& app, const CLI::App* command) {
  std::string what = e.what();
  const auto number_after = [&](std::string_view words) {
    const std::size_t at = what.find(words);
    return at == std::string::npos ? std::string() : what.substr(at + words.size());
  };
  const std::vector<std::string> words = app.remaining(true);
  if (!words.empty()) return not_expected(app, command, words.front());
  if (const std::string times = number_after(": At Most 1 required but received ");
      !times.empty()) {
    return what.substr(0, what.find(':')) + ": is given " + times + " times; once is enough";
  }
  if (const std::string value = number_after(": 1 required "); value.ends_with(" missing")) {
    return what.substr(0, what.find(':')) + ": its " + value.substr(0, value.rfind(' ')) +
           " is missing";
  }
  if (what.find("flag override") != std::string::npos) {
    return "--" + what.substr(0, what.find(' ')) + ": takes no value";
  }
  if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr) {
    if (command == nullptr) return "a command is missing; " + all_commands(app);
    return command->get_name() + ": no " + what.substr(0, what.find(' ')) + " are given";
  }
  return what;
}

int refuse(const std::string& message) {
  print(stderr, printable_message("fencepost: " + message) + "\n");
  return exit_usage;
}

int parse_and_run(int argc, const char* const* argv, const std::vector<entry>& entries) {
  program p{entries, argc > 0 ? argv[0] : "fencepost"};
  const std::unique_ptr<CLI::App> app = make_application(p);
  try {
    app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(stdout, app->help());
    return exit_as_expected;
  } catch (const CLI::CallForVersion& e) {
    print(stdout, std::string(e.what()) + "\n");
    return exit_as_expected;
  } catch (const CLI::ParseError& e) {
    const std::vector<CLI::App*> given = app->get_subcommands();
    const CLI::App* const command = given.empty() ? nullptr : given.front();
    return refuse(in_words(e, *app, command) + "\n'fencepost " +
                  (command == nullptr ? "" : command->get_name() + " ") +
                  "--help' shows what there is");
  }
  return p.action();
}

}  // namespace

std::unique_ptr<CLI::App> make_application(program& p) {
  auto app = std::make_unique<CLI::App>(
      "A model checker for C++20 concurrency, and the scenarios that it checks.", "fencepost");
  app->set_version_flag("--version", version, "Print the version and exit");
  app->set_help_flag("-h,--help", "Print this and exit");
  app->require_subcommand(1);
  app->footer(
      "Exit status: 0 all as expected; 1 something is not; 2 wrong usage or bad input;\n"
      "3 a limit was hit, or an interrupt came, before the exploration was complete\n"
      "(0 with --accept-incomplete, unless it was an interrupt).\n");
  add_list(*app, p);
  add_verify(*app, p);
  add_explain(*app, p);
  add_litmus(*app, p);
  add_necessity(*app, p);
  add_certificate(*app, p);
  add_labels(*app, p);
  add_stress(*app, p);
  add_help(*app, p);
  add_version(*app, p);
  for (CLI::App* command : app->get_subcommands({})) {
    for (CLI::Option* o : command->get_options()) {
      if (o->get_items_expected_max() == 0) o->disable_flag_override();  // no --nightly=3
    }
  }
  return app;
}

int run(int argc, const char* const* argv, const std::vector<entry>& entries) {
  try {
    const standard_streams streams;
    try {
      const int status = parse_and_run(argc, argv, entries);
      standard_streams::finish();
      return status;
    } catch (const usage_error& e) {
      return refuse(e.what());
    } catch (const std::bad_alloc&) {
      return refuse("there is no memory left");
    } catch (const std::exception& e) {
      return refuse(std::string("a fault of the program, which should be reported: ") + e.what());
    }
  } catch (const reader_gone&) {
    ::raise(SIGPIPE);
    return 128 + SIGPIPE;  // where it is blocked
  }
}

}  // namespace fencepost::cli
