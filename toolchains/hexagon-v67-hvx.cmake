# Hexagon V67 with vectors of 128 bytes (HVX).
set(HLOCC_PRESET hexagon-v67-hvx)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
