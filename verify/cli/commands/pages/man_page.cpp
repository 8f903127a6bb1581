#include "pages.hpp"

namespace fencepost::cli {
namespace {

// Escapes the text for troff, in which a literal hyphen is written \-.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string item(const shown_option& o) {
  std::string names;
  for (const std::string& name : o.names) names += (names.empty() ? "" : ", ") + name;
  return ".TP\n\\fB" + roff(names) + "\\fR" +
         (o.value.empty() ? "" : " \\fI" + roff(o.value) + "\\fR") + "\n" + roff(o.text) + "\n";
}

}  // namespace

std::string man_page(const application& app, const std::string& version) {
  const std::string& name = app.name;
  std::string text = ".\\\" Made from the program's own help.\n.TH FENCEPOST 1 \"\" \"" + name +
                     " " + version + "\" \"User Commands\"\n.SH NAME\n" + name +
                     " \\- check concurrent C++20 code under its memory model\n.SH SYNOPSIS\n";
  for (const shown_command& c : commands_of(app)) {
    text += "\\fB" + name + " " + c.name + "\\fR [\\fIOPTIONS\\fR]" +
            (c.arguments.empty() ? "" : " \\fI" + roff(c.arguments) + "\\fR") + "\n.br\n";
  }
  text += ".SH DESCRIPTION\n" + roff(app.text) + "\n.SH OPTIONS\n";
  for (const shown_option& o : options_of(app)) text += item(o);
  for (const shown_command& c : commands_of(app)) {
    text += ".SS " + name + " " + c.name + "\n" + roff(c.text) + ".\n";
    if (!c.about_arguments.empty()) {
      text += ".TP\n\\fI" + roff(c.arguments) + "\\fR\n" + roff(c.about_arguments) + ".\n";
    }
    for (const shown_option& o : c.options) text += item(o);
    if (c.footer != app.footer) text += ".PP\n" + roff(c.footer);
  }
  return text + ".SH EXIT STATUS\n" + roff(app.footer) + ".SH ENVIRONMENT\n" +
         ".TP\n\\fBNO_COLOR\\fR\nIf set, output has no colours.\n";
}

}  // namespace fencepost::cli
