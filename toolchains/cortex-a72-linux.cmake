# Cortex-A72 under Linux: NEON, no dot products.
set(HLOCC_PRESET cortex-a72-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
