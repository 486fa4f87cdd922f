# Cortex-A53 under Linux, NEON.
set(HLOCC_PRESET cortex-a53)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
