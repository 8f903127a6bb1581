# Finds the libraries of other projects. Their imported targets are visible in every folder:
#
#   always                 Threads::Threads
#   FENCEPOST_WITH_HWLOC   Fencepost::hwloc
#   FENCEPOST_BUILD_VERIFY Boost::context
#   FENCEPOST_BUILD_TOOLS  CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json
#   FENCEPOST_BUILD_CLI    the same
#   FENCEPOST_BUILD_TESTS  GTest::gtest GTest::gtest_main GTest::gmock GTest::gmock_main
#                          rapidcheck rapidcheck_gtest nlohmann_json::nlohmann_json
#   FENCEPOST_BUILD_BENCH  benchmark::benchmark benchmark::benchmark_main
#   FENCEPOST_BUILD_RELACY Relacy::relacy

# fencepost_find(<package> <option> [further arguments of find_package]...)
# Finds a package that <option> needs, or ends with a message that says what to do.
macro(fencepost_find package option)
  find_package(${package} ${ARGN} QUIET CONFIG)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found: ${option}=ON needs it. "
                        "Install it (ci/setup does, on Debian) or configure with -D${option}=OFF.")
  endif()
endmacro()

find_package(Threads REQUIRED)

# hwloc has no CMake package. Its header is looked for as well as the library: distributions have it
# in a -dev package of its own.
find_path(FENCEPOST_HWLOC_INCLUDE hwloc.h)
find_library(FENCEPOST_HWLOC_LIBRARY hwloc)
mark_as_advanced(FENCEPOST_HWLOC_INCLUDE FENCEPOST_HWLOC_LIBRARY)
set(hwloc_found OFF)
if(FENCEPOST_HWLOC_INCLUDE AND FENCEPOST_HWLOC_LIBRARY)
  set(hwloc_found ON)
endif()
option(FENCEPOST_WITH_HWLOC "Pin threads and place their memory by hwloc (default: ON if it is found)"
       ${hwloc_found})
if(FENCEPOST_WITH_HWLOC)
  if(NOT hwloc_found)
    message(FATAL_ERROR
      "hwloc was not found: FENCEPOST_WITH_HWLOC=ON needs its header and its library. Install it "
      "(libhwloc-dev, on Debian), say where it is (-DFENCEPOST_HWLOC_INCLUDE=<folder> "
      "-DFENCEPOST_HWLOC_LIBRARY=<file>), or configure with -DFENCEPOST_WITH_HWLOC=OFF.")
  endif()
  # The installed package makes a target of the same name (fencepost-config.cmake.in).
  add_library(Fencepost::hwloc UNKNOWN IMPORTED GLOBAL)
  set_target_properties(
    Fencepost::hwloc PROPERTIES IMPORTED_LOCATION ${FENCEPOST_HWLOC_LIBRARY}
                                INTERFACE_INCLUDE_DIRECTORIES ${FENCEPOST_HWLOC_INCLUDE})
endif()

if(FENCEPOST_BUILD_VERIFY)
  fencepost_find(Boost FENCEPOST_BUILD_VERIFY 1.74 COMPONENTS context)
endif()
foreach(option FENCEPOST_BUILD_TOOLS FENCEPOST_BUILD_CLI)
  if(${option})
    fencepost_find(CLI11 ${option})
    fencepost_find(fmt ${option})
    fencepost_find(nlohmann_json ${option})
  endif()
endforeach()
if(FENCEPOST_BUILD_TESTS)
  fencepost_find(GTest FENCEPOST_BUILD_TESTS)
  fencepost_find(nlohmann_json FENCEPOST_BUILD_TESTS)
  fencepost_find(rapidcheck FENCEPOST_BUILD_TESTS)
endif()
if(FENCEPOST_BUILD_BENCH)
  fencepost_find(benchmark FENCEPOST_BUILD_BENCH)
endif()
if(FENCEPOST_BUILD_RELACY)
  find_path(RELACY_INCLUDE relacy/relacy.hpp HINTS ${RELACY_ROOT} ENV RELACY_ROOT NO_CACHE)
  if(NOT RELACY_INCLUDE)
    message(FATAL_ERROR
      "Relacy was not found: FENCEPOST_BUILD_RELACY=ON (preset: relacy) needs its headers. "
      "It is https://github.com/dvyukov/relacy, headers only, with nothing to build. Put a copy "
      "on the include path, or say where the folder that has relacy/relacy.hpp in it is: "
      "-DRELACY_ROOT=<folder>, or RELACY_ROOT in the environment.")
  endif()
  # A system header, to which our warnings do not apply.
  add_library(Relacy::relacy INTERFACE IMPORTED GLOBAL)
  target_include_directories(Relacy::relacy SYSTEM INTERFACE ${RELACY_INCLUDE})
endif()
