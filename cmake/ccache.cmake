# Builds go through ccache where it is installed: tests/run.sh and development both live on it. What it must overlook to store
# objects that precompiled headers went into is the time in which those were written.
find_program(HLOCC_CCACHE ccache)
if(HLOCC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${HLOCC_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HLOCC_CCACHE})
  if(HLOCC_PCH)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${HLOCC_CCACHE})
  endif()
endif()
