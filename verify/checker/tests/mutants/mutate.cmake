# Copies sources, and plants faults in the copies.
#
#   cmake -DSOURCES=<folder> [-DFOLDERS=<folder>;...] [-DNAMES=<name>;...] -DTO=<folder>
#         -DFAULTS=<file> -DNAMESPACE=<name> -P mutate.cmake
#
# FOLDERS: the folders in SOURCES to copy (default: all). NAMES: the files to copy (default:
# "*.cpp;*.hpp"). FAULTS contains a list of calls:
#
#   mutant(<file> <what is wrong> <context> <original> <mutated>)
#
# <file> is the end of a path, long enough to identify the file. <context> is text that occurs in
# the file exactly once, with an @ in place of <original>. <original> and <mutated> are C++
# expressions. Each fault is off unless <NAMESPACE>::mutant is its number; 0 turns all of them off.
# Every source is copied, changed or not; names.inc lists the faults for the test.
cmake_minimum_required(VERSION 3.25)

set(number 0)
set(names "")
if(NOT FOLDERS)
  set(FOLDERS .)
endif()
if(NOT NAMES)
  set(NAMES *.cpp *.hpp)
endif()
set(files "")
foreach(folder IN LISTS FOLDERS)
  set(wanted ${NAMES})
  list(TRANSFORM wanted PREPEND ${SOURCES}/${folder}/)
  file(GLOB_RECURSE found RELATIVE ${SOURCES} ${wanted})
  list(APPEND files ${found})
endforeach()
foreach(file IN LISTS files)
  file(READ ${SOURCES}/${file} text_${file})
endforeach()

function(mutant file what context original mutated)
  math(EXPR number "${number} + 1")
  string(REGEX REPLACE "([.+])" "\\\\\\1" end "${file}")
  set(named ${files})
  list(FILTER named INCLUDE REGEX "(^|/)${end}$")
  list(LENGTH named count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${FAULTS}: \"${what}\": ${count} files are called ${file}")
  endif()
  set(file ${named})
  set(text "${text_${file}}")
  string(REPLACE "@" "${original}" find "${context}")
  string(FIND "${text}" "${find}" first)
  string(FIND "${text}" "${find}" last REVERSE)
  if(first EQUAL -1)
    message(SEND_ERROR "${FAULTS}: \"${what}\": ${file} does not have\n"
                       "${find}\nThe file was changed: find another place for this fault.")
  elseif(NOT first EQUAL last)
    message(SEND_ERROR "${FAULTS}: \"${what}\": ${file} has more than once"
                       "\n${find}\nGive a longer context.")
  endif()
  string(REPLACE "@" "(::${NAMESPACE}::mutant == ${number} ? (${mutated}) : (${original}))"
                 replace "${context}")
  string(REPLACE "${find}" "${replace}" text "${text}")
  set(text_${file} "${text}" PARENT_SCOPE)
  set(number ${number} PARENT_SCOPE)
  set(names "${names}{${number}, \"${file}\", \"${what}\"},\n" PARENT_SCOPE)
endfunction()

include(${FAULTS})

foreach(file IN LISTS files)
  string(CONCAT text "// NOLINTNEXTLINE(readability-redundant-declaration): in each of them\n"
                     "namespace ${NAMESPACE} { extern unsigned mutant; }\n"
                     "#line 1 \"${SOURCES}/${file}\"\n" "${text_${file}}")
  set(before "")
  if(EXISTS ${TO}/${file})
    file(READ ${TO}/${file} before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE ${TO}/${file} "${text}")
  endif()
endforeach()
file(WRITE ${TO}/names.inc "${names}")
