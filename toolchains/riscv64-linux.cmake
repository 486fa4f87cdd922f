# RV64GC under Linux.
set(HLOCC_PRESET riscv64-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
