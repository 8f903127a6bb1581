# Copies the explorer's sources and plants the faults of mutants.cmake in the copies.
#
#   cmake -DSOURCES=<folder> -DTO=<folder> -P mutate.cmake
#
# Each fault sleeps behind a switch: the number of the one that is awake is
# fencepost::verify::mutant, 0 for none. Every source is copied, changed or not; names.inc lists
# the faults for the test.
cmake_minimum_required(VERSION 3.25)

set(number 0)
set(names "")
file(GLOB files RELATIVE ${SOURCES} ${SOURCES}/*.cpp ${SOURCES}/*.hpp)
foreach(file IN LISTS files)
  file(READ ${SOURCES}/${file} text_${file})
endforeach()

function(mutant file what context original mutated)
  math(EXPR number "${number} + 1")
  set(text "${text_${file}}")
  string(REPLACE "@" "${original}" find "${context}")
  string(FIND "${text}" "${find}" first)
  string(FIND "${text}" "${find}" last REVERSE)
  if(first EQUAL -1)
    message(SEND_ERROR "verify/tests/mutants/mutants.cmake: \"${what}\": ${file} does not have\n"
                       "${find}\nThe file was changed: find another place for this fault.")
  elseif(NOT first EQUAL last)
    message(SEND_ERROR "verify/tests/mutants/mutants.cmake: \"${what}\": ${file} has more than once"
                       "\n${find}\nGive a longer context.")
  endif()
  string(REPLACE "@" "(::fencepost::verify::mutant == ${number} ? (${mutated}) : (${original}))"
                 replace "${context}")
  string(REPLACE "${find}" "${replace}" text "${text}")
  set(text_${file} "${text}" PARENT_SCOPE)
  set(number ${number} PARENT_SCOPE)
  set(names "${names}{${number}, \"${file}\", \"${what}\"},\n" PARENT_SCOPE)
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/mutants.cmake)

foreach(file IN LISTS files)
  file(WRITE ${TO}/${file} "namespace fencepost::verify { extern unsigned mutant; }\n"
                           "#line 1 \"${SOURCES}/${file}\"\n" "${text_${file}}")
endforeach()
file(WRITE ${TO}/names.inc "${names}")
