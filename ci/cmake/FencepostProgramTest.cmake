# fencepost_add_program_test(<name> SOURCES <file>... [COMPILE_OPTIONS <option>...]
#                            [ARGUMENTS <argument>...] [EXPECT violation] [MODEL rc20|rc11|c++20|xc20]
#                            [JOBS <processes>] [TIMEOUT <seconds>])
#
# Adds an executable <name>, and a CTest test of this name that checks it as it is: every execution
# of its main() with ARGUMENTS, under the memory model MODEL (rc20). The test passes if the program
# is verified; with EXPECT violation, if it is violated. It fails in both cases if the program uses
# what is not modelled, hits a limit, or takes longer than TIMEOUT (default 300) seconds. JOBS
# (default 1) processes explore it, and CTest runs correspondingly fewer tests beside it.
#
# SOURCES are C++ or C. They are compiled with -O0 -g and with assert(), whatever the build type
# says, and then with COMPILE_OPTIONS. The executable is an ordinary target, for which include
# folders and definitions are set as always.
#
# fencepost_watch(<target>...)
#
# Compiles libraries of the project for such programs, with the same options; no other program can
# use them. Code that a program links to and that was compiled in another way is not watched.
#
# Both are available after find_package(Fencepost COMPONENTS tools), and after add_subdirectory() if
# FENCEPOST_BUILD_TOOLS is on. They support Linux: g++, gcc and clang on x86-64, g++ and gcc on
# AArch64. Elsewhere there is no target Fencepost::program, and calling them is an error.
# fencepost_add_program_test() needs enable_testing(), or include(CTest), in the top folder's
# CMakeLists.txt first. With include(CTest), BUILD_TESTING=OFF leaves the test out.
include(${CMAKE_CURRENT_LIST_DIR}/FencepostTestArguments.cmake)

# Refuses what neither function supports. Messages begin with <call>.
function(_fencepost_require_programs call)
  if(NOT TARGET Fencepost::program)
    message(FATAL_ERROR "${call}: this Fencepost does not check programs, which it does on Linux "
                        "(x86-64, AArch64). Leave the test out where there is no target "
                        "Fencepost::program.")
  endif()
  foreach(language C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_ID OR CMAKE_${language}_COMPILER_ID STREQUAL "GNU")
      continue()
    elseif(NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang")
      message(FATAL_ERROR "${call}: programs are compiled by g++ and gcc, or by clang, not by "
                          "${CMAKE_${language}_COMPILER}.")
    elseif(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
      message(FATAL_ERROR "${call}: with clang, programs are built by Ninja or make, not by "
                          "${CMAKE_GENERATOR}.")
    endif()
  endforeach()
endfunction()

function(fencepost_watch)
  set(call "fencepost_watch(${ARGN})")
  if(NOT ARGN)
    message(FATAL_ERROR "${call}: it takes the names of targets.")
  endif()
  _fencepost_require_programs("${call}")
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "${call}: there is no target ${target}.")
    endif()
    target_compile_options(${target} PRIVATE -O0 -g -UNDEBUG)
    target_link_libraries(${target} PRIVATE Fencepost::program)
    add_dependencies(${target} Fencepost::fencepost)
    # The launcher refuses code whose accesses clang does not announce.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      set_target_properties(${target} PROPERTIES
        CXX_COMPILER_LAUNCHER "$<TARGET_FILE:Fencepost::fencepost>;c++;--compiler")
    endif()
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
      set_target_properties(${target} PROPERTIES
        C_COMPILER_LAUNCHER "$<TARGET_FILE:Fencepost::fencepost>;cc;--compiler")
    endif()
  endforeach()
endfunction()

function(fencepost_add_program_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPECT;MODEL;JOBS;TIMEOUT" "SOURCES;COMPILE_OPTIONS;ARGUMENTS")
  set(call "fencepost_add_program_test(${name} ...)")
  if(DEFINED arg_EXPECT AND NOT arg_EXPECT STREQUAL "violation")
    message(FATAL_ERROR "${call}: EXPECT is \"${arg_EXPECT}\", but there is only EXPECT violation.")
  endif()
  if(NOT DEFINED arg_MODEL)
    set(arg_MODEL rc20)
  elseif(NOT arg_MODEL MATCHES "^(rc20|rc11|c\\+\\+20|xc20)$")
    message(FATAL_ERROR "${call}: MODEL is \"${arg_MODEL}\", but must be rc20, rc11, c++20 or xc20.")
  endif()
  if(NOT DEFINED arg_JOBS)
    set(arg_JOBS 1)
  elseif(NOT arg_JOBS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${call}: JOBS is \"${arg_JOBS}\", but must be a number of processes.")
  endif()
  fencepost_check_test_arguments("${call}" "the files of the program"
    "SOURCES, COMPILE_OPTIONS, ARGUMENTS, EXPECT, MODEL, JOBS and TIMEOUT")
  _fencepost_require_programs("${call}")

  add_executable(${name} ${arg_SOURCES})
  fencepost_watch(${name})
  target_compile_options(${name} PRIVATE ${arg_COMPILE_OPTIONS})
  set(check $<TARGET_FILE:Fencepost::fencepost> check --jobs ${arg_JOBS} --model ${arg_MODEL})
  if(arg_EXPECT)
    list(APPEND check --expect ${arg_EXPECT})
  endif()
  add_test(NAME ${name} COMMAND ${check} $<TARGET_FILE:${name}> -- ${arg_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_JOBS})
endfunction()
