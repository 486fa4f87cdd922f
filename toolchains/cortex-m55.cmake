# Cortex-M55 with MVE (float and integer), hard float; vectors in the ITCM, code in the QSPI flash.
set(HLOCC_PRESET cortex-m55)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
