# Read by cpack once for each generator, before anything is built or written. What is linked to shared libraries would start
# only where these are installed in the same versions.
if(NOT CPACK_HLOCC_STATIC)
  message(FATAL_ERROR "hlocc of this build needs the shared libraries of this machine (LLVM, protobuf, the C++ library), so that "
    "a package of it would not start elsewhere. Packages are made of static builds: cmake --preset package && cmake --build "
    "--preset package && (cd build/package && cpack), or -DHLOCC_STATIC=ON here.")
endif()
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
