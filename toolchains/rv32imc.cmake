# RV32 with multiplication and compressed instructions; GCC 12 has no rv32imc libgcc, rv32im's is
# the nearest.
set(HLOCC_PRESET rv32imc)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
