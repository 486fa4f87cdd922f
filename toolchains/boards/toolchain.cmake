# What the toolchain files share: HLOCC_PRESET names a row of presets/, and the row, or the one that
# it is like, names compiler, flags, memories and emulator. A program that is built with it links board code through
# the target hlocc_board (CMakeLists.txt beside this file) and runs under ctest through the
# emulator.
include_guard()

set(HLOCC_BOARDS_DIR ${CMAKE_CURRENT_LIST_DIR})
set(BOARD_like ${HLOCC_PRESET})
while(BOARD_like)
  file(STRINGS ${HLOCC_BOARDS_DIR}/presets/${BOARD_like}.conf row REGEX "^[a-z]+=")
  set(BOARD_like)
  foreach(line ${row})
    string(REGEX MATCH "^([a-z]+)=(.*)$" line "${line}")
    if(NOT BOARD_${CMAKE_MATCH_1})
      set(BOARD_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
endwhile()

if(BOARD_script OR BOARD_support)
  set(CMAKE_SYSTEM_NAME Generic)
  # A program needs the linker script and the start-up code, so that CMake can only try to build a
  # library.
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(bare_metal_flags " -ffreestanding -ffunction-sections -fdata-sections")
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR "${BOARD_triple}")

string(REGEX REPLACE "gcc$" "g++" cxx_compiler "${BOARD_compiler}")
set(CMAKE_C_COMPILER ${BOARD_compiler})
set(CMAKE_CXX_COMPILER ${cxx_compiler})
set(CMAKE_C_FLAGS_INIT "${BOARD_cflags}${bare_metal_flags}")
set(CMAKE_ASM_FLAGS_INIT "${BOARD_cflags}")
# A model needs neither exceptions nor run-time types, nor a lock around a static.
set(CMAKE_CXX_FLAGS_INIT
    "${BOARD_cflags}${bare_metal_flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics")
string(APPEND CMAKE_CXX_FLAGS_INIT " -fno-use-cxa-atexit")
set(CMAKE_CROSSCOMPILING_EMULATOR ${HLOCC_BOARDS_DIR}/run_board.sh ${HLOCC_PRESET})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
