# Checks of the arguments of Fencepost's functions for tests and command lines, which the callers have
# parsed into arg_… variables. Messages begin with <call>. They are macros, since the last one returns
# from the function that calls it.

# fencepost_check_arguments(<call> <required keyword> <description of its value> <all keywords>)
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
    message(FATAL_ERROR "${call}: there is a target of this name already; choose another name.")
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

# fencepost_check_test_arguments(<call> <description of the SOURCES> <all keywords>)
# For tests. Also sets the default of arg_TIMEOUT. With BUILD_TESTING=OFF, returns from the caller, so
# that no test is added.
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
    message(FATAL_ERROR "${call}: CTest would never run it. Call enable_testing(), or "
                        "include(CTest), before it in the top folder's CMakeLists.txt.")
  endif()
endmacro()
