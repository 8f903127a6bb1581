# A toolchain file: Debian's cross compiler, the target's libraries in build/cross/<arch>/root
# (ci/cross puts them there), and qemu-user to run what is built. The preset says for which machine:
#
#   FENCEPOST_CROSS_TRIPLE   aarch64-linux-gnu
#   FENCEPOST_CROSS_ARCH     arm64            as Debian calls it
#   FENCEPOST_CROSS_QEMU     qemu-aarch64     with its options
#   FENCEPOST_CROSS_FLAGS    -march=armv8-a   of the compiler
#   FENCEPOST_CROSS_NAME     aarch64          what `uname -m` says there
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FENCEPOST_CROSS_TRIPLE FENCEPOST_CROSS_ARCH
     FENCEPOST_CROSS_QEMU FENCEPOST_CROSS_FLAGS FENCEPOST_CROSS_NAME)
if(NOT FENCEPOST_CROSS_TRIPLE OR NOT FENCEPOST_CROSS_ARCH OR NOT FENCEPOST_CROSS_NAME)
  message(FATAL_ERROR "ci/cmake/cross.cmake: the target machine is not set. Use one of the presets aarch64, "
                      "aarch64-lse, riscv64, ppc64le, or set the variables at its beginning.")
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${FENCEPOST_CROSS_NAME})
set(CMAKE_CXX_COMPILER ${FENCEPOST_CROSS_TRIPLE}-g++)
set(CMAKE_CXX_FLAGS_INIT "${FENCEPOST_CROSS_FLAGS}")
set(CMAKE_LIBRARY_ARCHITECTURE ${FENCEPOST_CROSS_TRIPLE})

# Finds nothing of the build machine but its programs.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/../../build/cross/${FENCEPOST_CROSS_ARCH}/root
                       ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${root} /usr/${FENCEPOST_CROSS_TRIPLE})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

separate_arguments(qemu UNIX_COMMAND "${FENCEPOST_CROSS_QEMU}")
set(CMAKE_CROSSCOMPILING_EMULATOR
    ${CMAKE_CURRENT_LIST_DIR}/on_one_processor.sh ${qemu} -L /usr/${FENCEPOST_CROSS_TRIPLE}
    -E LD_LIBRARY_PATH=${root}/usr/lib/${FENCEPOST_CROSS_TRIPLE})
