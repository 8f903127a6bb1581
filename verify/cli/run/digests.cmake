# cmake -DOBJECTS=... -DCHECKER=... -DOUTPUT=... -P digests.cmake
#
# Writes one digest for each component of what the results of its scenarios depend on: its object
# file, which has all the code that was compiled, and the checker's archive. So stored results
# survive a change that does not concern them, and none survives one that does.
file(SHA256 ${CHECKER} checker)
set(text "")
list(FILTER OBJECTS EXCLUDE REGEX "cmake_pch")
foreach(object IN LISTS OBJECTS)
  cmake_path(GET object FILENAME id)
  string(REGEX REPLACE "^unity_|_cxx\\.cxx\\.o(bj)?$" "" id ${id})
  file(SHA256 ${object} digest)
  string(SHA256 digest "${digest} ${checker}")
  string(SUBSTRING ${digest} 0 32 digest)
  string(APPEND text "{\"${id}\", \"${digest}\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
