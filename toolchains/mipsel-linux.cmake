# MIPS32 under Linux, little-endian.
set(HLOCC_PRESET mipsel-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
