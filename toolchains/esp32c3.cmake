# ESP32-C3's RV32IMC core, on QEMU's virt machine.
set(HLOCC_PRESET esp32c3)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
