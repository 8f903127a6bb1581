// fencepost_pages FOLDER: writes the manual page and the completions into it.
#include <cstdio>
#include <fstream>

#include "commands/command.hpp"
#include "pages.hpp"

int main(int argc, char** argv) {
  using namespace fencepost::cli;
  if (argc != 2) {
    std::fputs("usage: fencepost_pages FOLDER\n", stderr);
    return 2;
  }
  const std::vector<entry> none;
  program p{none, "fencepost"};
  const application app = describe(p);
  const std::pair<const char*, std::string> files[] = {
      {"fencepost.1", man_page(app, FENCEPOST_VERSION)},
      {"fencepost.bash", bash_completion(app)},
      {"_fencepost", zsh_completion(app)},
      {"fencepost.fish", fish_completion(app)},
  };
  for (const auto& [name, text] : files) {
    std::ofstream out(std::string(argv[1]) + "/" + name);
    out << text;
    out.close();
    if (!out) {
      std::fprintf(stderr, "fencepost_pages: cannot write %s/%s\n", argv[1], name);
      return 2;
    }
  }
  return 0;
}
