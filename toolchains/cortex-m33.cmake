# Cortex-M33 in secure state, hard float; the secure aliases of the board's memories.
set(HLOCC_PRESET cortex-m33)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
