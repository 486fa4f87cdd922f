# RV64GC with RVV 1.0, 128-bit vectors, under Linux; GCC 12 itself knows no vectors.
set(HLOCC_PRESET riscv64v-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
