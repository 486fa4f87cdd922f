# Armv7-A under Linux with NEON, hard float.
set(HLOCC_PRESET armv7-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
