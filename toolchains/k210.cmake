# K210's RV64GC cores, on QEMU's virt machine; medany, as its RAM lies above 2 GiB.
set(HLOCC_PRESET k210)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
