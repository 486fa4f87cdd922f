# Cortex-M7 with a single-precision FPU, hard float, on the board of the double-precision one.
set(HLOCC_PRESET cortex-m7sp)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
