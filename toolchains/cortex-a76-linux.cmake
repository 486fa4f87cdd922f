# Cortex-A76 under Linux: NEON with dot products of bytes.
set(HLOCC_PRESET cortex-a76-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
