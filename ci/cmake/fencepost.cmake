# What the CMakeLists.txt of the folders are written with.
#
#   add_library(fencepost_verify src/explorer.cpp src/report.cpp)
#   add_library(Fencepost::verify ALIAS fencepost_verify)
#   fencepost_headers(fencepost_verify)
#   fencepost_target(fencepost_verify)
#   target_link_libraries(fencepost_verify PUBLIC Fencepost::core PRIVATE Boost::context)
#   if(FENCEPOST_BUILD_TESTS)
#     fencepost_test(explorer_test SOURCES tests/explorer_test.cpp LIBRARIES Fencepost::verify)
#   endif()

if(FENCEPOST_BUILD_TESTS)
  include(GoogleTest)
endif()

# Held to by our own code, never by that of whoever links to it.
if(FENCEPOST_STRICT AND MSVC)
  set(fencepost_warnings /W4 /WX /permissive- /Zc:__cplusplus)
elseif(FENCEPOST_STRICT)
  set(fencepost_warnings
      -Wall
      -Wextra
      -Wpedantic
      -Wconversion
      -Wsign-conversion
      -Wshadow
      -Wnon-virtual-dtor
      -Woverloaded-virtual
      -Wold-style-cast
      -Wextra-semi
      -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND fencepost_warnings -Wduplicated-cond -Wlogical-op)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      list(APPEND fencepost_warnings -Wno-restrict) # wrong about std::string's operator+
    endif()
  elseif(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15)
    # libstdc++'s std::stable_sort uses what it has deprecated, and this clang++ says so.
    list(APPEND fencepost_warnings -Wno-deprecated-declarations)
  endif()
endif()

# Whether this is a build for ThreadSanitizer (presets: tsan, tsan-clang).
set(FENCEPOST_THREAD_SANITIZER OFF)
if("${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=[a-z,]*thread")
  set(FENCEPOST_THREAD_SANITIZER ON)
endif()

# fencepost_target(<target>)
# To be called on every library and executable: C++20 without extensions; our warnings, as errors.
function(fencepost_target target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_compile_features(${target} INTERFACE cxx_std_20)
    return()
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(FENCEPOST_STRICT)
    target_compile_options(${target} PRIVATE ${fencepost_warnings})
  endif()
endfunction()

# fencepost_find_variables_by_table(<target>)
# In a shared library, <target> finds its thread_local variables by the table that the register points
# to, so that they are those of the system's thread when a program's thread has others
# (verify/checker/src/execute/thread_pointer.hpp): on AArch64 it does not by itself.
function(fencepost_find_variables_by_table target)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -mtls-dialect=trad)
  endif()
endfunction()

# fencepost_position_independent(<target>)
# The objects of <target> can be part of a shared library. Nobody replaces its functions there, so
# they are called, and put in line, as in an executable.
function(fencepost_position_independent target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
  fencepost_find_variables_by_table(${target})
endfunction()

# fencepost_precompile(<target> <header>...)
# Headers that most sources of <target> include are parsed once.
function(fencepost_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache; nothing otherwise
  endif()
endfunction()

# fencepost_compile_together(<target> [<source or folder>...])
# The sources of a folder are compiled as one, so that what they include and instantiate (containers,
# JSON, formatting) is compiled once; only those named, if any are. Each still includes all that it
# needs: ci/lint compiles them one by one, with FENCEPOST_COMPILE_SEPARATELY.
function(fencepost_compile_together target)
  if(FENCEPOST_COMPILE_SEPARATELY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    if(ARGN AND NOT source IN_LIST ARGN AND NOT folder IN_LIST ARGN)
      continue()
    endif()
    # Those that are made have a group already, or none.
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${source}" made)
    if(NOT made)
      if(IS_ABSOLUTE ${source})
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      endif()
      string(MAKE_C_IDENTIFIER "${folder}" group)
      if(NOT group)
        set(group here)
      endif()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

# fencepost_compile_as(<target> <original> <from> <to>)
# The sources of <target> in <to> are changed copies of those of <original> in <from>: they are compiled
# with the same options, and the same ones together.
function(fencepost_compile_as target original from to)
  get_target_property(sources ${original} SOURCES)
  get_target_property(folder ${original} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    string(REPLACE "${from}/" "${to}/" copy "${source}")
    foreach(property UNITY_GROUP SKIP_UNITY_BUILD_INCLUSION COMPILE_OPTIONS)
      get_source_file_property(value ${source} TARGET_DIRECTORY ${original} ${property})
      if(value)
        set_source_files_properties(${copy} PROPERTIES ${property} "${value}")
      endif()
    endforeach()
  endforeach()
  get_target_property(together ${original} UNITY_BUILD)
  if(together)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()

# fencepost_headers(<target> [<folder>])
# The public headers of <target> are those under <folder> of the current directory (include). With
# CMAKE_VERIFY_INTERFACE_HEADER_SETS each is compiled on its own: it includes all that it needs.
function(fencepost_headers target)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/include)
  if(ARGC GREATER 1)
    cmake_path(ABSOLUTE_PATH ARGV1 BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  endif()
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.hpp)
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS ${folder} FILES ${headers})
  # The targets that compile the headers come into being when this directory is done, and take what
  # is then in force in it: only they do.
  cmake_language(DEFER CALL set CMAKE_CXX_EXTENSIONS OFF)
  if(FENCEPOST_STRICT)
    cmake_language(DEFER CALL set_property DIRECTORY PROPERTY COMPILE_OPTIONS ${fencepost_warnings})
  endif()
endfunction()

# fencepost_test(<name> SOURCES <file>... [LIBRARIES <target>...] [LABELS <label>...] [TIMEOUT <s>]
#                [NO_EMULATION <regular expression>])
# A GoogleTest executable; each of its tests is a CTest test, "<name>/<suite>.<test>". main() is
# GoogleTest's own unless SOURCES has one: then add MAIN. A test that takes longer than TIMEOUT
# (default 600) seconds has failed: machines may be busy.
#
# Labels say where a test does not run:
#   slow       not under sanitizers
#   no_asan    not under the address and undefined behaviour sanitizers
#   no_tsan    not under the thread sanitizer
#   nightly    only in ctest --preset nightly
#   no_emulation  not under qemu-user (ci/cross): the tests whose name matches NO_EMULATION, and those
#              of death, which start their program again: it is not the machine's own
#   quick      in ci/test --quick, as those of sanitizer_slice are
#   sanitizer_slice
#              one of the few that are worth a sanitizer's build at each change: the targets
#              asan_slice and tsan_slice build those that it runs
if(FENCEPOST_BUILD_TESTS)
  add_custom_target(asan_slice)
  add_custom_target(tsan_slice)
  add_custom_target(quick_tests)
endif()
function(fencepost_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MAIN" "TIMEOUT;NO_EMULATION" "SOURCES;LIBRARIES;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "fencepost_test(${name} ...): SOURCES is needed, "
                        "and \"${arg_UNPARSED_ARGUMENTS}\" is not understood.")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  add_executable(${name} ${arg_SOURCES})
  fencepost_target(${name})
  if("sanitizer_slice" IN_LIST arg_LABELS OR "quick" IN_LIST arg_LABELS)
    add_dependencies(quick_tests ${name})
  endif()
  foreach(sanitizer asan tsan)
    if("sanitizer_slice" IN_LIST arg_LABELS AND NOT "no_${sanitizer}" IN_LIST arg_LABELS)
      add_dependencies(${sanitizer}_slice ${name})
    endif()
  endforeach()
  if(arg_MAIN)
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest)
  else()
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  endif()
  # GoogleTest's typed and parameterized suites leave a variadic argument out.
  target_compile_options(
    ${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>)
  # At the time of the test: a test that cannot even list its tests is a failure of the run, not of
  # the build. Names do not spell out types and values. These may hold spaces, which ctest's record of how
  # long each test took (CTestCostData.txt) does not survive, and square brackets: tests that have them
  # are missing in TEST_LIST, and would get no labels.
  gtest_discover_tests(
    ${name}
    TEST_PREFIX "${name}/"
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 300
    TEST_LIST ${name}_tests
    NO_PRETTY_TYPES
    NO_PRETTY_VALUES
    PROPERTIES TIMEOUT ${arg_TIMEOUT})
  # PROPERTIES would keep the first label only.
  set(no_emulation "[Dd]eath")
  if(arg_NO_EMULATION)
    string(APPEND no_emulation "|${arg_NO_EMULATION}")
  endif()
  set(labels ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
  file(CONFIGURE OUTPUT ${labels} @ONLY CONTENT [[
foreach(test IN LISTS @name@_tests)
  if(NOT test MATCHES "^[A-Za-z0-9_./<>]+$")
    message(FATAL_ERROR "\"${test}\" is no plain name of a test; see fencepost_test().")
  endif()
  set(labels "@arg_LABELS@")
  if(test MATCHES "@no_emulation@")
    list(APPEND labels no_emulation)
  endif()
  set_tests_properties("${test}" PROPERTIES LABELS "${labels}")
endforeach()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels})
endfunction()

# fencepost_nightly(<name> <variable>=<value>... [TIMEOUT <s>])
# The test executable <name> once more, as one CTest test, "<name>/nightly", in an environment in which
# it does more.
function(fencepost_nightly name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "")
  add_test(NAME ${name}/nightly COMMAND ${name})
  set_tests_properties(${name}/nightly PROPERTIES LABELS nightly TIMEOUT ${arg_TIMEOUT}
                                                  ENVIRONMENT "${arg_UNPARSED_ARGUMENTS}")
endfunction()
