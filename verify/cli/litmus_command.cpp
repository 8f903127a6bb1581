// fencepost litmus FILE...: herd's C litmus tests.
#include "command.hpp"

namespace fencepost::cli {
namespace {

struct litmus_options : common_options {
  std::vector<std::string> files;
};

int litmus(const litmus_options&) {
  throw usage_error("litmus: this build has no reader of litmus tests");
}

}  // namespace

void add_litmus(CLI::App& app, program& p) {
  CLI::App* command = app.add_subcommand("litmus", "Run litmus tests in herd's C format");
  auto options = std::make_shared<litmus_options>();
  add_common(*command, *options, "");
  command->add_option("files", options->files, "Litmus files, or folders of them")
      ->type_name("FILE")
      ->required();
  command->callback([options, &p] { p.action = [options] { return litmus(*options); }; });
}

}  // namespace fencepost::cli
