# Checks that Fencepost's functions for tests and command lines share, of arguments that were parsed
# as arg_…; messages begin with <call>. They are macros, since the last returns from the function
# that calls it.

# fencepost_check_arguments(<call> <the keyword that is needed> <what it is> <the keywords>)
macro(fencepost_check_arguments call needed what keywords)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: \"${arg_UNPARSED_ARGUMENTS}\" is not understood. "
                        "It takes ${keywords}.")
  endif()
  if(NOT arg_${needed})
    message(FATAL_ERROR "${call}: ${needed} is missing: ${what}.")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${call}: nothing follows ${arg_KEYWORDS_MISSING_VALUES}.")
  endif()
  if(TARGET ${name})
    message(FATAL_ERROR "${call}: there is a target of this name already; take another name.")
  endif()
endmacro()

# fencepost_check_libraries(<call>)
macro(fencepost_check_libraries call)
  foreach(library IN LISTS arg_LIBRARIES)
    if(library MATCHES "::" AND NOT TARGET ${library})
      message(FATAL_ERROR "${call}: LIBRARIES has ${library}, but there is no such target here. "
                          "Add it, or find its package, before.")
    endif()
  endforeach()
endmacro()

# fencepost_check_test_arguments(<call> <what the SOURCES are> <the keywords>)
# For tests: also sets arg_TIMEOUT if it is not given. With BUILD_TESTING=OFF returns from the
# caller before there is a test.
macro(fencepost_check_test_arguments call sources keywords)
  fencepost_check_arguments("${call}" SOURCES "${sources}" "${keywords}")
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  elseif(NOT arg_TIMEOUT MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${call}: TIMEOUT is \"${arg_TIMEOUT}\", but must be a number of seconds, "
                        "1 or more.")
  endif()
  if(NOT CMAKE_TESTING_ENABLED)
    if(DEFINED BUILD_TESTING AND NOT BUILD_TESTING)
      return()
    endif()
    message(FATAL_ERROR "${call}: CTest would never run it. Say enable_testing(), or "
                        "include(CTest), in the top folder's CMakeLists.txt before this.")
  endif()
endmacro()
