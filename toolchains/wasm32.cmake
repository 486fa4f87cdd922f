# WebAssembly with vectors of 128 bits, in Node.js' engine; Clang and lld make the module.
set(HLOCC_PRESET wasm32)
include(${CMAKE_CURRENT_LIST_DIR}/boards/toolchain.cmake)
