# Cortex-M85 with MVE, hard float. QEMU and GCC 12 know no M85: the M55, which has the same
# instructions but those that sign pointers, stands in for both.
set(HLOCC_PRESET cortex-m85)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
