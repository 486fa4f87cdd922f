# ESP8266's core in QEMU's user mode.
set(HLOCC_PRESET xtensa-lx106)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
