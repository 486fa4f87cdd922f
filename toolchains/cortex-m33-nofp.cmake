# Cortex-M33 without FPU, soft float.
set(HLOCC_PRESET cortex-m33-nofp)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
