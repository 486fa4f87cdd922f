# ARM1176 under Linux: Armv6 with VFPv2.
set(HLOCC_PRESET arm1176-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
