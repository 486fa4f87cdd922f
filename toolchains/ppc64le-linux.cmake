# POWER8 under Linux: VSX.
set(HLOCC_PRESET ppc64le-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
