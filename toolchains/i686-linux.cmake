# A 32-bit x86 with SSE2 under Linux.
set(HLOCC_PRESET i686-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
