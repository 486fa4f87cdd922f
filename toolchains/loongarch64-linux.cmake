# LoongArch under Linux. Debian 12 has no GNU compiler for it, and no libc: clang, lld, and the system's calls.
set(HLOCC_PRESET loongarch64-linux)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
