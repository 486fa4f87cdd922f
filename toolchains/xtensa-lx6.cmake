# ESP32's core, in place of which an ESP8266's runs in QEMU's user mode.
set(HLOCC_PRESET xtensa-lx6)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
