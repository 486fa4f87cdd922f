# RV32 with a single-precision FPU, hard float.
set(HLOCC_PRESET rv32imafc)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
