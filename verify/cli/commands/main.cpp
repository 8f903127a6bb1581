#include "commands/command_line.hpp"

int main(int argc, char** argv) {
  return fencepost::cli::run(argc, argv, fencepost::cli::registry());
}
