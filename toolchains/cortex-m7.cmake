# Cortex-M7 with double-precision FPU, hard float.
set(HLOCC_PRESET cortex-m7)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
