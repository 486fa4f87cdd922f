# RV32 with atomics, no FPU.
set(HLOCC_PRESET rv32imac)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
