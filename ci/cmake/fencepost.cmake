# Functions for the CMakeLists.txt of the folders.
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

# These apply to our own code, never to code that links to it.
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
    # libstdc++'s std::stable_sort uses what libstdc++ has deprecated, and this clang++ warns of it.
    list(APPEND fencepost_warnings -Wno-deprecated-declarations)
  endif()
endif()

# Whether this is a build for ThreadSanitizer (presets: tsan, tsan-clang).
set(FENCEPOST_THREAD_SANITIZER OFF)
if("${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=[a-z,]*thread")
  set(FENCEPOST_THREAD_SANITIZER ON)
endif()

# fencepost_target(<target>)
# To be called for every library and executable: sets C++20 without extensions, and our warnings as
# errors.
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
# Makes <target>, in a shared library, find its thread_local variables through the table that the
# thread pointer points to, so that they are the system thread's even while a program's thread has
# others (verify/checker/src/execute/thread_pointer.hpp). On AArch64 this is not the default.
function(fencepost_find_variables_by_table target)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -mtls-dialect=trad)
  endif()
endfunction()

# fencepost_position_independent(<target>)
# Compiles the objects of <target> so that they can be part of a shared library. No other library
# replaces its functions there, so they are called, and inlined, as in an executable.
function(fencepost_position_independent target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
  fencepost_find_variables_by_table(${target})
endfunction()

# fencepost_precompile(<target> <header>...)
# Parses headers that most sources of <target> include only once.
function(fencepost_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache; no effect otherwise
  endif()
endfunction()

# fencepost_compile_together(<target> [<source or folder>...])
# Compiles the sources of a folder as one, so that what they include and instantiate (containers,
# JSON, formatting) is compiled once; only those named, if any are. Each source must still include
# all that it needs: ci/lint compiles them one by one, with FENCEPOST_COMPILE_SEPARATELY.
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
    # Generated sources have a group already, or none.
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
# The sources of <target> in <to> are changed copies of those of <original> in <from>: compiles them
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
# CMAKE_VERIFY_INTERFACE_HEADER_SETS each is compiled on its own, and so must include all it needs.
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
  # The targets that compile the headers are created when this directory is done, and take the
  # settings that it then has; no other targets do.
  cmake_language(DEFER CALL set CMAKE_CXX_EXTENSIONS OFF)
  if(FENCEPOST_STRICT)
    cmake_language(DEFER CALL set_property DIRECTORY PROPERTY COMPILE_OPTIONS ${fencepost_warnings})
  endif()
endfunction()

# fencepost_test(<name> SOURCES <file>... [LIBRARIES <target>...] [LABELS <label>...] [TIMEOUT <s>]
#                [NO_EMULATION <regular expression>])
# Adds a GoogleTest executable; each of its tests is a CTest test, "<name>/<suite>.<test>". main()
# is GoogleTest's own unless SOURCES has one: then add MAIN. A test that takes longer than TIMEOUT
# (default 600) seconds has failed: machines may be busy.
#
# Labels say where a test does not run:
#   slow       not under sanitizers
#   no_asan    not under the address and undefined behaviour sanitizers
#   no_tsan    not under the thread sanitizer
#   nightly    only in ctest --preset nightly
#   no_emulation  not under qemu-user (ci/cross): the tests whose name matches NO_EMULATION, and
#              death tests, which start their program again: it is not one of this machine
#   quick      also in ci/test --quick, as those with sanitizer_slice are
#   sanitizer_slice
#              one of the few tests that are worth building with a sanitizer at each change: the
#              targets asan_slice and tsan_slice build those that run under it
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
  # GoogleTest's typed and parameterized suites omit a variadic argument.
  target_compile_options(
    ${name} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>)
  # Tests are listed when they are run: an executable that cannot list them is then a failure of the
  # run, not of the build. Names do not spell out types and values. These may have spaces, which
  # break ctest's record of how long each test took (CTestCostData.txt), and square brackets: tests
  # that have them are missing in TEST_LIST, and would get no labels.
  gtest_discover_tests(
    ${name}
    TEST_PREFIX "${name}/"
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 300
    TEST_LIST ${name}_tests
    NO_PRETTY_TYPES
    NO_PRETTY_VALUES
    PROPERTIES TIMEOUT ${arg_TIMEOUT})
  # PROPERTIES would keep only the first label.
  set(no_emulation "[Dd]eath")
  if(arg_NO_EMULATION)
    string(APPEND no_emulation "|${arg_NO_EMULATION}")
  endif()
  set(labels ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
  file(CONFIGURE OUTPUT ${labels} @ONLY CONTENT [[
foreach(test IN LISTS @name@_tests)
  if(NOT test MATCHES "^[A-Za-z0-9_./<>]+$")
    message(FATAL_ERROR "\"${test}\" is not a plain test name; see fencepost_test().")
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
# Adds the test executable <name> once more, as one CTest test, "<name>/nightly", in an environment
# that makes it do more.
function(fencepost_nightly name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "")
  add_test(NAME ${name}/nightly COMMAND ${name})
  set_tests_properties(${name}/nightly PROPERTIES LABELS nightly TIMEOUT ${arg_TIMEOUT}
                                                  ENVIRONMENT "${arg_UNPARSED_ARGUMENTS}")
endfunction()
