#!/usr/bin/env bash
# The commands of docs/guide/using-the-library.md, which ci/consume runs in a copy of the tree, with a
# home of its own.
#
#   commands.sh install|use|debian
set -euo pipefail

case $1 in
  install)
    # [install]
    cmake --preset install
    cmake --build --preset install
    cmake --install build/install --prefix ~/fencepost
    # [install]
    ;;
  use)
    # [use]
    cmake -B build/consumer -S ci/tests/consumer -DCMAKE_PREFIX_PATH=~/fencepost
    cmake --build build/consumer
    ctest --test-dir build/consumer --output-on-failure
    # [use]
    ;;
  debian)
    # [debian]
    cmake --preset install -DFENCEPOST_BUILD_TOOLS=ON -DFENCEPOST_BUILD_CLI=ON \
      -DCMAKE_INSTALL_PREFIX=/usr
    cmake --build --preset install
    (cd build/install && cpack)
    # [debian]
    ;;
  *)
    echo "commands.sh: \"$1\" is none of install, use, debian" >&2
    exit 2
    ;;
esac
