# fencepost_add_model_test(<name> SOURCES <file>... [LIBRARIES <target>...] [TIMEOUT <seconds>])
#
# Adds a GoogleTest executable that checks code with Fencepost::verify; each of its tests is a CTest
# test, "<name>/<suite>.<test>". SOURCES include "fencepost/verify/gtest.hpp"; main() is
# GoogleTest's own. LIBRARIES is what else they need: the targets of the code that is checked.
#
# How long an exploration takes depends on its number of executions. A test that takes longer than
# TIMEOUT (default 300) seconds has failed: it is not verified.
#
# Available after find_package(Fencepost COMPONENTS verify), and after add_subdirectory() if
# FENCEPOST_BUILD_VERIFY is on. Needs enable_testing(), or include(CTest), in the top folder's
# CMakeLists.txt first. With include(CTest), BUILD_TESTING=OFF leaves the test out.
include(${CMAKE_CURRENT_LIST_DIR}/FencepostTestArguments.cmake)

function(fencepost_add_model_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LIBRARIES")
  set(call "fencepost_add_model_test(${name} ...)")
  fencepost_check_libraries("${call}")
  fencepost_check_test_arguments("${call}" "the files of the test" "SOURCES, LIBRARIES and TIMEOUT")
  if(NOT TARGET GTest::gtest_main)
    find_package(GTest QUIET)
  endif()
  if(NOT TARGET GTest::gtest_main)
    message(FATAL_ERROR "${call}: GoogleTest was not found. Install it (libgtest-dev, on Debian), "
                        "say where it is (-DGTest_ROOT=<folder>), or add it to the project before "
                        "(FetchContent): the target GTest::gtest_main is what is needed.")
  endif()

  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} Fencepost::verify GTest::gtest_main)
  # Tests are listed when they are run: an executable that cannot list them is then a failure of the
  # run, not of the build.
  include(GoogleTest)
  gtest_discover_tests(
    ${name}
    TEST_PREFIX "${name}/"
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()
