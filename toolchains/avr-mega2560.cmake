# ATmega2560 in simavr, because QEMU 7.2's AVR computes wrong results.
set(HLOCC_PRESET avr-mega2560)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
