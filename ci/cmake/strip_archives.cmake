# Runs before cpack makes packages: strips debug information from the archives, as Debian requires.
file(GLOB_RECURSE archives ${CPACK_TEMPORARY_DIRECTORY}/*.a)
find_program(STRIP strip REQUIRED)
foreach(archive IN LISTS archives)
  execute_process(COMMAND ${STRIP} --strip-debug --enable-deterministic-archives ${archive}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
