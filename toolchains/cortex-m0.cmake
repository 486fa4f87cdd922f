# Cortex-M0: v6-M code, which is a subset of v7-M, on the M3 board: QEMU's M0 board has too little
# RAM for models.
set(HLOCC_PRESET cortex-m0)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
