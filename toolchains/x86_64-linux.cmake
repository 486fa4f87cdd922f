# Any x86-64 under Linux: SSE2 and nothing newer, which is all that the emulator has.
set(HLOCC_PRESET x86_64-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
