# RV64 with a double-precision FPU, hard float; medany, as it lies above 2 GiB.
set(HLOCC_PRESET rv64gc)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
