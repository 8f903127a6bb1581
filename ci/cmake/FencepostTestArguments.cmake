# fencepost_check_test_arguments(<call> <what the SOURCES are> <the keywords>)
#
# What fencepost_add_model_test() and fencepost_add_program_test() refuse alike, of arguments that were
# parsed as arg_…; <call> is what messages begin with. Sets arg_TIMEOUT where it is not given. A macro,
# since it returns from the function that calls it: with BUILD_TESTING=OFF there is no test.
macro(fencepost_check_test_arguments call sources keywords)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: \"${arg_UNPARSED_ARGUMENTS}\" is not understood. "
                        "It takes ${keywords}.")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "${call}: SOURCES is missing: ${sources}.")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${call}: nothing follows ${arg_KEYWORDS_MISSING_VALUES}.")
  endif()
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  elseif(NOT arg_TIMEOUT MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${call}: TIMEOUT is \"${arg_TIMEOUT}\", but must be a number of seconds, "
                        "1 or more.")
  endif()
  if(TARGET ${name})
    message(FATAL_ERROR "${call}: there is a target of this name already; take another name.")
  endif()
  if(NOT CMAKE_TESTING_ENABLED)
    if(DEFINED BUILD_TESTING AND NOT BUILD_TESTING)
      return()
    endif()
    message(FATAL_ERROR "${call}: CTest would never run it. Say enable_testing(), or "
                        "include(CTest), in the top folder's CMakeLists.txt before this.")
  endif()
endmacro()
