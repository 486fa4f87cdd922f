# Cortex-M4 without FPU, soft float.
set(HLOCC_PRESET cortex-m4)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
