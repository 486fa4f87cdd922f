# MIPS32 under Linux, big-endian.
set(HLOCC_PRESET mips-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
