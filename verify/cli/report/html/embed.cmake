# cmake -DFOLDER=... -DOUTPUT=... -P embed.cmake
# Writes the page's files into a C++ source, as strings.

set(text "// Made by embed.cmake of the files of verify/cli/report/html.\n#include \"report/html/page.hpp\"\n\n")
string(APPEND text "namespace fencepost::cli {\n\n")
foreach(file page.html page.css page.js certificate.css)
  file(READ ${FOLDER}/${file} content)
  string(REPLACE . _ name ${file})
  if(content MATCHES "\\)page\"")
    message(FATAL_ERROR "${file} has the end of a raw string in it: )page\"")
  endif()
  string(APPEND text "const char* const ${name} = R\"page(${content})page\";\n\n")
endforeach()
string(APPEND text "}  // namespace fencepost::cli\n")
file(WRITE ${OUTPUT} "${text}")
