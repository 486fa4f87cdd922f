# Cortex-M23: Armv8-M Baseline.
set(HLOCC_PRESET cortex-m23)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
