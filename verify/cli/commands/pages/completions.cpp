#include "base/names.hpp"
#include "pages.hpp"

namespace fencepost::cli {
namespace {

std::string names_of(const std::vector<shown_option>& options) {
  std::vector<std::string> all;
  for (const shown_option& o : options) all.insert(all.end(), o.names.begin(), o.names.end());
  return joined(all, " ");
}

// Quotes the text for use between single quotes, and puts a backslash before each character of
// `escaped`, which zsh would interpret.
std::string quoted(const std::string& text, const std::string& escaped = {}) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (escaped.find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string first_sentence(const std::string& text) { return text.substr(0, text.find("; ")); }

}  // namespace

std::string bash_completion(const application& app) {
  std::string names = names_of(options_of(app));
  std::string cases;
  std::string values;
  for (const shown_command& c : commands_of(app)) {
    names += " " + c.name;
    cases += "    " + c.name + ") options='" + names_of(c.options) + "' ;;\n";
    for (const shown_option& o : c.options) {
      const std::string on = "    " + c.name + ":" + joined(o.names, " | " + c.name + ":") + ")";
      if (o.takes_file()) {
        values += on + " compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n";
      } else if (!o.words().empty()) {
        values += on + " COMPREPLY=($(compgen -W '" + joined(o.words(), " ") +
                  "' -- \"$word\")); return ;;\n";
      } else if (!o.value.empty()) {
        values += on + " return ;;\n";
      }
    }
    const std::string arguments =
        c.takes_scenarios  ? "COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" list 2>/dev/null | "
                             "sed -n 's#^\\([a-z0-9_]*/[a-z0-9_]*\\) .*#\\1#p')\" -- \"$word\"))"
        : c.takes_files    ? "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))"
        : c.name == "help" ? "COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))"
                           : "";
    if (!arguments.empty())
      values += "    " + c.name + ":*) [[ $word == -* ]] || { " + arguments + "; return; } ;;\n";
  }
  std::string commands;
  for (const shown_command& c : commands_of(app)) {
    commands += (commands.empty() ? "" : " ") + c.name;
  }
  return "# bash completion for fencepost, made from the program itself\n"
         "# shellcheck shell=bash disable=SC2207\n"
         "_fencepost() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local command=${COMP_WORDS[1]} commands='" +
         commands +
         "' options=''\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W '" +
         names +
         "' -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  case $command:$before in\n" +
         values +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "}\n"
         "complete -F _fencepost fencepost\n";
}

std::string zsh_completion(const application& app) {
  std::string commands;
  std::string cases;
  for (const shown_command& c : commands_of(app)) {
    commands += "    '" + c.name + ":" + quoted(c.text, ":") + "'\n";
    cases += "    " + c.name + ")\n      _arguments";
    for (const shown_option& o : c.options) {
      for (const std::string& name : o.names) {
        cases += " \\\n        '" + name + "[" + quoted(first_sentence(o.text), "[]:") + "]";
        if (o.takes_file()) {
          cases += ":file:_files";
        } else if (!o.words().empty()) {
          cases += ":value:(" + joined(o.words(), " ") + ")";
        } else if (!o.value.empty()) {
          cases += ":" + quoted(o.value, ":[]") + ":";
        }
        cases += "'";
      }
    }
    if (c.takes_scenarios) cases += " \\\n        '*:scenario:_fencepost_scenarios'";
    if (c.takes_files) cases += " \\\n        '*:file:_files'";
    cases += "\n      ;;\n";
  }
  return "#compdef fencepost\n"
         "# made from the program itself\n"
         "_fencepost_scenarios() {\n"
         "  local -a names\n"
         "  names=(${(f)\"$(fencepost list 2>/dev/null | "
         "sed -n 's#^\\([a-z0-9_]*/[a-z0-9_]*\\) .*#\\1#p')\"})\n"
         "  compadd -a names\n"
         "}\n"
         "_fencepost() {\n"
         "  local -a commands\n"
         "  commands=(\n" +
         commands +
         "  )\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe command commands\n"
         "    _arguments '--help[Print this and exit]' '--version[Print the version and exit]'\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_fencepost \"$@\"\n";
}

std::string fish_completion(const application& app) {
  std::string text = "# made from the program itself\ncomplete -c fencepost -f\n";
  const auto option = [&](const std::string& condition, const shown_option& o) {
    text += "complete -c fencepost -n '" + condition + "'";
    for (const std::string& name : o.names) {
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (o.takes_file()) {
      text += " -r -F";
    } else if (!o.words().empty()) {
      text += " -x -a '" + joined(o.words(), " ") + "'";
    } else if (!o.value.empty()) {
      text += " -x";
    }
    text += " -d '" + quoted(first_sentence(o.text)) + "'\n";
  };
  for (const shown_option& o : options_of(app)) option("__fish_use_subcommand", o);
  for (const shown_command& c : commands_of(app)) {
    const std::string here = "__fish_seen_subcommand_from " + c.name;
    text += "complete -c fencepost -n __fish_use_subcommand -a " + c.name + " -d '" +
            quoted(c.text) + "'\n";
    for (const shown_option& o : c.options) option(here, o);
    if (c.takes_scenarios) {
      text += "complete -c fencepost -n '" + here +
              "' -a '(fencepost list 2>/dev/null | string match -r \"^[a-z0-9_]+/[a-z0-9_]+\")'\n";
    }
    if (c.takes_files) text += "complete -c fencepost -n '" + here + "' -F\n";
  }
  return text;
}

}  // namespace fencepost::cli
