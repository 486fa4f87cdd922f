# Cortex-M0+: an M0 with a shorter pipeline.
set(HLOCC_PRESET cortex-m0plus)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
