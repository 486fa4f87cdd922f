# Builds go through ccache where it is installed: tests/run.sh and development both live on it.
find_program(HLOCC_CCACHE ccache)
if(HLOCC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${HLOCC_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HLOCC_CCACHE})
endif()
