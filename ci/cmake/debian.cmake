# cpack -G DEB makes two packages. They install into /usr: configure with
# -DCMAKE_INSTALL_PREFIX=/usr, so that the libraries are where Debian has them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The authors of Fencepost <fencepost@localhost>"
    CACHE STRING "The maintainer of the packages that cpack makes: name <address>")
# The first line of the packages' descriptions, which Debian wants without an article.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "formally checked concurrency kit for C++20")
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/strip_archives.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL fencepost_dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS # whatever the umask is
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FENCEPOST_DEV_PACKAGE_NAME libfencepost-dev)
set(CPACK_DEBIAN_FENCEPOST_DEV_PACKAGE_SECTION libdevel)
set(needs libc6-dev)
if(FENCEPOST_BUILD_VERIFY)
  list(APPEND needs libboost-context-dev)
endif()
if(FENCEPOST_BUILD_CLI)
  list(APPEND needs libfmt-dev)
endif()
if(FENCEPOST_WITH_HWLOC)
  list(APPEND needs libhwloc-dev)
endif()
list(JOIN needs ", " CPACK_DEBIAN_FENCEPOST_DEV_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_FENCEPOST_DEV_PACKAGE_SUGGESTS "cmake (>= 3.25), pkgconf, libgtest-dev")
set(CPACK_COMPONENT_FENCEPOST_DEV_DESCRIPTION
"Work-stealing deques, latches, barriers, sleep protocols, queues, and the
schedulers made of them, as templates on an atomics policy. The checker runs
these templates, or your own, through every execution that the memory model
of C++ allows within stated bounds.")

if(FENCEPOST_BUILD_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL fencepost_tools)
  set(CPACK_DEBIAN_FENCEPOST_TOOLS_PACKAGE_NAME fencepost)
  set(CPACK_DEBIAN_FENCEPOST_TOOLS_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_FENCEPOST_TOOLS_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_FENCEPOST_TOOLS_PACKAGE_RECOMMENDS "g++, libdw1") # programs, and their lines
  set(CPACK_DEBIAN_FENCEPOST_TOOLS_PACKAGE_SUGGESTS libfencepost-dev)
  set(CPACK_COMPONENT_FENCEPOST_TOOLS_DESCRIPTION
"The command line of the checker: it checks programs with threads and atomics
as they are, and the claims that the library makes, shows counterexamples,
weakens memory orders one at a time, and runs litmus tests.")
endif()
include(CPack)
