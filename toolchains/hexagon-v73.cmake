# Hexagon V73 without vectors. Debian has no C library for it: clang, lld, and the system's calls.
set(HLOCC_PRESET hexagon-v73)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
