# RP2350's Cortex-M33: single-precision FPU and DSP, hard float. QEMU has no such board; the M33's
# stands in.
set(HLOCC_PRESET rp2350)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
