#!/usr/bin/env bash
# The commands of docs/guide/in-your-ci.md. The letterbox's folder is the current one; Fencepost is
# found by CMAKE_PREFIX_PATH.
set -euo pipefail
# [tests]
cmake -B build
cmake --build build
ctest --test-dir build --output-on-failure
# [tests]
