# What cmake --install and cpack install: libraries, headers, the CMake package, pkg-config files,
# and the command line. Without FENCEPOST_INSTALL, as in a project that adds Fencepost as a
# subdirectory, that is nothing.

if(FENCEPOST_INSTALL)
  include(GNUInstallDirs)
  set(fencepost_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Fencepost)
endif()

# fencepost_install(<component> <target>...)
# Installs the targets that find_package(Fencepost COMPONENTS <component>) provides.
function(fencepost_install component)
  if(NOT FENCEPOST_INSTALL)
    return()
  endif()
  set(export Fencepost_${component})
  if(component STREQUAL "tools")
    set(part fencepost_tools)
    install(TARGETS ${ARGN} EXPORT ${export} RUNTIME COMPONENT ${part})
  else()
    set(part fencepost_dev)
    install(TARGETS ${ARGN} EXPORT ${export}
            ARCHIVE COMPONENT ${part}
            FILE_SET HEADERS COMPONENT ${part})
  endif()
  install(EXPORT ${export} NAMESPACE Fencepost:: DESTINATION ${fencepost_cmake_folder}
          COMPONENT ${part})
endfunction()

# Installs the manual page and the completions of bash, zsh and fish where each is looked for.
function(fencepost_install_pages manual bash zsh fish)
  if(NOT FENCEPOST_INSTALL)
    return()
  endif()
  set(share ${CMAKE_INSTALL_DATAROOTDIR})
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT fencepost_tools)
  install(FILES ${bash} DESTINATION ${share}/bash-completion/completions RENAME fencepost
          COMPONENT fencepost_tools)
  install(FILES ${zsh} DESTINATION ${share}/zsh/vendor-completions COMPONENT fencepost_tools)
  install(FILES ${fish} DESTINATION ${share}/fish/vendor_completions.d COMPONENT fencepost_tools)
endfunction()

# Installs scripts that are programs of their own.
function(fencepost_install_scripts)
  if(FENCEPOST_INSTALL)
    install(PROGRAMS ${ARGN} TYPE BIN COMPONENT fencepost_tools)
  endif()
endfunction()

# Installs a pkg-config file, which is made from <name>.pc.in in this folder.
function(fencepost_install_pkgconfig name)
  # The prefix is relative, so that an installation can be moved.
  file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
  set(hwloc "")
  if(FENCEPOST_WITH_HWLOC)
    set(hwloc hwloc)
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/ci/cmake/${name}.pc.in
                 ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT fencepost_dev)
endfunction()

function(fencepost_install_package)
  include(CMakePackageConfigHelpers)
  set(built ${PROJECT_BINARY_DIR}/package)
  # The name is in lower case, for both find_package(Fencepost) and find_package(fencepost).
  configure_file(ci/cmake/fencepost-config.cmake.in ${built}/fencepost-config.cmake @ONLY)
  # Before 1.0.0 a minor version may break compatibility.
  write_basic_package_version_file(${built}/fencepost-config-version.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${built}/fencepost-config.cmake ${built}/fencepost-config-version.cmake
          DESTINATION ${fencepost_cmake_folder} COMPONENT fencepost_dev)
  fencepost_install_pkgconfig(fencepost)
  if(FENCEPOST_BUILD_VERIFY)
    install(FILES ci/cmake/FencepostModelTest.cmake ci/cmake/FencepostTestArguments.cmake
            DESTINATION ${fencepost_cmake_folder}
            COMPONENT fencepost_dev)
    fencepost_install_pkgconfig(fencepost-verify)
  endif()
  if(FENCEPOST_BUILD_CLI)
    install(FILES ci/cmake/FencepostModelCli.cmake DESTINATION ${fencepost_cmake_folder}
            COMPONENT fencepost_dev)
  endif()

  configure_file(ci/cmake/copyright.in ${built}/copyright @ONLY)
  install(FILES ${built}/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libfencepost-dev
          COMPONENT fencepost_dev)
  if(FENCEPOST_BUILD_TOOLS)
    install(FILES ci/cmake/FencepostProgramTest.cmake DESTINATION ${fencepost_cmake_folder}
            COMPONENT fencepost_tools)
    install(FILES ${built}/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/fencepost
            COMPONENT fencepost_tools)
  endif()
  if(PROJECT_IS_TOP_LEVEL)
    include(${PROJECT_SOURCE_DIR}/ci/cmake/debian.cmake)
  endif()
endfunction()
