# CH32V307's QingKe V4F core, RV32IMAFC, on QEMU's virt machine.
set(HLOCC_PRESET ch32v307)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
