# z13 under Linux: the big-endian row.
set(HLOCC_PRESET s390x-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
