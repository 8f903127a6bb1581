# cmake -DOBJECTS=... -DCHECKER=... -DOUTPUT=... -P digests.cmake
#
# What the results of a component's scenarios depend on, as one digest each: its object file, which
# has in it all that was compiled, and the checker's archive. So stored results outlive a change that
# does not concern them, and none outlives one that does.
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
