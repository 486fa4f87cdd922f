# Cortex-M4 with its single-precision FPU, hard float.
set(HLOCC_PRESET cortex-m4f)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
