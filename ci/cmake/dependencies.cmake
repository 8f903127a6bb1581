# What is not ours. The imported targets are visible in every folder:
#
#   always                 Threads::Threads
#   FENCEPOST_BUILD_VERIFY Boost::context
#   FENCEPOST_BUILD_TOOLS  CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json
#   FENCEPOST_BUILD_TESTS  GTest::gtest GTest::gtest_main GTest::gmock GTest::gmock_main
#                          rapidcheck rapidcheck_gtest nlohmann_json::nlohmann_json
#   FENCEPOST_BUILD_BENCH  benchmark::benchmark benchmark::benchmark_main

# fencepost_find(<package> <option> [further arguments of find_package]...)
# Finds what <option> needs, or says what to do about it.
macro(fencepost_find package option)
  find_package(${package} ${ARGN} QUIET CONFIG)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found: ${option}=ON needs it. "
                        "Install it (ci/setup does, on Debian) or configure with -D${option}=OFF.")
  endif()
endmacro()

find_package(Threads REQUIRED)

if(FENCEPOST_BUILD_VERIFY)
  fencepost_find(Boost FENCEPOST_BUILD_VERIFY 1.74 COMPONENTS context)
endif()
if(FENCEPOST_BUILD_TOOLS)
  fencepost_find(CLI11 FENCEPOST_BUILD_TOOLS)
  fencepost_find(fmt FENCEPOST_BUILD_TOOLS)
  fencepost_find(nlohmann_json FENCEPOST_BUILD_TOOLS)
endif()
if(FENCEPOST_BUILD_TESTS)
  fencepost_find(GTest FENCEPOST_BUILD_TESTS)
  fencepost_find(nlohmann_json FENCEPOST_BUILD_TESTS)
  fencepost_find(rapidcheck FENCEPOST_BUILD_TESTS)
endif()
if(FENCEPOST_BUILD_BENCH)
  fencepost_find(benchmark FENCEPOST_BUILD_BENCH)
endif()
