# Cortex-M3: no FPU.
set(HLOCC_PRESET cortex-m3)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
