# Cortex-A7 under Linux with NEON, hard float.
set(HLOCC_PRESET cortex-a7-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
