# HLOCC_STATIC: LLVM, protobuf, zlib and the C++ library become part of hlocc, which then needs nothing but libc and libm and runs
# on any Linux whose libc is not older than the one it was linked with. For packages: linking takes a while and the program is
# a hundred megabytes. Without position-independent addresses nothing is relocated when it starts.
option(HLOCC_STATIC "Link everything but libc into hlocc" OFF)
# A wheel has all of it once: in libhlocc.so, beside which hlocc is a few kilobytes.
option(HLOCC_WHEEL "Link hlocc with libhlocc.so, as Python's wheel has them" OFF)
set(HLOCC_LLVM_LIBRARIES LLVM)
# Debian's archive of protobuf cannot become part of a shared library: auditwheel puts protobuf's own into the wheel.
if(HLOCC_STATIC AND NOT HLOCC_WHEEL)
  set(Protobuf_USE_STATIC_LIBS ON)
  set(ZLIB_USE_STATIC_LIBS ON)
endif()

# To be called when LLVM has been found.
macro(hlocc_static_llvm)
  llvm_map_components_to_libnames(HLOCC_LLVM_LIBRARIES
    AllTargetsCodeGens AllTargetsAsmParsers AllTargetsDescs AllTargetsInfos OrcJIT Passes)
  # The archives name shared libraries of the system, most of them for parts that are not linked.
  find_library(HLOCC_ZLIB_ARCHIVE libz.a REQUIRED)
  find_library(HLOCC_ZSTD_ARCHIVE libzstd.a REQUIRED)
  set_target_properties(LLVMSupport PROPERTIES
    INTERFACE_LINK_LIBRARIES "LLVMDemangle;${HLOCC_ZLIB_ARCHIVE};${HLOCC_ZSTD_ARCHIVE};rt;dl;m")
endmacro()

# hlocc_static_program(TARGET)
function(hlocc_static_program target)
  if(HLOCC_STATIC)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/arc4random.c)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -no-pie -Wl,--gc-sections)
  endif()
endfunction()
