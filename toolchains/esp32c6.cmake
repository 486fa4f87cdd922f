# ESP32-C6's RV32IMAC core, on QEMU's virt machine.
set(HLOCC_PRESET esp32c6)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
