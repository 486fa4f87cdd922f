# A build from nothing spends most of its time reading the same headers for every file. With HLOCC_UNITY the compiler
# takes the files of a room together and optimizes by -O1 or less. What it costs is that one edited
# file compiles its whole batch again, so it is off by default and on in the preset `quick`, examples/quickstart.sh and
# tests/run.sh; tests/nightly.sh builds without it, so that every file goes on including what it uses.
option(HLOCC_UNITY "Compile the files of a folder together: for builds from nothing" OFF)
set(HLOCC_UNITY_BATCH 0 CACHE STRING "How many files HLOCC_UNITY compiles together at most; 0: all of a folder")
set(HLOCC_UNITY_EXCEPT "" CACHE STRING "Targets that HLOCC_UNITY leaves alone (hlocc_lowering;test_lowering): a room that is being edited")
# How batches are compiled: half of GCC's garbage collections are left out, a tenth of the time for half as much memory
# again (1.7 GB at most).
set(HLOCC_UNITY_FLAGS "")
if(HLOCC_UNITY)
  set(HLOCC_UNITY_FLAGS $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
endif()
# The headers that many share: Catch2's of the tests, the standard library's of the rooms.
option(HLOCC_PCH "Precompile what rooms and tests share" ${HLOCC_UNITY})

# hlocc_level(TARGET LEVEL): how a program that nobody waits for is optimized in a build from nothing.
function(hlocc_level target level)
  if(HLOCC_UNITY)
    target_compile_options(${target} PRIVATE ${level})
  endif()
endfunction()

# hlocc_room_headers(TARGET FLAGS): the standard headers that most rooms read, compiled once for each list of flags.
function(hlocc_room_headers target flags)
  list(JOIN flags "" shared)
  set(shared hlocc_headers${shared})
  if(NOT TARGET ${shared})
    file(WRITE ${CMAKE_BINARY_DIR}/${shared}.cpp "")
    add_library(${shared} STATIC ${CMAKE_BINARY_DIR}/${shared}.cpp)
    target_compile_options(${shared} PRIVATE ${flags} ${HLOCC_UNITY_FLAGS} -fno-strict-aliasing -fpch-preprocess)
    target_precompile_headers(${shared} PRIVATE <algorithm> <charconv> <cmath> <cstring>
      <functional> <map> <memory> <numeric> <optional> <set> <span> <string> <unordered_map> <variant> <vector>)
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess)
  target_precompile_headers(${target} REUSE_FROM ${shared})
endfunction()

# hlocc_unity(TARGET): the sources of TARGET in batches, a room's folders together: names in anonymous namespaces are
# unique in a room (tests/layers/unity.py). Sources that a target takes from elsewhere are batched by their folder.
function(hlocc_unity target)
  if(NOT HLOCC_UNITY OR target IN_LIST HLOCC_UNITY_EXCEPT)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  foreach(source ${sources})
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(folder ${path} DIRECTORY)
    cmake_path(IS_PREFIX CMAKE_CURRENT_SOURCE_DIR ${path} own)
    if(own)
      set(folder ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    string(MAKE_C_IDENTIFIER ${folder} group)
    set(batch 0)
    if(HLOCC_UNITY_BATCH GREATER 0)
      math(EXPR batch "0${count_${group}} / ${HLOCC_UNITY_BATCH}")
    endif()
    math(EXPR count_${group} "0${count_${group}} + 1")
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${name} name)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${batch})
  endforeach()
endfunction()
